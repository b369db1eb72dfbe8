"""Continuous worlds: any Gymnasium environment with box observations, learned with networks."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from . import _native
from ._arrays import Bools, Floats, Ints, number, whole
from ._boxes import Episodes, Spaces, cost_of, expert_of
from ._errors import Interrupted, invalid, wrong_type
from ._progress import Progress, shown
from ._version_of import version_of
from .online import factory, limit_of, name_of
from .running import Setting, setting_text

if TYPE_CHECKING:
    from .gymnasium import ContinuousConstraintWrapper

__all__ = ["Calibration", "ContinuousConstraint", "infer_continuous"]


@dataclass(frozen=True)
class Calibration:
    """Whether scores mean what they say: the share of charged pairs against the predicted score."""

    #: Pairs in every tenth of the scores.
    count: Ints
    #: Their mean score.
    predicted: Floats
    #: The share of them that is charged.
    observed: Floats
    #: The mean difference between the two, weighted by pairs.
    error: float
    #: The mean square difference between score and label.
    brier: float

    @classmethod
    def _of(cls, curve: dict[str, Any]) -> Calibration:
        bins = curve["bins"]
        return cls(
            np.array([b["count"] for b in bins], dtype=np.int64),
            np.array([b["predicted"] for b in bins], dtype=np.float64),
            np.array([b["observed"] for b in bins], dtype=np.float64),
            float(curve["error"]),
            float(curve["brier"]),
        )


class ContinuousConstraint:
    """What was inferred in a continuous world: a classifier of pairs of observation and action.

    Its scores are no verdicts with a confidence: :attr:`calibration` says, on episodes that it never
    learned from, how far they agree with the labels it was to learn.
    """

    def __init__(self, native: _native.Learned, spaces: Spaces, name: str, threshold: float) -> None:
        self._native = native
        self._spaces = spaces
        self._summary: dict[str, Any] = json.loads(native.summary)
        #: The name of the environment.
        self.name = name
        #: Pairs with at least this score are forbidden.
        self.threshold = threshold

    def cost(self, observations: ArrayLike, actions: ArrayLike) -> Floats:
        """The score of every pair, from 0 to 1: how probable it is that the expert may not do that.

        One observation with one action, or as many of the one as of the other, in rows.
        """
        return self._native.probability(*self._pairs(observations, actions))

    def forbidden(self, observations: ArrayLike, actions: ArrayLike) -> Bools:
        """Whether the score of every pair is at least the threshold."""
        marks: Bools = self.cost(observations, actions) >= self.threshold
        return marks

    def value(self, observations: ArrayLike, actions: ArrayLike) -> tuple[Floats, Floats]:
        """What every pair and then the expert earn, as fitted, and how far the networks disagree."""
        return self._native.value(*self._pairs(observations, actions))

    @property
    def samples(self) -> int:
        """Steps that were seen, demonstrations included."""
        return self._native.samples

    @property
    def stop(self) -> str:
        """Why it ended."""
        return self._native.stop

    @cached_property
    def history(self) -> _native.Table:
        """One row per iteration: samples, and reward, cost and IoU as the evaluator judges them; cost and
        IoU are missing where the true cost is not known."""
        return self._native.history()

    @cached_property
    def calibration(self) -> Calibration:
        """The scores against the labels of episodes that were held out from all training."""
        return Calibration._of(self._summary["held_out"])

    @cached_property
    def open(self) -> float:
        """The share of the held-out pairs that could not be labelled: their advantage is too uncertain."""
        return float(self._summary["open"])

    @cached_property
    def comparison(self) -> dict[str, Any] | None:
        """How the constraint compares with the true cost on pairs that the evaluator sampled: IoU, the
        shares of false positives and of missed pairs, and a :class:`Calibration` against the truth. ``None``
        where no cost was given or no sampled pair costs anything."""
        found = self._summary["comparison"]
        if found is None:
            return None
        return {**found, "reliability": Calibration._of(found["reliability"])}

    @property
    def expert(self) -> tuple[float, float | None]:
        """The expert's discounted reward and, where it is known, its cost."""
        return self._native.expert

    @cached_property
    def data(self) -> dict[str, Any]:
        """All samples: ``observations``, ``actions``, ``expert_actions``, ``rewards``, and the first sample
        of every episode in ``starts``."""
        observations, actions, experts, rewards, starts = self._native.gathered()
        seen, chosen = self._spaces.widths
        first = self._spaces.start
        return {
            "observations": observations.reshape(-1, seen),
            "actions": actions.reshape(-1, chosen) + first,
            "expert_actions": experts.reshape(-1, chosen) + first,
            "rewards": rewards,
            "starts": starts,
        }

    def wrap(
        self, env: Any, *, mode: Literal["cost", "penalty", "end"] = "penalty", penalty: float = 1.0
    ) -> ContinuousConstraintWrapper:
        """The environment under this constraint: :class:`hedgerow.gymnasium.ContinuousConstraintWrapper`."""
        from .gymnasium import ContinuousConstraintWrapper

        return ContinuousConstraintWrapper(env, self, mode=mode, penalty=penalty)

    def _pairs(self, observations: ArrayLike, actions: ArrayLike) -> tuple[Floats, Floats]:
        seen, chosen = self._spaces.widths
        rows = _rows("observations", observations, seen)
        taken = _rows("actions", actions, chosen)
        if len(rows) != len(taken):
            raise invalid("actions", f"{len(taken)} for {len(rows)} observations", "give one for each")
        place = "actions[{}]".format if len(taken) > 1 else "action".format
        checked = [self._spaces.chosen(place(i), row) for i, row in enumerate(taken)]
        return rows, np.ascontiguousarray(np.reshape(checked, (len(rows), chosen)))

    def __repr__(self) -> str:
        return f"<ContinuousConstraint of {self.name} from {self.samples} samples>"


