"""Gymnasium environments with box observations, as the engine acts in them: flat arrays of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import Floats
from ._errors import invalid, wrong_type

#: Bounds from here on mean that there is none: environments write the largest number of their type.
ENDLESS = 1e30

#: By how much of its range an action may leave its bounds: what rounding to 32 bits does.
ROUNDING = 1e-6

#: A recorded episode: observations and actions row after row, rewards, whether it ended.
Recorded = tuple[list[float], list[float], list[float], bool]


class Spaces:
    """The spaces of an environment, and values of them as flat arrays of numbers."""

    def __init__(self, env: Any) -> None:
        space: Any = getattr(env, "observation_space", None)
        if not _is_box(space):
            remedy = "wrap the environment so that it is: gymnasium.wrappers.FlattenObservation flattens most spaces"
            raise invalid("observation_space", f"{space} is no box of numbers", remedy)
        low, high = _bounds(space)
        self.observation = list(zip(low.tolist(), high.tolist(), strict=True))
        self._observation_shape = tuple(int(n) for n in space.shape)
        space = getattr(env, "action_space", None)
        # Other spaces have an `n` too; only a discrete one counts from somewhere.
        discrete = hasattr(space, "n") and hasattr(space, "start")
        self.start = int(space.start) if discrete else 0
        #: How many actions there are to choose from; 0 where actions are a box.
        self.names = int(space.n) if discrete else 0
        if not discrete and not _is_box(space):
            raise invalid("action_space", f"{space} is neither discrete nor a box", "wrap the environment so that it is")
        self._low, self._high = (np.zeros(1), np.zeros(1)) if self.names else _bounds(space)
        self._action_shape = tuple(int(n) for n in space.shape or ())
        self._dtype = getattr(space, "dtype", None) or np.float64
        if not self.names and not np.isfinite([self._low, self._high]).all():
            raise invalid(
                "action_space",
                f"{space} has no finite bounds",
                "wrap the environment with gymnasium.wrappers.RescaleAction, or give the space bounds",
            )

    @property
    def action(self) -> list[str] | list[tuple[float, float]]:
        """Names, or the bounds of coordinates."""
        if self.names:
            return [str(self.start + i) for i in range(self.names)]
        return list(zip(self._low.tolist(), self._high.tolist(), strict=True))

    @property
    def widths(self) -> tuple[int, int]:
        """How many numbers an observation and an action have."""
        return len(self.observation), 1 if self.names else len(self._low)

    def observed(self, place: str, value: Any) -> Floats:
        """An observation as a flat array."""
        return _flat(place, value, len(self.observation))

    def chosen(self, place: str, value: Any) -> Floats:
        """An action, as experts and users give it, as a flat array; refused outside of its space."""
        flat = _flat(place, value, self.widths[1])
        if self.names:
            number = flat - self.start
            if number[0] != np.round(number[0]) or not 0 <= number[0] < self.names:
                last = self.start + self.names - 1
                raise invalid(place, f"{flat[0]:g} is no action", f"use {self.start} to {last}")
            return number
        slack = ROUNDING * (self._high - self._low)
        out = np.flatnonzero((flat < self._low - slack) | (flat > self._high + slack))
        if len(out):
            i = int(out[0])
            raise invalid(
                f"{place}[{i}]" if len(flat) > 1 else place,
                f"{flat[i]:g} lies outside of the box",
                f"use {self._low[i]:g} to {self._high[i]:g}",
            )
        return np.clip(flat, self._low, self._high)

    def given(self, flat: Floats) -> Any:
        """An action of the engine's as the environment takes it."""
        if self.names:
            return int(flat[0]) + self.start
        return flat.reshape(self._action_shape).astype(self._dtype)

    def seen(self, flat: Floats) -> Floats:
        """An observation of the engine's in the shape of the environment."""
        return flat.reshape(self._observation_shape)


