"""Gymnasium, both ways: its environments as models and worlds, ours as its environments, and
constraints as wrappers that agents train under.

``gymnasium.make("hedgerow/Finite-v0", env="gridworld-3")`` and
``gymnasium.make("hedgerow/PointMaze-v0")`` make ours; they are registered when both packages are
installed.
"""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._arrays import Bools, Floats
from ._constrained import ContinuousConstraintWrapper
from ._errors import MissingPackageError, invalid, missing, wrong_type
from ._register import register
from .constraint import Constraint
from .environment import Environment
from .maze import Maze
from .model import Model, Task

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise missing("gymnasium", "gymnasium") from error

__all__ = [
    "ConstraintWrapper",
    "ContinuousConstraintWrapper",
    "DiscreteObservation",
    "FiniteEnv",
    "PointMazeEnv",
    "enumerate_model",
    "make",
    "register",
    "table_of",
]

register()


def make(name: str) -> Callable[[], gymnasium.Env[Any, Any]]:
    """A function that makes the environment with this id."""
    try:
        gymnasium.make(name).close()
    except gymnasium.error.DependencyNotInstalled as error:
        raise MissingPackageError(f"env: {name} needs a package that is not installed: {error}") from error
    except (gymnasium.error.Error, ImportError) as error:
        raise invalid("env", f"Gymnasium makes no `{name}` ({error})", "import the package that registers it") from error
    return lambda: gymnasium.make(name)


def table_of(env: gymnasium.Env[Any, Any] | str) -> dict[str, Any]:
    """The table that an environment keeps, as the arguments of :meth:`hedgerow.Model.from_outcomes`."""
    made = make(env)() if isinstance(env, str) else env
    bare = getattr(made, "unwrapped", made)
    table = getattr(bare, "P", None)
    if table is None:
        raise invalid(
            "env",
            f"{type(bare).__name__} keeps no table `P`",
            "explore it as a hedgerow.World, or list its states with hedgerow.gymnasium.enumerate_model",
        )
    states, actions = len(table), len(table[0])
    if isinstance(table, dict) and sorted(table) != list(range(states)):
        raise invalid("env", "the states of its table `P` are not counted from 0", "number them 0, 1, 2 and so on")
    rows = [
        (s, a, int(n), float(p), float(r), bool(end))
        for s in range(states)
        for a in range(actions)
        for p, n, r, end in table[s][a]
        if p > 0
    ]
    s, a, n, p, r, end = zip(*rows, strict=True)
    start = getattr(bare, "initial_state_distrib", None)
    found: dict[str, Any] = {
        "outcomes": {
            "state": np.array(s),
            "action": np.array(a),
            "next_state": np.array(n),
            "probability": np.array(p),
            "reward": np.array(r),
            "ends": np.array(end),
        },
        "states": states,
        "actions": [str(i) for i in range(actions)],
    }
    if start is not None:
        found["start"] = np.asarray(start, dtype=float) / np.sum(start)
    return found