def infer_continuous(
    env: Any,
    expert: Any,
    *,
    strategy: str = "pcse",
    iterations: int = 50,
    episodes: int = 2,
    seed: int = 0,
    gamma: float = 0.99,
    horizon: int | None = None,
    cost: Callable[[Any, Any], Any] | None = None,
    threshold: float = 0.5,
    name: str | None = None,
    progress: bool | Progress | None = None,
    **settings: Setting,
) -> ContinuousConstraint:
    """Infers the constraint that an expert keeps to in a continuous world, by acting in it.

    ``env`` is a Gymnasium environment with box observations and discrete or box actions, the id of one,
    or a function that makes one; it is acted in through copies, so an environment that cannot be copied
    has to come as a function. ``expert`` is a function of the observation, anything with
    ``predict(observation)``, or recorded episodes: a Minari dataset, or a list of dicts with
    ``observations`` (one more than actions), ``actions``, ``rewards`` and, if it ended,
    ``terminations``. ``cost(observation, action)`` is the true cost, if it is known: nobody but the
    evaluator sees it.

    Every iteration plays ``episodes`` episodes of at most ``horizon`` steps, by default as many as the
    environment allows. Other settings are those of the domain ``general`` and of the strategy, with
    underscores: ``demonstrations``, ``follow_expert``, ``deviate``, ``margin``...

    Ctrl-C raises :class:`hedgerow.Interrupted`, whose ``partial`` is the constraint so far.

    >>> import gymnasium, hedgerow, numpy
    >>> def expert(observation):                     # brings the pendulum to rest, gently
    ...     cos, sin, speed = observation
    ...     return numpy.clip([-2 * sin - speed], -2, 2)
    >>> found = hedgerow.infer_continuous("Pendulum-v1", expert, iterations=2, horizon=20, gamma=0.9)
    >>> found.samples, found.cost([1, 0, 0], [2]).shape
    (180, (1,))
    """
    make = factory(env)
    example = make()
    spaces = Spaces(example)
    ask, recorded = expert_of(expert, spaces)
    called = name or name_of(example)
    level = number("threshold", threshold)
    if not 0.0 < level <= 1.0:
        raise invalid("threshold", f"{level:g}", "use a number above 0 and at most 1")
    run, general, own = _sorted(settings, strategy)
    run += [("iterations", str(whole("iterations", iterations))), ("episodes", str(whole("episodes", episodes, 1)))]
    world = _native.ContinuousWorld(
        lambda: Episodes(make(), spaces),
        name=called,
        observation=spaces.observation,
        action=spaces.action,
        gamma=number("gamma", gamma),
        horizon=limit_of(example) if horizon is None else whole("horizon", horizon, 1),
        version=version_of([str(getattr(example, "spec", None)), version_of(expert) if ask else ""]),
        ask=ask,
        recorded=recorded,
        cost=None if cost is None else cost_of(cost, spaces),
    )
    with shown("iterations", progress) as show:
        native, interrupted = _native.infer_continuous(
            world,
            strategy=strategy,
            seed=whole("seed", seed),
            run_settings=run,
            settings=general,
            strategy_settings=own,
            progress=show,
        )
    found = ContinuousConstraint(native, spaces, called, level)
    if interrupted:
        raise Interrupted(f"interrupted after {found.samples} samples; `partial` has what was found", found)
    return found


def _sorted(settings: dict[str, Setting], strategy: str) -> tuple[list[tuple[str, str]], ...]:
    """Settings by the tables they belong to."""
    if not isinstance(strategy, str):
        raise wrong_type("strategy", strategy, "give the name of one")
    # The horizon belongs to the world here.
    tables = {name: table for table, name, *_ in _native.continuous_parameters(strategy) if name != "horizon"}
    sorted_: dict[str, list[tuple[str, str]]] = {"run": [], "general": [], "strategy": []}
    for key, value in settings.items():
        name = key.replace("_", "-")
        if name not in tables:
            known = sorted(k.replace("-", "_") for k in tables)
            near = get_close_matches(key, known, 1)
            remedy = f"did you mean `{near[0]}`?" if near else f"use some of {', '.join(known)}"
            raise invalid("settings", f"`{key}` is unknown", remedy)
        sorted_[tables[name]].append((name, setting_text(value)))
    return sorted_["run"], sorted_["general"], sorted_["strategy"]


def _rows(place: str, values: ArrayLike, width: int) -> Floats:
    """Rows of numbers; a single one may come without its brackets."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise wrong_type(place, values, f"give rows of {width} numbers") from error
    if array.size % width or (array.ndim > 1 and array.size != len(array) * width):
        found = " x ".join(map(str, array.shape)) or "a single number"
        raise invalid(place, f"its shape is {found}", f"give rows of {width} numbers")
    rows: Floats = np.ascontiguousarray(array.reshape(-1, width))
    if not np.isfinite(rows).all():
        i, j = (int(n) for n in np.argwhere(~np.isfinite(rows))[0])
        raise invalid(f"{place}[{i}, {j}]", f"{rows[i, j]} is not a number to count with", "use finite numbers")
    return rows
