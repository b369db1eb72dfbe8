"""Inferring constraints: by exploring, from records, or exactly; and saying why."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _native
from ._arrays import number, whole
from ._errors import Interrupted, invalid, wrong_type
from ._progress import Progress, shown
from .constraint import Constraint
from .environment import Environment
from .strategy import StrategyLike, native_strategy

if TYPE_CHECKING:
    from .data import Records
    from .online import World

__all__ = ["Explanation", "explain", "infer", "infer_exact", "infer_records"]

Scope = Literal["all", "visited"]
Assume = Literal["mixed", "ties"]
Know = Literal["successors", "classes", "dynamics"]
Goal = Literal["verdicts", "explain"]


def infer(
    world: Environment | World,
    *,
    confidence: float = 0.95,
    samples: int = 5_000_000,
    margin: float | None = None,
    tolerance: float = 0.0,
    assume: Assume = "mixed",
    rare: float = 0.1,
    scope: Scope | None = None,
    know: Know | None = None,
    known: Environment | str | PathLike[str] | None = None,
    goal: Goal = "verdicts",
    eps: float | None = None,
    features: str | PathLike[str] | None = None,
    classes: str | PathLike[str] | None = None,
    strategy: StrategyLike | None = None,
    seed: int = 0,
    progress: bool | Progress | None = None,
) -> Constraint:
    """Explores a world until everything that matters is decided, or the samples are used up.

    All verdicts are right with probability ``confidence``, whenever the search stops. A pair whose
    advantage is surely at most ``tolerance`` + ``margin`` need not be decided; the margin is 0.01 of
    the largest reward unless it is given. ``strategy`` chooses what to sample; without one, what the
    open verdicts hang on is sampled. ``features`` is a table (CSV) of columns that rules may speak of,
    ``classes`` one of classes of pairs, each assumed to be forbidden as a whole or not at all: pairs of a
    class that is decided are sampled no further.

    ``know`` declares something of the dynamics, an assumption that saves samples and is checked against
    what is seen: the possible ``"successors"`` of every pair, ``"classes"`` of pairs with the same dynamics, or
    the ``"dynamics"`` themselves. It is taken from the world's own tables, or from ``known``: another
    environment, or a CSV table of classes. With ``goal="explain"`` the search ends as soon as the best policy
    under the constrained pairs surely earns what the expert earns from the start, within ``eps``.

    Ctrl-C raises :class:`hedgerow.Interrupted`, whose ``partial`` is the constraint so far.

    >>> import hedgerow
    >>> env = hedgerow.Environment.open("gridworld-3")
    >>> found = hedgerow.infer(env, samples=20_000, seed=1)
    >>> found.stop, found.samples
    ('samples', 20000)
    >>> set(found.looks_constrained) <= set(hedgerow.infer_exact(env).constrained)
    True
    """
    with shown("samples", progress) as show:
        native, interrupted = _native.infer(
            _world(world),
            _asked(confidence, margin, tolerance, assume, rare, scope),
            _beyond(know, known, goal, eps),
            _tables(features, classes),
            samples=whole("samples", samples, 1),
            strategy=None if strategy is None else native_strategy(strategy),
            seed=whole("seed", seed),
            progress=show,
        )
    found = Constraint(native)
    if interrupted:
        raise Interrupted(f"interrupted after {found.samples} samples; `partial` has what was found", found)
    return found


def _beyond(
    know: Know | None, known: Environment | str | PathLike[str] | None, goal: Goal, eps: float | None
) -> dict[str, Any]:
    if goal not in ("verdicts", "explain"):
        raise invalid("goal", f"`{goal}` is unknown", "use verdicts or explain")
    if known is not None and know is None:
        raise invalid("known", "nothing is declared by it", "say with `know` what")
    if eps is not None and goal != "explain":
        raise invalid("eps", "nothing is to be explained", 'use goal="explain"')
    source = known._native if isinstance(known, Environment) else None if known is None else Path(known)
    return {"know": know, "known": source, "explain": goal == "explain", "eps": eps}


def infer_exact(
    environment: Environment,
    *,
    scope: Scope | None = None,
    features: str | PathLike[str] | None = None,
    classes: str | PathLike[str] | None = None,
) -> Constraint:
    """The constraint that follows from the true dynamics and the expert's policy.

    >>> import hedgerow
    >>> len(hedgerow.infer_exact(hedgerow.Environment.open("gridworld-3")).constrained)
    14
    """
    _known(environment)
    return Constraint(_native.infer_exact(environment._native, _tables(features, classes), scope=scope))


def infer_records(
    environment: Environment,
    demos: Records | str | PathLike[str] | Sequence[Records | str | PathLike[str]],
    logs: Records | str | PathLike[str] | Sequence[Records | str | PathLike[str]] = (),
    *,
    confidence: float = 0.95,
    margin: float | None = None,
    tolerance: float = 0.0,
    assume: Assume = "mixed",
    rare: float = 0.1,
    scope: Scope | None = None,
    features: str | PathLike[str] | None = None,
    classes: str | PathLike[str] | None = None,
    slips: float = 0.0,
) -> Constraint:
    """The constraint that records allow, without acting.

    ``demos`` are steps of the expert, ``logs`` steps of anybody; files or :class:`hedgerow.Records`.
    The environment gives rewards, start and discount; its dynamics are used for nothing but to refuse
    transitions that cannot happen, and its expert not at all. Choices made in less than the share
    ``slips`` of the visits to a state are taken for mistakes.
    """
    _known(environment)
    native = _native.infer_records(
        environment._native,
        _asked(confidence, margin, tolerance, assume, rare, scope),
        _tables(features, classes),
        demos=_records(demos),
        logs=_records(logs),
        slips=number("slips", slips),
    )
    return Constraint(native)


@dataclass(frozen=True)
class Explanation:
    """Why a place or a pair counts as constrained, or why it does not."""

    #: The reason in words.
    words: str
    #: All of it: moves, trajectories, expected visits.
    data: dict[str, Any]
    #: The answer as the command prints it, with maps.
    text: str = ""

    def __str__(self) -> str:
        return self.words


def explain(
    environment: Environment,
    *,
    cell: tuple[int, int] | None = None,
    state: int | str | None = None,
    pair: tuple[int | str, int | str] | None = None,
    under: Constraint | None = None,
) -> Explanation:
    """Why a cell, a state or a pair counts as constrained, with the true dynamics to show it.

    ``under`` takes the verdicts of a constraint instead of those of exact inference.

    >>> import hedgerow
    >>> env = hedgerow.Environment.open("gridworld-3")
    >>> print(hedgerow.explain(env, cell=(3, 1)))
    3 of the 8 moves into it would earn more than the expert does, up to 0.188 more (up-right from cell 2,0), and the expert leaves them alone; the other 5 are without gain.
    """
    _known(environment)
    given = [x for x in (cell, state, pair) if x is not None]
    if len(given) != 1:
        raise invalid("explain", f"{len(given)} places", "name one: cell, state or pair")
    place = f"{cell[0]},{cell[1]}" if cell is not None else None if state is None else str(state)
    content, text = _native.explain(
        environment._native,
        state=place,
        pair=None if pair is None else f"{pair[0]},{pair[1]}",
        constraint=None if under is None else under._native,
    )
    data = json.loads(content)
    return Explanation(data.get("words") or _pair_words(data), data, text)


def _asked(
    confidence: float, margin: float | None, tolerance: float, assume: Assume, rare: float, scope: Scope | None
) -> dict[str, Any]:
    """When a pair gets a verdict, as the engine takes it."""
    return {
        "confidence": number("confidence", confidence),
        "margin": None if margin is None else number("margin", margin),
        "tolerance": number("tolerance", tolerance),
        "assume": assume,
        "rare": number("rare", rare),
        "scope": scope,
    }


def _tables(
    features: str | PathLike[str] | None, classes: str | PathLike[str] | None
) -> dict[str, Path | None]:
    """Tables of the user's, as the engine takes them."""
    return {
        "features": None if features is None else Path(features),
        "classes": None if classes is None else Path(classes),
    }


def _known(environment: Any) -> None:
    if not isinstance(environment, Environment):
        raise wrong_type("environment", environment, "give a hedgerow.Environment, which is known as tables")


def _pair_words(data: dict[str, Any]) -> str:
    if "advantage" not in data:
        return "This pair was never tried: nothing is known of it."
    gain = data["advantage"]
    start, action = data["start"]["name"], data["action"]
    than = "more" if gain > 0 else "less"
    return f"{action} in {start}, then as the expert, earns {abs(gain):.4g} {than} than the expert at once."


def _records(given: Any) -> list[Any]:
    from .data import Records

    several = given if isinstance(given, (list, tuple)) else [given]
    return [r._native if isinstance(r, Records) else Path(r) for r in several]


def _world(world: Any) -> Any:
    from .online import World

    if isinstance(world, (Environment, World)):
        return world._native
    raise wrong_type("world", world, "give a hedgerow.Environment or a hedgerow.World")
