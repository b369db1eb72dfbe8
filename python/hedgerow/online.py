"""Worlds that are acted in: any object with Gymnasium's ``reset`` and ``step``."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _native
from ._arrays import Floats, bools, floats, ints, names
from ._errors import invalid, wrong_type
from ._version_of import version_of
from .environment import layout_of
from .model import Task

__all__ = ["World"]


class World:
    """A world that is acted in through its own ``reset`` and ``step``, as a black box.

    Neither its dynamics nor its rewards are known beforehand: they are seen. Only what is given here
    is told to the learner. Episodes that terminate and episodes that are cut off are told apart.

    >>> import gymnasium, hedgerow
    >>> lake = gymnasium.make("FrozenLake-v1", is_slippery=False)
    >>> model = hedgerow.Model.from_gymnasium(lake, gamma=0.9)
    >>> expert = model.with_rule([(4, 1)]).expert          # what the learner has to find
    >>> world = hedgerow.World(lake, expert=expert, gamma=0.9, reward_range=(0, 1), shape=(4, 4))
    >>> hedgerow.infer(world, samples=20_000).looks_constrained
    [(4, 1)]
    """

    def __init__(
        self,
        env: Any,
        *,
        expert: Any,
        reward_range: tuple[float, float],
        gamma: float = 0.99,
        name: str | None = None,
        states: int | None = None,
        actions: int | Sequence[str] | None = None,
        horizon: int | None = None,
        start: ArrayLike | None = None,
        start_samples: int = 1000,
        available: ArrayLike | None = None,
        value_range: tuple[float, float] | None = None,
        state_names: Sequence[str] | None = None,
        shape: tuple[int, int] | None = None,
        cost: ArrayLike | None = None,
        seed: int = 0,
        version: str = "",
    ) -> None:
        """A world to explore.

        ``env`` is an environment with discrete spaces, the id of one, or a function that makes one;
        every simulation acts in a copy of its own. ``expert`` says what the expert does: a table of
        probabilities, one action for every state, a function of the state, or anything with
        ``predict(observation)``. ``reward_range`` is the least and the largest reward of a step; bounds
        need it. Where ``start`` is not given it is counted over ``start_samples`` resets.

        ``horizon`` defaults to the environment's own limit of steps. ``cost`` is the true cost, if it
        is known: nobody but the evaluator sees it. ``version`` tells one definition of the world from
        another in saved results; without one the code of environment and expert does, as far as it can.
        """
        given = {key: value for key, value in locals().items() if key not in ("self", "env")}
        #: What it was made from: its pickle.
        self._given = (env, given)
        self._make = factory(env)
        example = self._make()
        self.states = _size("states", states, getattr(example, "observation_space", None), "observation")
        count, labels = _labels(actions, getattr(example, "action_space", None))
        self.actions = count
        self.gamma = float(gamma)
        self.name = name or name_of(example)
        _tried(example, self.states, int(seed))
        table, ask = _expert(expert, self.states, self.actions)
        self._native = _native.OnlineWorld(
            self._make,
            name=self.name,
            states=self.states,
            actions=labels,
            gamma=self.gamma,
            reward_range=_range("reward_range", reward_range),
            horizon=horizon or limit_of(example),
            seed=int(seed),
            state_names=names("state_names", state_names, self.states),
            available=_available(available, self.states, self.actions),
            value_range=None if value_range is None else _range("value_range", value_range),
            start=None if start is None else floats("start", start, (self.states,)),
            start_samples=int(start_samples),
            expert=None if table is None else np.ascontiguousarray(table.reshape(-1)),
            ask=ask,
            cost=None if cost is None else floats("cost", cost, (self.states, self.actions)).reshape(-1),
            layout=None if shape is None else _layout(self.states, shape),
            version=version or _versions(env, example, ask and expert),
        )
        self.task = Task(self._native.task)
        #: The longest episode, in steps.
        self.horizon = self._native.horizon

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, self._given

    def __repr__(self) -> str:
        return f"<World {self.name} of {self.states} states, {self.actions} actions, gamma {self.gamma:g}>"


def _versions(env: Any, example: Any, asked: Any) -> str:
    """Tells one environment, and one expert that is asked, from another. A table is looked at anyway."""
    spec = getattr(example, "spec", None)
    which = str(spec) if spec is not None else version_of(type(getattr(example, "unwrapped", example)))
    return version_of([which, version_of(asked) if asked is not None else ""])


def _again(env: Any, given: dict[str, Any]) -> World:
    return World(env, **given)


def factory(env: Any) -> Callable[[], Any]:
    """A function that makes independent copies of an environment."""
    if isinstance(env, str):
        from .gymnasium import make

        return make(env)
    if isinstance(env, type):
        return env
    if callable(getattr(env, "step", None)) and callable(getattr(env, "reset", None)):
        return lambda: copy.deepcopy(env)
    if callable(env):
        return env  # type: ignore[no-any-return]
    raise wrong_type("env", env, "give an environment with `reset` and `step`, an id, or a function that makes one")


def _size(place: str, given: int | None, space: Any, what: str) -> int:
    n = getattr(space, "n", None)
    if given is not None:
        return int(given)
    if n is None or int(getattr(space, "start", 0)) != 0:
        remedy = {
            "observation": "wrap the environment so that it is: hedgerow.gymnasium.DiscreteObservation does it for "
            "tuples, dicts and vectors of discrete parts",
            "action": "wrap the environment so that actions are numbers from 0, one for each thing to be done",
        }
        raise invalid(f"{what}_space", f"{space} is not discrete from 0", remedy[what])
    return int(n)


def _tried(env: Any, states: int, seed: int) -> None:
    """Refuses an environment whose resets do not lead to states."""
    answer = env.reset(seed=seed % 2**32)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise invalid("reset", f"it returns {type(answer).__name__}", "return (observation, info), as Gymnasium has it")
    try:
        state = index(answer[0])
    except TypeError as error:
        raise invalid(
            "reset", f"it came to {answer[0]!r}, which is no number", "return states counted from 0, as whole numbers"
        ) from error
    if not 0 <= state < states:
        raise invalid("reset", f"it came to state {state}, and there are {states}", "return states counted from 0")


def _labels(given: int | Sequence[str] | None, space: Any) -> tuple[int, list[str]]:
    if given is not None and not isinstance(given, int):
        return len(given), [str(a) for a in given]
    n = _size("actions", given, space, "action")
    return n, [str(i) for i in range(n)]


def name_of(env: Any) -> str:
    """What to call an environment."""
    spec = getattr(env, "spec", None)
    return str(getattr(spec, "id", None) or type(env).__name__).replace("/", "-")


def limit_of(env: Any) -> int:
    """The longest episode of an environment, in steps."""
    spec = getattr(env, "spec", None)
    return int(getattr(spec, "max_episode_steps", None) or 1000)


def _range(place: str, given: tuple[float, float]) -> tuple[float, float]:
    low, high = (float(x) for x in floats(place, given, (2,)))
    if low > high:
        raise invalid(place, f"from {low:g} to {high:g}", "give the least first")
    return low, high


def _available(given: ArrayLike | None, states: int, actions: int) -> Any:
    if given is None:
        return None
    s, a = np.nonzero(bools("available", given, (states, actions)))
    return s.astype(np.int64), a.astype(np.int64)


def _layout(states: int, shape: tuple[int, int]) -> str:
    if int(shape[0]) * int(shape[1]) != states:
        raise invalid("shape", f"{shape[0]} x {shape[1]} cells for {states} states", "give rows and columns of all states")

    class Plain:
        start = np.zeros(states)
        terminal = np.zeros(states, dtype=np.bool_)
        state_names = [str(s) for s in range(states)]

    Plain.states = states  # type: ignore[attr-defined]
    return layout_of(Plain, shape)  # type: ignore[arg-type]


def _expert(expert: Any, states: int, actions: int) -> tuple[Floats | None, Callable[[int], Any] | None]:
    predict = getattr(expert, "predict", None)
    if callable(predict):
        return None, _asked(predict, actions)
    if callable(expert):
        return None, _asked(expert, actions)
    if expert is None:
        raise invalid("expert", "there is none", "give a table, a function of the state, or anything with `predict`")
    array = np.asarray(expert)
    if array.ndim == 1:
        choice = ints("expert", array, (None,))[:states]
        if len(choice) < states:
            raise invalid("expert", f"{len(choice)} actions", f"give one for each of {states} states")
        wrong = np.flatnonzero((choice < 0) | (choice >= actions))
        if len(wrong):
            s = int(wrong[0])
            raise invalid(f"expert[{s}]", f"{int(choice[s])} is no action", f"use 0 to {actions - 1}")
        table = np.zeros((states, actions))
        table[np.arange(states), choice] = 1.0
        return table, None
    # The table of a model may have more states: those that episodes end in.
    return floats("expert", array[:states], (states, actions)), None


def _asked(expert: Callable[[int], Any], actions: int) -> Callable[[int], int]:
    """The expert as the engine asks it. Answers are whole numbers, alone, in arrays, or first in tuples."""

    def ask(state: int) -> int:
        answer = expert(state)
        if type(answer) is not int:
            action = answer[0] if isinstance(answer, tuple) else answer
            try:
                answer = index(np.asarray(action).reshape(-1)[0])
            except (TypeError, IndexError) as error:
                raise invalid(
                    f"expert in state {state}", f"its answer is {answer!r}", "return an action, counted from 0"
                ) from error
        if not 0 <= answer < actions:
            raise invalid(f"expert in state {state}", f"{answer} is no action", f"return one of 0 to {actions - 1}")
        return answer

    return ask
