"""Constraints: what the expert treats as forbidden, how sure that is, and where it comes from."""

from __future__ import annotations

import json
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from . import _native
from ._arrays import Bools, Floats
from ._errors import invalid
from .model import Task

__all__ = ["Constraint"]


class Constraint:
    """What the expert treats as forbidden, as far as it is known.

    :func:`hedgerow.infer`, :func:`hedgerow.infer_exact` and :func:`hedgerow.infer_records` make
    them; :meth:`read` takes one back from a file. States and actions go by their names, so that a
    constraint can be used in another task over the same states.

    >>> import hedgerow
    >>> found = hedgerow.infer_exact(hedgerow.Environment.open("gridworld-3"))
    >>> found
    <Constraint on gridworld-3: 14 pairs constrained, 51 taken, 247 without gain, 0 undecided>
    >>> found.constrained[:2]
    [(14, 0), (14, 5)]
    """

    def __init__(self, native: _native.Constraint) -> None:
        self._native = native

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Constraint:
        """The constraint in a file."""
        return cls(_native.Constraint.read(Path(path)))

    def save(self, path: str | PathLike[str]) -> None:
        """Writes it to a file that the command and other programs read."""
        self._native.write(Path(path))

    @cached_property
    def data(self) -> dict[str, Any]:
        """All of it, as its file has it."""
        content: dict[str, Any] = json.loads(self._native.json())
        return content

    @property
    def env(self) -> str:
        """The name of the environment."""
        return str(self.data["env"])

    @property
    def promise(self) -> str:
        """What is promised, in one sentence."""
        return str(self.data["promise"])

    @property
    def samples(self) -> int:
        """Transitions that were seen."""
        return int(self.data["source"]["samples"])

    @property
    def stop(self) -> str | None:
        """Why exploring ended: ``decided``, ``samples``, ``interrupted``; none without exploring."""
        stop = self.data["source"].get("stop")
        return None if stop is None else str(stop)

    @property
    def warnings(self) -> list[str]:
        """What the reader should know about the data."""
        return list(self.data["warnings"])

    @property
    def rules(self) -> list[dict[str, Any]]:
        """What constrained pairs have in common, each rule with its ``conditions``, its support
        (``constrained``) and how many pairs it covers besides (``no_gain``, ``undecided``; ``taken`` is
        always 0).

        >>> import hedgerow
        >>> hedgerow.infer_exact(hedgerow.Environment.open("gridworld-3")).rules[0]["rule"]
        'no move into row 3, columns 0 to 4'
        """
        return list(self.data.get("rules", []))

    @property
    def classes(self) -> list[dict[str, Any]]:
        """Declared classes of pairs, each with its ``verdict`` and the verdicts on its pairs, counted;
        none unless they were declared."""
        return list(self.data.get("classes", []))

    @cached_property
    def pairs(self) -> _native.Table:
        """Every pair with its verdict, estimate, interval, cost and counts, as a table that pandas,
        polars and pyarrow read: ``pandas.DataFrame.from_arrow(constraint.pairs)``."""
        return self._native.pairs()

    @property
    def constrained(self) -> list[tuple[int, int]]:
        """The constrained pairs, as (state, action) by index."""
        return self._listed(self._column("verdict") == "constrained")

    @property
    def looks_constrained(self) -> list[tuple[int, int]]:
        """Those, and undecided ones that look constrained: an estimate without a promise."""
        verdict, guess = self._column("verdict"), np.asarray(self.pairs["looks_constrained"])
        return self._listed((verdict == "constrained") | ((verdict == "undecided") & guess))

    @property
    def undecided(self) -> list[tuple[int, int]]:
        """Pairs that are open: undecided, and they matter."""
        return self._listed(np.asarray(self.pairs["open"]))

    def mask(self, task: Task, *, estimates: bool = False) -> Bools:
        """Whether each pair of ``task`` is constrained, or in a class that is forbidden, or with
        ``estimates`` looks constrained: states by actions, by the names of states and actions."""
        of = self._native.suspected if estimates else self._native.forbidden
        return task._pairs.table(of(task._native))

    def cost(self, task: Task) -> Floats:
        """The inferred cost of each pair of ``task``: states by actions."""
        return task._pairs.table(self._native.cost(task._native))

    @property
    def text(self) -> str:
        """The answer as the command prints it: map, counts, tables."""
        return self._native.text()

    @property
    def svg(self) -> str | None:
        """The map with the verdict on entering every cell; none if the states lie on no grid."""
        return self._native.svg()

    def save_page(self, path: str | PathLike[str]) -> None:
        """Writes a page with the map, the promise and the pairs."""
        if Path(path).suffix not in (".html", ".htm"):
            raise invalid(str(path), "it is no page", "end the name in .html")
        Path(path).write_text(self._native.html(), encoding="utf-8")

    def _column(self, name: str) -> Any:
        return np.asarray(self.pairs[name])

    def _listed(self, marks: Any) -> list[tuple[int, int]]:
        states, actions = self.pairs["state"], self.pairs["action"]
        return [(int(states[i]), int(actions[i])) for i in np.flatnonzero(marks)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constraint) and self.data == other.data

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        d = self.data
        return (
            f"<Constraint on {self.env}: {d['constrained']} pairs constrained, {d['taken']} taken, "
            f"{d['no_gain']} without gain, {d['undecided']} undecided>"
        )

    def _repr_html_(self) -> str:
        from ._display import constraint_html

        return constraint_html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self._native.json(),)


def _unpickle(text: str) -> Constraint:
    return Constraint(_native.Constraint.parse(text))
