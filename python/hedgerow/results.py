"""Results folders: tables, curves and figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._arrays import Floats
from ._errors import invalid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Results", "report"]


class Results:
    """What a results folder holds.

    The tables are read by pandas, polars and pyarrow (``pandas.DataFrame.from_arrow(results.history)``,
    ``polars.DataFrame(results.history)``), and their columns are arrays: ``results.history["reward"]``.
    """

    def __init__(
        self,
        folder: str | PathLike[str],
        *,
        env: Sequence[str] = (),
        strategy: Sequence[str] = (),
    ) -> None:
        """Reads ``folder``; ``env`` and ``strategy`` limit what is read."""
        self.folder = Path(folder)
        self._native = _native.Results(self.folder, env=list(env), strategy=list(strategy))

    @property
    def env_names(self) -> list[str]:
        """The environments."""
        return self._native.env_names

    @property
    def strategy_names(self) -> list[str]:
        """The strategies."""
        return self._native.strategy_names

    @property
    def planned(self) -> int:
        """How many runs were asked for."""
        return self._native.planned

    @property
    def finished(self) -> int:
        """How many of them are there."""
        return self._native.finished

    @property
    def problems(self) -> list[str]:
        """What is missing or damaged."""
        return self._native.problems

    @cached_property
    def summary(self) -> _native.Table:
        """One row per environment and strategy."""
        return self._native.summary()

    @cached_property
    def history(self) -> _native.Table:
        """One row per run and iteration: env, strategy, seed, iteration, samples, reward, cost..."""
        return self._native.history()

    @cached_property
    def runs(self) -> _native.Table:
        """One row per run: env, strategy, seed, stop, samples_to_expert, samples_to_map."""
        return self._native.runs()

    def environment(self, name: str) -> dict[str, Any]:
        """The description of an environment: map, rewards, true cells, expert."""
        content: dict[str, Any] = json.loads(self._native.environment(name))
        return content

    def inferred(self, env: str, strategy: str, seed: int, *, iteration: int | None = None) -> Floats:
        """The inferred cost on states, in the end or at the last kept moment up to ``iteration``."""
        moments = self._native.snapshots(env, strategy, seed, False)
        if iteration is not None:
            moments = [m for m in moments if m[0] <= iteration]
        states = len(self.environment(env).get("state_names") or []) or self._states(env)
        cost = np.zeros(states)
        if moments:
            _, _, places, values = moments[-1]
            cost[places] = values
        return cost

    def _states(self, env: str) -> int:
        file = self.environment(env)
        return int(file.get("states") or len(file["layout"]["cells"]))

    def plot(self, metric: str = "reward", *, env: Sequence[str] | None = None, against: str = "samples") -> Figure:
        """Curves of a metric with matplotlib: the mean over seeds, and a band of two standard errors."""
        from .figures import curves

        return curves(self, metric, env=env, against=against)

    def plot_map(self, env: str, strategy: str, *, seed: int | None = None) -> Figure:
        """The inferred cost on the map beside the true one, with matplotlib."""
        from .figures import cost_map

        return cost_map(self, env, strategy, seed=seed)

    def report(
        self,
        out: str | PathLike[str] | None = None,
        *,
        formats: Sequence[str] = ("svg", "png", "pdf"),
        page: bool = True,
    ) -> list[Path]:
        """Writes the figures of a paper and a page to explore the results in; gives the files."""
        known = ("svg", "png", "pdf")
        for name in formats:
            if name not in known:
                raise invalid("formats", f"`{name}` is unknown", f"use some of {', '.join(known)}")
        folder = self.folder if out is None else Path(out)
        return _native.write_report(self._native, folder, list(formats), page)

    def __repr__(self) -> str:
        envs, strategies = len(self.env_names), len(self.strategy_names)
        return (
            f"<Results of {self.finished} of {self.planned} runs, {envs} environments, {strategies} strategies>"
        )

    def _repr_html_(self) -> str:
        from ._display import results_html

        return results_html(self)


def report(folder: str | PathLike[str], out: str | PathLike[str] | None = None, **options: Any) -> list[Path]:
    """Figures and a page from a results folder; see :meth:`Results.report`."""
    return Results(folder).report(out, **options)
