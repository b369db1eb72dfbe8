"""Strategies: from what the learner has seen to the next policy."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from . import _native
from ._arrays import Bools, Floats, Ints, bools
from ._errors import invalid, wrong_type
from ._version_of import version_of
from .model import Task

__all__ = ["Context", "Learner", "Plan", "Strategy", "StrategyLike", "strategies"]


class Learner:
    """What has been seen, and what follows from it. Nothing here tells the truth."""

    def __init__(self, native: _native.Learner) -> None:
        self._native = native

    @cached_property
    def task(self) -> Task:
        """What is known to all."""
        return Task(self._native.task)

    @property
    def samples(self) -> int:
        """Transitions seen so far."""
        return self._native.samples

    @cached_property
    def visits(self) -> Ints:
        """How often every pair was tried: states by actions."""
        return self.task._pairs.table(self._native.visits())

    @cached_property
    def expert_choices(self) -> Ints:
        """How often the expert was seen to choose every pair: states by actions."""
        return self.task._pairs.table(self._native.expert_choices())

    @cached_property
    def expert(self) -> Floats:
        """The expert's policy as seen, uniform where it was never seen: states by actions."""
        seen = self.expert_choices.astype(np.float64)
        total = seen.sum(axis=1, keepdims=True)
        allowed = self.task.available.astype(np.float64)
        even = allowed / np.maximum(allowed.sum(axis=1, keepdims=True), 1.0)
        shares: Floats = np.where(total > 0, seen / np.maximum(total, 1.0), even)
        return shares

    @cached_property
    def values(self) -> Floats:
        """The estimated value of every state under the expert."""
        return self._native.values()

    @cached_property
    def advantage(self) -> Floats:
        """The estimated advantage of every pair over the expert; 0 where it was never tried."""
        return self.task._pairs.table(self._native.advantage())

    @cached_property
    def reward(self) -> Floats:
        """The estimated reward of every pair."""
        return self.task._pairs.table(self._native.reward())

    @cached_property
    def cost(self) -> Floats:
        """The inferred cost of every pair."""
        return self.task._pairs.table(self._native.cost())

    @cached_property
    def bound(self) -> Floats:
        """The bound on the error of every pair's cost."""
        return self.task._pairs.table(self._native.bound())

    @cached_property
    def transitions(self) -> Floats:
        """The estimated dynamics, states x actions x states; rows never tried are 0. For small tasks."""
        starts, next_state, probability = self._native.rows()
        pairs = self.task._pairs
        table = np.zeros((*pairs.shape, pairs.shape[0]))
        of = np.repeat(np.arange(len(pairs.state)), np.diff(starts))
        table[pairs.state[of], pairs.action[of], next_state] = probability
        return table

    def __repr__(self) -> str:
        return f"<Learner of {self.samples} samples>"


class Context(NamedTuple):
    """Everything a strategy may look at."""

    #: What has been seen.
    learner: Learner
    #: The iteration to plan, counted from 1.
    iteration: int
    #: The accuracy after the iteration before; none before the first.
    accuracy: float | None


class Plan(NamedTuple):
    """How to gather the samples of an iteration."""

    #: A policy, or several with their weights; one is drawn for every episode.
    policy: ArrayLike | Sequence[tuple[float, ArrayLike]]
    #: States in which to do as the expert just did, if any.
    imitate: ArrayLike | None = None


@runtime_checkable
class Strategy(Protocol):
    """A strategy written in Python: it has a name and plans.

    ``plan`` gives a policy (a table of probabilities of states by actions, or one action for every
    state), or a :class:`Plan`. Every run gets a copy of its own, so it may keep things between
    iterations. A sweep that goes on with another strategy of the same name is refused: its code and
    contents tell, or a text ``version`` that it has.

    >>> import numpy as np, hedgerow
    >>> class LeastTried:
    ...     name = "least-tried"
    ...     def plan(self, at):
    ...         visits = np.where(at.learner.task.available, at.learner.visits, np.iinfo(np.int64).max)
    ...         return visits.argmin(axis=1)
    >>> run = hedgerow.run(hedgerow.Environment.open("gridworld-1"), LeastTried(), iterations=20, seed=3)
    >>> run.stop
    'iterations'
    """

    name: str

    def plan(self, at: Context, /) -> Any:
        """How to gather the samples of the next iteration."""
        ...


#: A built-in strategy by its name, or one written in Python.
StrategyLike = str | Strategy


def strategies() -> dict[str, str]:
    """The built-in strategies, with what they do in a few words.

    >>> import hedgerow
    >>> "pcse" in hedgerow.strategies()
    True
    """
    return {name: summary for name, summary, _ in _native.strategies()}


class _Adapter:
    """What the engine calls: arrays over pairs instead of tables."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy

    def plan(
        self, native: _native.Learner, iteration: int, accuracy: float | None
    ) -> tuple[list[float], list[Floats], Bools | None]:
        learner = Learner(native)
        answer = self.strategy.plan(Context(learner, iteration, accuracy))
        plan = answer if isinstance(answer, Plan) else Plan(answer)
        pairs = learner.task._pairs
        imitate = None if plan.imitate is None else bools("imitate", plan.imitate, (pairs.shape[0],))
        if isinstance(plan.policy, list) and plan.policy and isinstance(plan.policy[0], tuple):
            weights = [float(weight) for weight, _ in plan.policy]
            if not all(np.isfinite(w) and w >= 0 for w in weights) or sum(weights) <= 0:
                raise invalid("plan", f"weights {weights}", "use numbers of at least 0, not all 0")
            return weights, [pairs.policy("policy", p) for _, p in plan.policy], imitate
        return [1.0], [pairs.policy("policy", plan.policy)], imitate  # type: ignore[arg-type]


def native_strategy(strategy: StrategyLike) -> str | tuple[str, str, Callable[[], _Adapter]]:
    """A strategy as the engine takes it: its name, or name, version and a function that makes one."""
    if isinstance(strategy, str):
        return strategy
    name = getattr(strategy, "name", None)
    if not isinstance(name, str) or not callable(getattr(strategy, "plan", None)):
        raise wrong_type("strategy", strategy, "give a name, or an object with `name` and `plan`")
    if isinstance(strategy, type):
        return name, version_of(strategy), lambda: _Adapter(strategy())
    return name, version_of(strategy), lambda: _Adapter(copy.deepcopy(strategy))
