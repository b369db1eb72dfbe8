"""The engine, as the package calls it. Vectors over pairs are in the order of the task's pairs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "__version__",
    "Constraint",
    "ContinuousWorld",
    "CostSet",
    "Environment",
    "Learned",
    "Learner",
    "Maze",
    "MazeEnv",
    "Model",
    "OnlineWorld",
    "Records",
    "Results",
    "Table",
    "Task",
    "best_within",
    "clopper_pearson",
    "command",
    "continuous_parameters",
    "environments",
    "evaluate",
    "explain",
    "figures",
    "infer",
    "infer_continuous",
    "infer_exact",
    "infer_records",
    "merge",
    "occupancy",
    "optimum",
    "overlap",
    "plan_shards",
    "run_one",
    "run_parameters",
    "run_sweep",
    "sample_size",
    "strategies",
    "write_report",
    "zeta_max",
]
__version__: str

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]
_Bools = NDArray[np.bool_]
_Progress = Callable[[int, int, str], object]
_Settings = Sequence[tuple[str, str]]
_Strategy = str | tuple[str, str, Callable[[], Any]]

@final
class Table:
    """A table of named columns, with the Arrow interface."""

    @property
    def columns(self) -> list[str]: ...
    def __getitem__(self, name: str, /) -> Any: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def keys(self) -> list[str]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> Any: ...

@final
class Task:
    """What is known to all."""

    @property
    def states(self) -> int: ...
    @property
    def actions(self) -> int: ...
    @property
    def pairs(self) -> int: ...
    @property
    def gamma(self) -> float: ...
    @property
    def state_names(self) -> list[str]: ...
    @property
    def action_names(self) -> list[str]: ...
    def start(self) -> _Floats: ...
    def terminal(self) -> _Bools: ...
    def pair_state(self) -> _Ints: ...
    def pair_action(self) -> _Ints: ...

@final
class Model:
    """A task with its dynamics."""

    def __new__(
        cls,
        *,
        states: int,
        actions: Sequence[str],
        gamma: float,
        start: _Floats,
        state: _Ints,
        action: _Ints,
        next_state: _Ints,
        probability: _Floats,
        reward: _Floats,
        ends: _Bools,
        terminal: _Ints,
        state_names: Sequence[str] | None = None,
        value_range: tuple[float, float] | None = None,
    ) -> Model: ...
    @property
    def task(self) -> Task: ...
    def reward(self) -> _Floats: ...
    def rows(self) -> tuple[_Ints, _Ints, _Floats]: ...
    def rewards(self) -> _Floats: ...

@final
class Environment:
    """A model with its hidden constraint and its expert."""

    def __new__(
        cls,
        model: Model,
        *,
        cost: _Floats,
        budget: float,
        expert: _Floats | None = None,
        name: str,
        horizon: int | None = None,
        layout: str | None = None,
    ) -> Environment: ...
    @staticmethod
    def open(source: str, gamma: float | None = None) -> Environment: ...
    @staticmethod
    def parse(text: str, name: str) -> Environment: ...
    @staticmethod
    def drawn(text: str, name: str) -> Environment: ...
    def json(self) -> str: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def horizon(self) -> int: ...
    @property
    def budget(self) -> float: ...
    @property
    def task(self) -> Task: ...
    @property
    def model(self) -> Model: ...
    def cost(self) -> _Floats: ...
    def expert(self) -> _Floats: ...
    def with_expert(self, expert: _Floats) -> Environment: ...
    def layout(self) -> str | None: ...
    def visited_by_expert(self) -> _Bools: ...

@final
class OnlineWorld:
    """A world that is acted in through Python."""

    def __new__(
        cls,
        make: Callable[[], Any],
        *,
        name: str,
        states: int,
        actions: Sequence[str],
        gamma: float,
        reward_range: tuple[float, float],
        horizon: int,
        seed: int = 0,
        state_names: Sequence[str] | None = None,
        available: tuple[_Ints, _Ints] | None = None,
        value_range: tuple[float, float] | None = None,
        start: _Floats | None = None,
        start_samples: int = 1000,
        expert: _Floats | None = None,
        ask: Callable[[int], Any] | None = None,
        cost: _Floats | None = None,
        layout: str | None = None,
        version: str = "",
    ) -> OnlineWorld: ...
    @property
    def name(self) -> str: ...
    @property
    def task(self) -> Task: ...
    @property
    def horizon(self) -> int: ...

@final
class Learner:
    """What a learner has seen, and what follows from it."""

    @property
    def task(self) -> Task: ...
    @property
    def samples(self) -> int: ...
    def visits(self) -> _Ints: ...
    def expert_choices(self) -> _Ints: ...
    def values(self) -> _Floats: ...
    def advantage(self) -> _Floats: ...
    def reward(self) -> _Floats: ...
    def cost(self) -> _Floats: ...
    def bound(self) -> _Floats: ...
    def rows(self) -> tuple[_Ints, _Ints, _Floats]: ...

@final
class Constraint:
    """What the expert treats as forbidden, as far as it is known."""

    @staticmethod
    def read(path: str | PathLike[str]) -> Constraint: ...
    @staticmethod
    def parse(text: str) -> Constraint: ...
    def write(self, path: str | PathLike[str]) -> None: ...
    def json(self) -> str: ...
    def text(self) -> str: ...
    def html(self) -> str: ...
    def svg(self) -> str | None: ...
    def forbidden(self, task: Task) -> _Bools: ...
    def suspected(self, task: Task) -> _Bools: ...
    def allowed(self, task: Task) -> _Bools: ...
    def cost(self, task: Task) -> _Floats: ...
    def pairs(self) -> Table: ...

@final
class CostSet:
    """All costs that explain the expert of an environment."""

    def __new__(cls, environment: Environment, *, cost_max: float = 1.0) -> CostSet: ...
    def advantage(self) -> _Floats: ...
    def canonical(self) -> _Floats: ...
    def violation(self, cost: _Floats, by: str) -> str | None: ...
    def ranges(self, by: str) -> tuple[_Floats, _Floats] | None: ...

@final
class Records:
    """Steps of the expert or of anybody, as columns."""

    def __new__(cls, table: Any, rename: Mapping[str, str] | None = None) -> Records: ...
    @staticmethod
    def of_arrays(arrays: Sequence[tuple[str, _Ints]]) -> Records: ...
    @property
    def columns(self) -> list[str]: ...

@final
class Results:
    """What a results folder holds, as far as it is whole."""

    def __new__(
        cls, folder: str | PathLike[str], *, env: Sequence[str] = ..., strategy: Sequence[str] = ...
    ) -> Results: ...
    @property
    def planned(self) -> int: ...
    @property
    def finished(self) -> int: ...
    @property
    def env_names(self) -> list[str]: ...
    @property
    def strategy_names(self) -> list[str]: ...
    @property
    def problems(self) -> list[str]: ...
    def summary(self) -> Table: ...
    def history(self) -> Table: ...
    def runs(self) -> Table: ...
    def snapshots(
        self, env: str, strategy: str, seed: int, on_pairs: bool
    ) -> list[tuple[int, int, NDArray[np.uint32], _Floats]]: ...
    def environment(self, name: str) -> str: ...

@final
class Maze:
    """A maze and its expert."""

    @staticmethod
    def open(source: str) -> Maze: ...
    @property
    def name(self) -> str: ...
    @property
    def gamma(self) -> float: ...
    @property
    def horizon(self) -> int: ...
    @property
    def hold(self) -> int: ...
    @property
    def drawing(self) -> str: ...
    @property
    def forces(self) -> list[tuple[str, list[float]]]: ...
    @property
    def constraint_cells(self) -> list[tuple[int, int]]: ...
    def expert_action(self, state: Sequence[float]) -> int: ...

@final
class MazeEnv:
    """Episodes in a maze."""

    def __new__(cls, maze: Maze, seed: int) -> MazeEnv: ...
    def seed(self, seed: int) -> None: ...
    def reset(self) -> _Floats: ...
    def step(self, action: int) -> tuple[_Floats, float, bool, bool, int]: ...

@final
class ContinuousWorld:
    """A continuous world that is acted in through Python."""

    def __new__(
        cls,
        make: Callable[[], Any],
        *,
        name: str,
        observation: Sequence[str] | Sequence[tuple[float, float]],
        action: Sequence[str] | Sequence[tuple[float, float]],
        gamma: float,
        horizon: int,
        version: str,
        ask: Callable[[_Floats], _Floats] | None = None,
        recorded: Sequence[tuple[Sequence[float], Sequence[float], Sequence[float], bool]] | None = None,
        cost: Callable[[_Floats, _Floats], float] | None = None,
    ) -> ContinuousWorld: ...

@final
class Learned:
    """What was learned in a continuous world."""

    @property
    def samples(self) -> int: ...
    @property
    def stop(self) -> str: ...
    @property
    def expert(self) -> tuple[float, float | None]: ...
    @property
    def summary(self) -> str: ...
    def probability(self, observations: _Floats, actions: _Floats) -> _Floats: ...
    def value(self, observations: _Floats, actions: _Floats) -> tuple[_Floats, _Floats]: ...
    def history(self) -> Table: ...
    def gathered(self) -> tuple[_Floats, _Floats, _Floats, _Floats, _Ints]: ...

def command(words: Sequence[str]) -> int: ...
def environments() -> list[str]: ...
def strategies() -> list[tuple[str, str, list[tuple[str, str, str]]]]: ...
def run_parameters() -> list[tuple[str, str, str, str]]: ...
def optimum(
    model: Model, *, allowed: _Bools | None = None, reward: _Floats | None = None
) -> tuple[_Floats, _Floats, _Floats]: ...
def evaluate(model: Model, policy: _Floats, *, reward: _Floats | None = None) -> tuple[_Floats, _Floats]: ...
def occupancy(model: Model, policy: _Floats) -> _Floats: ...
def best_within(model: Model, cost: _Floats, budget: float) -> tuple[_Floats, float, float]: ...
def infer(
    world: Environment | OnlineWorld,
    asked: Mapping[str, Any],
    beyond: Mapping[str, Any],
    tables: Mapping[str, Path | None],
    *,
    samples: int,
    strategy: _Strategy | None,
    seed: int,
    progress: _Progress | None,
) -> tuple[Constraint, bool]: ...
def infer_exact(
    environment: Environment, tables: Mapping[str, Path | None], *, scope: str | None
) -> Constraint: ...
def infer_records(
    environment: Environment,
    asked: Mapping[str, Any],
    tables: Mapping[str, Path | None],
    *,
    demos: Sequence[Records | Path],
    logs: Sequence[Records | Path],
    slips: float,
) -> Constraint: ...
def explain(
    environment: Environment,
    *,
    state: str | None = None,
    pair: str | None = None,
    constraint: Constraint | None = None,
) -> tuple[str, str]: ...
def infer_continuous(
    world: ContinuousWorld,
    *,
    strategy: str,
    seed: int,
    run_settings: _Settings,
    settings: _Settings,
    strategy_settings: _Settings,
    progress: _Progress | None = None,
) -> tuple[Learned, bool]: ...
def continuous_parameters(strategy: str) -> list[tuple[str, str, str, str]]: ...
def run_one(
    world: Environment | OnlineWorld,
    strategy: _Strategy,
    *,
    seed: int,
    run_settings: _Settings,
    settings: _Settings,
    strategy_settings: _Settings,
    progress: _Progress | None = None,
) -> tuple[str, int | None, tuple[float, float], Table, Learner, bool]: ...
def run_sweep(
    spec: Mapping[str, Any],
    out: str | PathLike[str],
    *,
    shard: str | None = None,
    fresh: bool = False,
    progress: _Progress | None = None,
) -> tuple[int, int, list[tuple[str, str]], bool]: ...
def plan_shards(
    spec: Mapping[str, Any], out: str | PathLike[str], *, shards: int | None = None, fresh: bool = False
) -> tuple[int, int, list[str]]: ...
def merge(parts: Sequence[str | PathLike[str]], out: str | PathLike[str]) -> tuple[int, int]: ...
def overlap(inferred: _Floats, truth: _Floats, *, layout: str | None = None) -> tuple[float, float, float]: ...
def sample_size(
    method: str,
    *,
    pairs: int,
    horizon: int,
    gamma: float,
    reward_max: float,
    cost_max: float,
    zeta_max: float,
    delta: float,
    accuracy: float,
) -> tuple[float, float]: ...
def zeta_max(environment: Environment, cost_max: float) -> float: ...
def clopper_pearson(failures: int, trials: int, level: float) -> tuple[float, float]: ...
def figures(results: Results) -> list[tuple[str, str, str, str]]: ...
def write_report(
    results: Results, out: str | PathLike[str], formats: Sequence[str], with_page: bool
) -> list[Path]: ...