class Episodes:
    """One copy of an environment as the engine acts in it."""

    def __init__(self, env: Any, spaces: Spaces) -> None:
        self.env = env
        self.spaces = spaces

    def reset(self, seed: int | None) -> Floats:
        """Begins an episode."""
        answer = self.env.reset() if seed is None else self.env.reset(seed=seed)
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise invalid("reset", f"it returns {type(answer).__name__}", "return (observation, info), as Gymnasium has it")
        return self.spaces.observed("reset: observation", answer[0])

    def step(self, action: Floats) -> tuple[Floats, float, bool, bool]:
        """Takes an action."""
        answer = self.env.step(self.spaces.given(action))
        if not isinstance(answer, tuple) or len(answer) != 5:
            remedy = "return (observation, reward, terminated, truncated, info), as Gymnasium has it"
            raise invalid("step", f"it returns {type(answer).__name__}", remedy)
        observation, reward, ended, truncated, _ = answer
        earned = float(reward)
        if not np.isfinite(earned):
            raise invalid("step: reward", str(earned), "return finite rewards")
        return self.spaces.observed("step: observation", observation), earned, bool(ended), bool(truncated)


def expert_of(expert: Any, spaces: Spaces) -> tuple[Callable[[Floats], Floats] | None, list[Recorded] | None]:
    """The expert as the engine takes it: a function that is asked, or episodes that were recorded."""
    if expert is None:
        raise invalid("expert", "there is none", "give a function of the observation, or recorded episodes")
    predict = getattr(expert, "predict", None)
    ask = predict if callable(predict) else expert
    if callable(ask):
        return (lambda flat: spaces.chosen("expert: action", _first(ask(spaces.seen(flat))))), None
    iterate = getattr(expert, "iterate_episodes", None)
    episodes = iterate() if callable(iterate) else [expert] if isinstance(expert, Mapping) else expert
    try:
        every = list(episodes)
    except TypeError as error:
        remedy = "give a function of the observation, anything with `predict`, or recorded episodes"
        raise wrong_type("expert", expert, remedy) from error
    return None, [_recorded(f"expert[{i}]", episode, spaces) for i, episode in enumerate(every)]


def cost_of(cost: Callable[[Any, Any], Any], spaces: Spaces) -> Callable[[Floats, Floats], float]:
    """The true cost as the engine asks for it."""
    if not callable(cost):
        raise wrong_type("cost", cost, "give a function of observation and action")

    def ask(observation: Floats, action: Floats) -> float:
        value = float(cost(spaces.seen(observation), spaces.given(action)))
        if not np.isfinite(value):
            raise invalid("cost", str(value), "return a finite number")
        return value

    return ask


def _recorded(place: str, episode: Any, spaces: Spaces) -> Recorded:
    def part(*names: str) -> Any:
        for name in names:
            found = episode.get(name) if isinstance(episode, Mapping) else getattr(episode, name, None)
            if found is not None:
                return found
        return None

    parts = {name: part(name) for name in ("observations", "actions", "rewards")}
    for name, value in parts.items():
        if value is None:
            raise invalid(place, f"it has no `{name}`", "give observations, actions and rewards of every episode")
    rows = [spaces.observed(f"{place}: observations[{i}]", row) for i, row in enumerate(parts["observations"])]
    actions = [spaces.chosen(f"{place}: actions[{i}]", row) for i, row in enumerate(parts["actions"])]
    rewards = [float(r) for r in np.asarray(parts["rewards"], dtype=np.float64).reshape(-1)]
    ends = part("terminations", "terminated", "terminals")
    ended = bool(np.asarray(ends).reshape(-1)[-1]) if ends is not None and np.size(ends) else False
    flat = [float(x) for row in rows for x in row]
    return flat, [float(x) for row in actions for x in row], rewards, ended


def _first(answer: Any) -> Any:
    """The action of an answer that may be a pair with the state of a policy."""
    return answer[0] if isinstance(answer, tuple) else answer


def _is_box(space: Any) -> bool:
    return hasattr(space, "low") and hasattr(space, "high") and getattr(space, "shape", None) is not None


def _bounds(space: Any) -> tuple[Floats, Floats]:
    low = np.asarray(space.low, dtype=np.float64).reshape(-1)
    high = np.asarray(space.high, dtype=np.float64).reshape(-1)
    return np.where(low <= -ENDLESS, -np.inf, low), np.where(high >= ENDLESS, np.inf, high)


def _flat(place: str, value: Any, count: int) -> Floats:
    try:
        flat: NDArray[np.float64] = np.asarray(value, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError) as error:
        raise wrong_type(place, value, f"give {count} numbers") from error
    if len(flat) != count:
        raise invalid(place, f"{len(flat)} numbers", f"give {count}")
    if not np.isfinite(flat).all():
        i = int(np.flatnonzero(~np.isfinite(flat))[0])
        raise invalid(place, f"number {i} is {flat[i]}", "give finite numbers")
    return flat
