"""Runs and sweeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _native
from ._arrays import whole
from ._errors import HedgerowError, Interrupted, invalid, wrong_type
from ._progress import Progress, shown
from .environment import Environment
from .inference import _world
from .results import Results
from .strategy import Learner, StrategyLike, native_strategy

if TYPE_CHECKING:
    from .online import World

__all__ = ["Experiment", "Run", "SweepError", "merge", "run", "sweep"]

Setting = str | int | float | bool


class SweepError(HedgerowError):
    """Some runs of a sweep failed; the others are in the results folder."""

    def __init__(self, message: str, failed: Sequence[tuple[str, str]] = (), finished: int = 0) -> None:
        super().__init__(message)
        #: Which runs failed, and why.
        self.failed = list(failed)
        #: How many did not.
        self.finished = finished


@dataclass(frozen=True)
class Run:
    """A finished run."""

    #: The name of the world.
    env: str
    #: The name of the strategy.
    strategy: str
    #: The seed.
    seed: int
    #: Why it ended: ``iterations``, ``samples``, ``accuracy``, ``time``.
    stop: str
    #: Samples after which it stayed at the expert's level; none if it did not.
    samples_to_expert: int | None
    #: The expert's discounted reward.
    expert_reward: float
    #: The expert's discounted cost.
    expert_cost: float
    #: One row per iteration, for pandas, polars and pyarrow; ``history["reward"]`` is an array.
    history: _native.Table = field(repr=False)
    #: All that was seen, and what follows from it.
    learner: Learner = field(repr=False)

    def _repr_html_(self) -> str:
        from ._display import run_html

        return run_html(self)


def run(
    world: Environment | World,
    strategy: StrategyLike = "pcse",
    *,
    seed: int = 0,
    progress: bool | Progress | None = None,
    **settings: Setting,
) -> Run:
    """Runs one strategy in one world.

    Settings are those of ``hedgerow strategies``, with underscores: of the run (``iterations=200``,
    ``samples``, ``episodes``...), of the inference (``delta``, ``threshold_z``...) or of the strategy
    (``lookahead``...). The same settings and seed give the same numbers as the command, bit for bit.

    >>> import hedgerow
    >>> run = hedgerow.run(hedgerow.Environment.open("gridworld-3"), "pcse", seed=1, iterations=50)
    >>> run.history["samples"][-1] > 0, len(run.history)
    (np.True_, 51)
    """
    chosen = native_strategy(strategy)
    name = chosen if isinstance(chosen, str) else chosen[0]
    own, inference, planning = _sorted(settings, name)
    with shown("iterations", progress) as show:
        stop, to_expert, expert, history, learner, interrupted = _native.run_one(
            _world(world),
            chosen,
            seed=whole("seed", seed),
            run_settings=own,
            settings=inference,
            strategy_settings=planning,
            progress=show,
        )
    done = Run(world.name, name, int(seed), stop, to_expert, *expert, history, Learner(learner))
    if interrupted:
        raise Interrupted(f"interrupted after {len(history) - 1} iterations; `partial` has the run so far", done)
    return done


def _sorted(settings: Mapping[str, Setting], strategy: str) -> tuple[list[tuple[str, str]], ...]:
    """Settings by the tables they belong to."""
    tables: dict[str, str] = {name: table for table, name, *_ in _native.run_parameters()}
    planning = {p for name, _, parameters in _native.strategies() if name == strategy for p, *_ in parameters}
    sorted_: dict[str, list[tuple[str, str]]] = {"run": [], "finite": [], "strategy": []}
    for key, value in settings.items():
        name = key.replace("_", "-")
        if name not in tables and name not in planning:
            known = sorted(k.replace("-", "_") for k in {*tables, *planning})
            near = get_close_matches(key, known, 1)
            remedy = f"did you mean `{near[0]}`?" if near else f"use some of {', '.join(known)}"
            raise invalid("settings", f"`{key}` is unknown", remedy)
        sorted_[tables.get(name, "strategy")].append((name, setting_text(value)))
    return sorted_["run"], sorted_["finite"], sorted_["strategy"]


def setting_text(value: Setting) -> str:
    """A setting as the command would take it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (str, int, float, np.integer, np.floating)):
        return str(value)
    raise wrong_type("settings", value, "give a number, a word or True and False")