class FiniteEnv(gymnasium.Env[np.int64, np.int64]):
    """A finite environment of ours. The true cost of every step is in ``info["cost"]``.

    ``info["action_mask"]`` says which actions are available. Any other changes nothing and earns the
    least that a step can earn, so that it is never worth while; with ``strict`` it is refused. An
    episode is cut off after ``horizon`` steps, by default after as many as the environment says.

    >>> import gymnasium, hedgerow
    >>> env = gymnasium.make("hedgerow/Finite-v0", env="gridworld-3")
    >>> state, info = env.reset(seed=1)
    >>> env.action_space
    Discrete(8)
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        env: str | Environment = "gridworld-1",
        render_mode: str | None = None,
        *,
        horizon: int | None = None,
        strict: bool = False,
    ) -> None:
        self.environment = env if isinstance(env, Environment) else Environment.open(env)
        self.render_mode = render_mode
        self.horizon = self.environment.horizon if horizon is None else int(horizon)
        self.strict = strict
        model = self.environment.model
        self.observation_space = spaces.Discrete(model.states)
        self.action_space = spaces.Discrete(model.actions)
        self._actions = model.actions
        starts, following, probability = model._model.rows()
        reward = model._model.rewards()
        self._next = following.tolist()
        self._reward = reward.tolist()
        self._starts = starts.tolist()
        # Within every row, the probability to come no further than an outcome.
        total = np.cumsum(probability)
        before = np.where(starts[:-1] > 0, total[np.maximum(starts[:-1], 1) - 1], 0.0)
        self._up_to = (total - np.repeat(before, np.diff(starts))).tolist()
        pair = np.full((model.states, model.actions), -1)
        pair[model._pairs.state, model._pairs.action] = np.arange(model.pairs)
        self._pair = pair.tolist()
        self._mask = (pair >= 0).astype(np.int8)
        self._begin = np.cumsum(model.start)
        self._terminal = model.terminal.tolist()
        self._cost = self.environment.cost.tolist()
        self._least = min(self._reward, default=0.0)
        self._steps = 0
        self.state = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.int64, dict[str, Any]]:
        super().reset(seed=seed)
        last = len(self._begin) - 1
        self.state = min(int(np.searchsorted(self._begin, self.np_random.random(), side="right")), last)
        self._steps = 0
        return np.int64(self.state), self._info(0.0)

    def step(self, action: Any) -> tuple[np.int64, float, bool, bool, dict[str, Any]]:
        chosen = _within("action", action, self._actions)
        pair = self._pair[self.state][chosen]
        self._steps += 1
        cut = self._steps >= self.horizon
        if pair < 0:
            if self.strict:
                raise invalid(
                    "action", f"{chosen} is not available in state {self.state}", 'choose by info["action_mask"]'
                )
            return np.int64(self.state), self._least, bool(self._terminal[self.state]), cut, self._info(0.0)
        low, high = self._starts[pair], self._starts[pair + 1]
        at = min(bisect_right(self._up_to, self.np_random.random(), low, high), high - 1)
        cost = self._cost[self.state][chosen]
        self.state = self._next[at]
        over = self._terminal[self.state]
        return np.int64(self.state), self._reward[at], over, cut and not over, self._info(cost)

    def _info(self, cost: float) -> dict[str, Any]:
        return {"cost": cost, "action_mask": self._mask[self.state].copy()}

    def render(self) -> Any:
        if self.render_mode != "ansi":
            return None
        name = f"{self.environment.name}: {self.environment.task.state_names[self.state]}\n"
        layout = self.environment.layout
        place = None if layout is None else layout["cells"][self.state]
        if layout is None or place is None:
            return name
        lines = [list(line.replace(" ", "")) for line in layout["map"]]
        lines[layout["rows"] - 1 - place[0]][place[1]] = "@"
        return name + "".join(" ".join(line) + "\n" for line in lines)


class PointMazeEnv(gymnasium.Env[NDArray[np.float64], np.int64]):
    """The Point Maze with eight forces. Steps in constraint cells are counted in ``info["cost"]``."""

    metadata = {"render_modes": []}

    def __init__(self, maze: str | Maze = "point-maze", render_mode: str | None = None) -> None:
        self.maze = maze if isinstance(maze, Maze) else Maze(maze)
        self.render_mode = render_mode
        lines = self.maze.drawing.split()
        # Positions are those of the map, with a metre for noise; a push adds little to the largest
        # velocity of 5 m/s.
        far = np.array([max(len(line) for line in lines) / 2 + 1, len(lines) / 2 + 1, 10.0, 10.0])
        self.observation_space = spaces.Box(-far, far, dtype=np.float64)
        self._far = far
        self._actions = len(self.maze.forces)
        self.action_space = spaces.Discrete(self._actions)
        self._env = _native.MazeEnv(self.maze._native, 0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._env.seed(seed)
        return self._seen(self._env.reset()), {"cost": 0.0}

    def step(self, action: Any) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        chosen = _within("action", action, self._actions)
        seen, reward, terminated, truncated, cost = self._env.step(chosen)
        return self._seen(seen), reward, terminated, truncated, {"cost": float(cost)}

    def _seen(self, observation: NDArray[np.float64]) -> NDArray[np.float64]:
        within: NDArray[np.float64] = np.clip(observation, -self._far, self._far)
        return within


class ConstraintWrapper(gymnasium.Wrapper[Any, Any, Any, Any]):
    """An environment under an inferred constraint, so that agents train to keep to it.

    ``mode`` says what becomes of it:

    - ``"cost"``: the inferred cost of every step is in ``info["cost"]``, as safe-RL libraries expect;
    - ``"end"``: taking a constrained pair ends the episode, and earns ``penalty`` instead;
    - ``"mask"``: ``info["action_mask"]`` says what may be done, and anything constrained is refused.
      A mask that the environment has of its own is kept too.

    In a state where every action is constrained, all of them are allowed: something has to be done.

    >>> import gymnasium, hedgerow
    >>> lake = gymnasium.make("FrozenLake-v1", is_slippery=False)
    >>> model = hedgerow.Model.from_gymnasium(lake)
    >>> found = hedgerow.infer_exact(model.with_rule([(8, 2), (4, 1)]))
    >>> env = hedgerow.gymnasium.ConstraintWrapper(lake, found, model)
    >>> _ = env.reset(seed=0); _ = env.step(1); _ = env.step(1)
    >>> env.step(2)[4]["cost"]
    1.0
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        constraint: Constraint,
        task: Task | Environment,
        *,
        mode: Literal["cost", "end", "mask"] = "cost",
        penalty: float = 0.0,
        estimates: bool = False,
        encode: Callable[[Any], int] | None = None,
    ) -> None:
        """``task`` tells which index has which name: the model or task that the constraint is of, or
        another over the same states. ``estimates`` counts pairs that only look constrained too.
        ``encode`` makes a state of an observation where these are not indices already."""
        super().__init__(env)
        if isinstance(task, Environment):
            task = task.task
        if not isinstance(task, Task):
            raise wrong_type("task", task, "give the model or the environment that the constraint is of")
        if mode not in ("cost", "end", "mask"):
            raise invalid("mode", f"`{mode}` is unknown", "use cost, end or mask")
        if not isinstance(constraint, Constraint):
            raise wrong_type("constraint", constraint, "give a hedgerow.Constraint")
        self.mode = mode
        self.penalty = float(penalty)
        self.forbidden: Bools = constraint.mask(task, estimates=estimates)
        cost = constraint.cost(task)
        #: The cost of every pair: what was inferred, 1 where nothing but the verdict is known.
        self.cost: Floats = np.where(self.forbidden, np.where(cost > 0, cost, 1.0), 0.0)
        self._encode = encode or int
        actions = getattr(env.action_space, "n", None)
        if actions is None or int(actions) != task.actions:
            raise invalid(
                "env",
                f"its action space is {env.action_space}, and the task has {task.actions} actions",
                "give the task of this environment",
            )
        states = getattr(env.observation_space, "n", None)
        own = sum(not name.endswith(" (end)") for name in task.state_names)
        if encode is None and states is not None and int(states) not in (own, task.states):
            raise invalid(
                "env",
                f"its observation space is {env.observation_space}, and the task has {own} states",
                "give the task of this environment",
            )
        self._allowed = task.available & ~self.forbidden
        # An agent that is there has to act.
        stuck = ~self._allowed.any(axis=1)
        self._allowed[stuck] = task.available[stuck]
        self._state = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        self._state = self._entered(observation)
        return observation, self._told(info, 0.0)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        state, chosen = self._state, _within("action", action, self._allowed.shape[1])
        kept = bool(self._allowed[state, chosen])
        if self.mode == "mask" and not kept:
            raise invalid("action", f"{chosen} is constrained in state {state}", 'choose by info["action_mask"]')
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._state = self._entered(observation)
        if self.mode == "end" and not kept:
            reward, terminated = self.penalty, True
        return observation, reward, terminated, truncated, self._told(info, float(self.cost[state, chosen]))

    def _entered(self, observation: Any) -> int:
        try:
            state = self._encode(observation)
        except (TypeError, ValueError) as error:
            raise invalid(
                "observation", f"{observation!r} is no state", "give `encode`, a function from observations to states"
            ) from error
        if not 0 <= state < len(self._allowed):
            raise invalid(
                "observation", f"state {state}, and the task has {len(self._allowed)}", "give the task of this environment"
            )
        return state

    def _told(self, info: dict[str, Any], cost: float) -> dict[str, Any]:
        told = {**info, "cost": cost}
        if self.mode == "mask":
            own = self._allowed[self._state].astype(np.int8)
            given = info.get("action_mask")
            both = own if given is None else own & np.asarray(given, dtype=np.int8)
            # Where nothing is left of both, ours is what has to be kept to.
            told["action_mask"] = both if both.any() else own
        return told