@dataclass(frozen=True)
class Experiment:
    """What a sweep runs: environments x strategies x seeds, with settings.

    Environments are names, files, :class:`hedgerow.Environment` or :class:`hedgerow.World`;
    strategies names or objects with ``plan``. ``file`` is an experiment file to start from. What is
    left out is that of the file, or the default: four Gridworlds, all strategies, five seeds.
    """

    env: Sequence[str | PathLike[str] | Environment | World] | None = None
    strategy: Sequence[StrategyLike] | None = None
    seeds: Iterable[int] | str | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict)
    file: str | PathLike[str] | None = None

    def _spec(self) -> dict[str, Any]:
        sources, worlds = None, []
        if self.env is not None:
            sources = []
            for source in _several("env", self.env):
                if isinstance(source, (str, PathLike)):
                    sources.append(fspath(source))
                else:
                    worlds.append(_world(source))
                    sources.append(source.name)
        strategies = None
        if self.strategy is not None:
            strategies = [native_strategy(s) for s in _several("strategy", self.strategy)]
        seeds = self.seeds
        if seeds is not None and not isinstance(seeds, str):
            several = [seeds] if isinstance(seeds, int) else seeds
            seeds = ",".join(str(whole("seeds", s)) for s in several)
        return {
            "file": None if self.file is None else Path(self.file),
            "env": sources,
            "worlds": worlds,
            "strategy": strategies,
            "seeds": seeds,
            "settings": [(k.replace("_", "-"), setting_text(v)) for k, v in self.settings.items()],
        }


def _several(place: str, given: Any) -> Sequence[Any]:
    if isinstance(given, (str, PathLike)) or not isinstance(given, Sequence):
        return [given]
    if not given:
        raise invalid(place, "it is empty", "name at least one, or leave it out")
    return given


def experiment_of(spec: Any) -> Experiment:
    """An experiment from what users write: one already, a file, or a mapping of its fields."""
    if isinstance(spec, Experiment):
        return spec
    if isinstance(spec, (str, PathLike)):
        return Experiment(file=spec)
    if spec is None:
        return Experiment()
    if isinstance(spec, Mapping):
        known = ("env", "strategy", "seeds", "settings", "file")
        unknown = [k for k in spec if k not in known]
        if unknown:
            raise invalid("spec", f"`{unknown[0]}` is unknown", f"use some of {', '.join(known)}")
        return Experiment(**spec)
    raise wrong_type("spec", spec, "give a hedgerow.Experiment, a file or a dict")


def sweep(
    spec: Experiment | Mapping[str, Any] | str | PathLike[str] | None = None,
    *,
    out: str | PathLike[str] = "results",
    backend: Literal["local", "ray"] = "local",
    fresh: bool = False,
    shard: str | None = None,
    progress: bool | Progress | None = None,
    **options: Any,
) -> Results:
    """Does a sweep and gives its results; finished runs in the folder are kept.

    ``spec`` is an :class:`Experiment`, the path of an experiment file, or a dict. ``shard="2/8"`` does
    the second of eight parts, and :func:`merge` puts them together. With ``backend="ray"`` the runs
    are spread over a Ray cluster: finished ones are safe when a worker dies, lost ones are done
    again, and the folder has the same bytes as that of a local sweep. Options for it:
    ``address``, ``shards``, ``num_cpus``, ``retries``.

    >>> import hedgerow, tempfile
    >>> spec = {"env": ["gridworld-1"], "strategy": ["pcse", "random"], "seeds": range(2),
    ...         "settings": {"iterations": 10}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = hedgerow.sweep(spec, out=folder)
    >>> results.summary["strategy"]
    ['pcse', 'random']
    """
    experiment = experiment_of(spec)
    folder = Path(out)
    if backend == "ray":
        from ._ray import sweep_on_ray

        sweep_on_ray(experiment, folder, fresh=fresh, progress=progress, **options)
        return Results(folder)
    if backend != "local":
        raise invalid("backend", f"`{backend}` is unknown", "use local or ray")
    if options:
        raise invalid("sweep", f"`{next(iter(options))}` is for backend=\"ray\"", "leave it out")
    run_part(experiment, folder, shard=shard, fresh=fresh, progress=progress)
    return Results(folder)


def run_part(
    experiment: Experiment,
    folder: Path,
    *,
    shard: str | None = None,
    fresh: bool = False,
    progress: bool | Progress | None = None,
) -> tuple[int, int]:
    """Does a sweep or a part of it: how many runs it has, and how many are done now."""
    with shown("runs", progress) as show:
        runs, finished, failed, interrupted = _native.run_sweep(
            experiment._spec(), folder, shard=shard, fresh=fresh, progress=show
        )
    if interrupted:
        raise Interrupted(f"interrupted: {finished} of {runs} runs saved in {folder}; the same call continues")
    if failed:
        which, why = failed[0]
        raise SweepError(
            f"{len(failed)} of {runs} runs failed, the first one {which}: {why}; "
            f"{folder}/runs/ has the reasons of all, in files ending in .failed.json",
            failed,
            finished,
        )
    return runs, finished


def merge(parts: Iterable[str | PathLike[str]], out: str | PathLike[str]) -> Results:
    """Puts the results folders of the parts of a sweep together."""
    _native.merge([Path(p) for p in parts], Path(out))
    return Results(out)