class DiscreteObservation(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Numbers the observations of a small space: tuples, dicts and vectors of discrete parts.

    >>> import gymnasium, hedgerow
    >>> hedgerow.gymnasium.DiscreteObservation(gymnasium.make("Blackjack-v1")).observation_space
    Discrete(704)
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self._sizes = _sizes(env.observation_space)
        self.observation_space = spaces.Discrete(int(np.prod(self._sizes)))

    def observation(self, observation: Any) -> int:
        return int(np.ravel_multi_index(tuple(_parts(observation)), self._sizes))

    def decode(self, state: int) -> tuple[int, ...]:
        """The parts of the observation with this number, in one row: for experts that want to see them."""
        return tuple(int(n) for n in np.unravel_index(int(state), self._sizes))


def _within(place: str, number: Any, count: Any) -> int:
    """An index below ``count``."""
    chosen = int(number)
    if not 0 <= chosen < int(count):
        raise invalid(place, f"{chosen}, and there are {int(count)}", f"use 0 to {int(count) - 1}")
    return chosen


def _sizes(space: Any) -> tuple[int, ...]:
    if isinstance(space, spaces.Discrete) and int(space.start) == 0:
        return (int(space.n),)
    if isinstance(space, spaces.MultiDiscrete):
        return tuple(int(n) for n in space.nvec.reshape(-1))
    if isinstance(space, spaces.MultiBinary):
        return (2,) * int(np.prod(space.shape))
    if isinstance(space, spaces.Tuple):
        return tuple(n for part in space.spaces for n in _sizes(part))
    if isinstance(space, spaces.Dict):
        return tuple(n for part in space.spaces.values() for n in _sizes(part))
    raise invalid(
        "observation_space",
        f"{space} is not made of discrete parts",
        "divide it into cells with a wrapper of your own, or give an environment whose states can be counted",
    )


def _parts(observation: Any) -> list[int]:
    if isinstance(observation, dict):
        return [n for part in observation.values() for n in _parts(part)]
    if isinstance(observation, (tuple, list)):
        return [n for part in observation for n in _parts(part)]
    return [int(n) for n in np.asarray(observation).reshape(-1)]


def enumerate_model(
    env: gymnasium.Env[Any, Any],
    *,
    gamma: float = 0.99,
    key: Callable[[Any], Hashable] | None = None,
    name: Callable[[Any], str] | None = None,
    seed: int = 0,
    limit: int = 100_000,
) -> Model:
    """A model of a small world that keeps no table, by search over copies of the environment.

    Two copies are in the same state if ``key`` says the same of both; for MiniGrid that is the grid,
    the place, the direction and what is carried. Steps must not be random: they are tried with two
    random numbers, and a difference is refused. A reward that falls with the steps taken, as
    MiniGrid's, is that of a first step.

    >>> import gymnasium, minigrid, hedgerow
    >>> gap = gymnasium.make("MiniGrid-LavaGapS7-v0")
    >>> hedgerow.gymnasium.enumerate_model(gap, gamma=0.95).available.sum() > 0
    np.True_
    """
    first = copy.deepcopy(env)
    first.reset(seed=seed)
    tell = key or _minigrid_key(first)
    say = name or _minigrid_name(first)
    if not isinstance(first.action_space, spaces.Discrete):
        raise invalid("action_space", f"{first.action_space} is not discrete", "give an environment with discrete actions")
    actions = int(first.action_space.n)
    found: dict[Hashable, int] = {tell(first.unwrapped): 0}
    names = [say(first.unwrapped)]
    waiting = deque([(0, first)])
    rows: list[tuple[int, int, int, float, float, bool]] = []
    while waiting:
        state, there = waiting.popleft()
        for action in range(actions):
            after, reward, ended = _tried(there, action, tell)
            mark = tell(after.unwrapped)
            if mark not in found:
                if len(found) >= limit:
                    raise invalid("limit", f"there are more than {limit} states", "raise `limit`, or explore it as a hedgerow.World")
                found[mark] = len(found)
                names.append(say(after.unwrapped))
                if not ended:
                    waiting.append((found[mark], after))
            rows.append((state, action, found[mark], 1.0, reward, ended))
    return Model.from_outcomes(
        rows,
        states=len(found),
        actions=_action_names(first, actions),
        gamma=gamma,
        start=0,
        terminal=_only_entered_last(rows, len(found)),
        state_names=_unique(names),
    )


def _only_entered_last(rows: Sequence[tuple[int, int, int, float, float, bool]], states: int) -> list[int]:
    acted = {s for s, *_ in rows}
    return [s for s in range(states) if s not in acted]


def _tried(there: Any, action: int, tell: Callable[[Any], Hashable]) -> tuple[Any, float, bool]:
    results = []
    for number in range(2):
        after = copy.deepcopy(there)
        bare = after.unwrapped
        bare.np_random = np.random.default_rng(number)
        if hasattr(bare, "step_count"):
            bare.step_count = 0
        _, reward, terminated, _, _ = after.step(action)
        results.append((after, float(reward), bool(terminated)))
    (after, reward, ended), (other, again, ended_again) = results
    if (tell(after.unwrapped), reward, ended) != (tell(other.unwrapped), again, ended_again):
        raise invalid("env", f"action {action} leads to different places", "explore it as a hedgerow.World: its steps are random")
    return after, reward, ended


def _minigrid_key(env: Any) -> Callable[[Any], Hashable]:
    if not hasattr(env.unwrapped, "agent_pos"):
        raise invalid(
            "key",
            f"what tells two states of {type(env.unwrapped).__name__} apart is not known",
            "give `key`, a function from the environment to something that can be compared",
        )

    def tell(bare: Any) -> Hashable:
        held = bare.carrying
        return (
            tuple(int(x) for x in bare.agent_pos),
            int(bare.agent_dir),
            None if held is None else (held.type, held.color),
            bare.grid.encode().tobytes(),
        )

    return tell


def _minigrid_name(env: Any) -> Callable[[Any], str]:
    if not hasattr(env.unwrapped, "agent_pos"):
        return lambda bare: "state"

    def say(bare: Any) -> str:
        x, y = (int(v) for v in bare.agent_pos)
        facing = ("right", "down", "left", "up")[int(bare.agent_dir)]
        held = "" if bare.carrying is None else f" with {bare.carrying.color} {bare.carrying.type}"
        return f"{x},{y} facing {facing}{held}"

    return say


def _action_names(env: Any, actions: int) -> list[str]:
    named = getattr(env.unwrapped, "actions", None)
    try:
        return [named(i).name for i in range(actions)]  # type: ignore[misc]
    except (TypeError, ValueError, AttributeError):
        return [str(i) for i in range(actions)]


def _unique(names: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    unique = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        unique.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return unique
