"""Tasks and models: states, actions, rewards, dynamics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._arrays import Bools, Floats, Ints, Pairs, bools, floats, ints, names, number
from ._errors import invalid, wrong_type

if TYPE_CHECKING:
    import gymnasium

    from .constraint import Constraint
    from .environment import Environment

__all__ = ["Model", "Solution", "Task"]


class Task:
    """What is known to all: states, available actions, rewards, start and discount.

    You get one from a model, an environment or a learner; it cannot be made on its own.
    """

    def __init__(self, native: _native.Task) -> None:
        self._native = native

    @cached_property
    def _pairs(self) -> Pairs:
        return Pairs(self._native)

    @property
    def states(self) -> int:
        """Number of states, terminal ones included."""
        return self._native.states

    @property
    def actions(self) -> int:
        """Number of actions."""
        return self._native.actions

    @property
    def pairs(self) -> int:
        """Number of available pairs of a state and an action."""
        return self._native.pairs

    @property
    def gamma(self) -> float:
        """The discount."""
        return self._native.gamma

    @cached_property
    def state_names(self) -> list[str]:
        """The names of all states; their numbers where there are none."""
        return self._native.state_names

    @cached_property
    def action_names(self) -> list[str]:
        """The names of all actions."""
        return self._native.action_names

    @cached_property
    def start(self) -> Floats:
        """The probability to start in each state."""
        return self._native.start()

    @cached_property
    def terminal(self) -> Bools:
        """Whether entering a state ends the episode."""
        return self._native.terminal()

    @cached_property
    def available(self) -> Bools:
        """Whether an action is available in a state: states by actions."""
        pairs = self._pairs
        return pairs.table(np.ones(pairs.state.shape, dtype=np.bool_), False)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.states} states, {self.actions} actions, gamma {self.gamma:g}>"


@dataclass(frozen=True)
class Solution:
    """A best policy and what it is worth."""

    #: Probabilities, states by actions.
    policy: Floats
    #: The value of every state.
    values: Floats
    #: A certified bound on the error of each value.
    errors: Floats
    #: The value at the start.
    value: float
    #: The value of every pair, states by actions; NaN where an action is not available.
    q: Floats


class Model(Task):
    """A task with its dynamics.

    Make one from arrays, from outcomes one by one, or from a Gymnasium environment's table.

    >>> import numpy as np, hedgerow
    >>> P = np.zeros((3, 2, 3)); R = np.zeros((3, 2))
    >>> P[0, 0, 2] = 1; R[0, 0] = 0.5        # take 0.5 now
    >>> P[0, 1, 1] = 1; P[1, 0, 2] = 1; R[1, 0] = 1
    >>> model = hedgerow.Model.from_arrays(P, R, gamma=0.8, start=0, terminal=[2])
    >>> model
    <Model of 3 states, 2 actions, gamma 0.8>
    >>> round(model.solve().value, 12)       # walk a step, then take 1
    0.8
    """

    def __init__(self, native: _native.Model) -> None:
        super().__init__(native.task)
        self._model = native

    # Making one -----------------------------------------------------------------------------

    @classmethod
    def from_outcomes(
        cls,
        outcomes: Iterable[tuple[int, int, int, float, float, bool]] | Mapping[str, ArrayLike],
        *,
        states: int,
        actions: int | Sequence[str],
        gamma: float,
        start: int | ArrayLike,
        terminal: ArrayLike = (),
        state_names: Sequence[str] | None = None,
        value_range: tuple[float, float] | None = None,
    ) -> Model:
        """A model from outcomes ``(state, action, next_state, probability, reward, ends)``.

        They may also come as a mapping of columns with these names. Outcomes of a pair that lead to
        the same state are put together. Where ``ends`` is true the episode is over, whatever else
        may lead to that state.

        >>> import hedgerow
        >>> outcomes = [(0, 0, 0, 0.5, 0.0, False), (0, 0, 0, 0.5, 1.0, True)]
        >>> model = hedgerow.Model.from_outcomes(outcomes, states=1, actions=["roll"], gamma=0.5, start=0)
        >>> round(model.solve().value, 12), model.state_names
        (0.666666666667, ['s0', 's0 (end)'])
        """
        labels = [str(i) for i in range(actions)] if isinstance(actions, int) else [str(a) for a in actions]
        columns = _columns(outcomes)
        native = _native.Model(
            states=_count("states", states),
            actions=labels,
            gamma=number("gamma", gamma),
            start=_start(start, states),
            terminal=ints("terminal", terminal, (None,)),
            state_names=names("state_names", state_names, states),
            value_range=value_range,
            **columns,
        )
        return cls(native)

    @classmethod
    def from_arrays(
        cls,
        transitions: Any,
        rewards: ArrayLike,
        *,
        gamma: float,
        start: int | ArrayLike,
        terminal: ArrayLike = (),
        state_names: Sequence[str] | None = None,
        action_names: Sequence[str] | None = None,
        value_range: tuple[float, float] | None = None,
    ) -> Model:
        """A model from tables.

        ``transitions`` has the probabilities ``P[s, a, s']``, as an array of that shape or as one
        SciPy sparse matrix of states by states for every action. ``rewards`` are ``R[s, a]`` or
        ``R[s, a, s']``. An action whose row is all zeros is not available.
        """
        s, a, n, p, shape = _coordinates(transitions)
        states, actions = shape
        r = floats("rewards", rewards)
        if r.shape == (states, actions):
            earned = r[s, a]
        elif r.shape == (states, actions, states):
            earned = r[s, a, n]
        else:
            found = " x ".join(map(str, r.shape))
            raise invalid("rewards", f"its shape is {found}", f"give {states} x {actions}, or that x {states}")
        labels = names("action_names", action_names, actions) or [str(i) for i in range(actions)]
        columns = {
            "state": s,
            "action": a,
            "next_state": n,
            "probability": p,
            "reward": np.ascontiguousarray(earned),
            "ends": np.zeros(len(s), dtype=np.bool_),
        }
        return cls.from_outcomes(
            columns,
            states=states,
            actions=labels,
            gamma=gamma,
            start=start,
            terminal=terminal,
            state_names=state_names,
            value_range=value_range,
        )

    @classmethod
    def from_gymnasium(cls, env: gymnasium.Env[Any, Any], *, gamma: float = 0.99, **options: Any) -> Model:
        """A model from the table ``P[s][a] = [(probability, next, reward, terminated), ...]`` that an
        environment keeps, as those of Gymnasium's toy text do.

        Termination belongs to transitions, and outcomes listed several times are put together. The
        start is the environment's own distribution if it keeps one, else give ``start``.

        >>> import gymnasium, hedgerow
        >>> hedgerow.Model.from_gymnasium(gymnasium.make("FrozenLake-v1"), gamma=0.95)
        <Model of 16 states, 4 actions, gamma 0.95>
        """
        from .gymnasium import table_of

        return cls.from_outcomes(gamma=gamma, **{**table_of(env), **options})

    # Looking at it --------------------------------------------------------------------------

    @cached_property
    def reward(self) -> Floats:
        """The expected reward of every pair: states by actions."""
        return self._pairs.table(self._model.reward())

    def outcomes(self) -> dict[str, NDArray[Any]]:
        """All outcomes as columns: state, action, next_state, probability, reward."""
        starts, next_state, probability = self._model.rows()
        of = np.repeat(np.arange(self.pairs), np.diff(starts))
        return {
            "state": self._pairs.state[of],
            "action": self._pairs.action[of],
            "next_state": next_state,
            "probability": probability,
            "reward": self._model.rewards(),
        }

    # Solving --------------------------------------------------------------------------------

    def solve(
        self,
        *,
        under: Constraint | None = None,
        allowed: ArrayLike | None = None,
        reward: ArrayLike | None = None,
    ) -> Solution:
        """The best policy: of all, under a constraint, or among ``allowed`` pairs.

        Where nothing is allowed the episode ends: the value is 0 and the policy has a row of zeros.
        ``reward`` replaces the expected rewards. Every value has a certified error, or is refused.
        """
        marks = None
        if under is not None:
            if not hasattr(under, "mask"):
                raise wrong_type("under", under, "give a hedgerow.Constraint, or say what is `allowed`")
            marks = under._native.allowed(self._native)
        if allowed is not None:
            own = self._pairs.marks("allowed", allowed)
            marks = own if marks is None else marks & own
        earned = self._model.reward() if reward is None else self._pairs.vector("reward", reward)
        values, errors, policy = _native.optimum(self._model, allowed=marks, reward=earned)
        if marks is not None:
            policy = np.where(marks, policy, 0.0)
        return Solution(
            policy=self._pairs.table(policy),
            values=values,
            errors=errors,
            value=float(self.start @ values),
            q=self._q(earned, values),
        )

    def evaluate(self, policy: ArrayLike, *, reward: ArrayLike | None = None) -> Floats:
        """The value of every state under a policy, exact to a certified error.

        The policy is a table of probabilities, or one action for every state. ``reward`` may be a
        cost to see what it comes to.
        """
        earned = None if reward is None else self._pairs.vector("reward", reward)
        return _native.evaluate(self._model, self._pairs.policy("policy", policy), reward=earned)[0]

    def occupancy(self, policy: ArrayLike) -> Floats:
        """The discounted share of steps in which a policy takes every pair: states by actions.

        That is ``1 - gamma`` times the expected discounted visits; in an endless task they sum to 1.
        """
        found = _native.occupancy(self._model, self._pairs.policy("policy", policy))
        return self._pairs.table(found)

    def best_within(self, cost: ArrayLike, budget: float) -> tuple[Floats, float, float]:
        """The best policy whose discounted cost stays within the budget, its reward and its cost."""
        vector = self._pairs.vector("cost", cost)
        policy, earned, paid = _native.best_within(self._model, vector, float(budget))
        return self._pairs.table(policy), earned, paid

    def with_rule(
        self,
        rule: Iterable[tuple[int, int]] | ArrayLike,
        *,
        budget: float = 0.0,
        name: str = "model",
        horizon: int | None = None,
        shape: tuple[int, int] | None = None,
    ) -> Environment:
        """An environment whose expert keeps to a rule: pairs ``(state, action)`` that it must not
        take, or a table of costs.

        >>> import gymnasium, hedgerow
        >>> lake = hedgerow.Model.from_gymnasium(gymnasium.make("FrozenLake-v1"), gamma=0.95)
        >>> hedgerow.infer_exact(lake.with_rule([(8, 3), (0, 0), (1, 3)])).constrained
        [(0, 0), (1, 3), (8, 3)]
        """
        from .environment import Environment

        return Environment(self, cost=_rule(self, rule), budget=budget, name=name, horizon=horizon, shape=shape)

    def _q(self, reward: Floats, values: Floats) -> Floats:
        starts, next_state, probability = self._model.rows()
        later = np.add.reduceat(np.append(probability * values[next_state], 0.0), starts[:-1]) if self.pairs else reward
        return self._pairs.table(reward + self.gamma * later, np.nan)

    def __reduce__(self) -> tuple[Any, ...]:
        from .environment import Environment

        return _unpickle, (Environment(self, expert=self._pairs.table(_uniform(self)), name="model")._native.json(),)


def _unpickle(text: str) -> Model:
    return Model(_native.Environment.parse(text, "model").model)


def _uniform(model: Model) -> Floats:
    counts = np.bincount(model._pairs.state, minlength=model.states)
    share: Floats = 1.0 / counts[model._pairs.state]
    return share


def _rule(model: Model, rule: Iterable[tuple[int, int]] | ArrayLike) -> Floats:
    if isinstance(rule, np.ndarray) and rule.shape == (model.states, model.actions):
        return floats("rule", rule)
    cost = np.zeros((model.states, model.actions))
    listed = list(rule) if isinstance(rule, Iterable) else [rule]
    for i, pair in enumerate(listed):
        s, a = (int(x) for x in ints(f"rule[{i}]", pair, (2,)))
        if not (0 <= s < model.states and 0 <= a < model.actions and model.available[s, a]):
            raise invalid(f"rule[{i}]", f"({s}, {a}) is no available pair", "give (state, action) by their indices")
        cost[s, a] = 1.0
    return cost


def _count(place: str, n: Any) -> int:
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)):
        raise wrong_type(place, n, "give a whole number")
    if n < 1:
        raise invalid(place, f"{n}", "use at least 1")
    return int(n)


def _start(start: int | ArrayLike, states: int) -> Floats:
    if isinstance(start, (int, np.integer)):
        if not 0 <= start < states:
            raise invalid("start", f"{start} is no state", f"use 0 to {states - 1}")
        one = np.zeros(states)
        one[int(start)] = 1.0
        return one
    return floats("start", start, (states,))


def _columns(outcomes: Any) -> dict[str, Any]:
    keys = ("state", "action", "next_state", "probability", "reward", "ends")
    if isinstance(outcomes, Mapping):
        unknown = [k for k in outcomes if k not in keys]
        if unknown:
            raise invalid("outcomes", f"unknown column `{unknown[0]}`", f"use {', '.join(keys)}")
        lacking = [k for k in keys[:5] if k not in outcomes]
        if lacking:
            raise invalid("outcomes", f"column `{lacking[0]}` is missing", "give it")
        given = dict(outcomes)
        given.setdefault("ends", np.zeros(len(np.asarray(given["state"])), dtype=np.bool_))
    else:
        rows = list(outcomes)
        for i, row in enumerate(rows):
            if len(row) != len(keys):
                raise invalid(f"outcomes[{i}]", f"{len(row)} entries", f"give {', '.join(keys)}")
        given = {k: [row[i] for row in rows] for i, k in enumerate(keys)}
    return {
        "state": ints("state", given["state"], (None,)),
        "action": ints("action", given["action"], (None,)),
        "next_state": ints("next_state", given["next_state"], (None,)),
        "probability": floats("probability", given["probability"], (None,)),
        "reward": floats("reward", given["reward"], (None,)),
        "ends": bools("ends", given["ends"], (None,)),
    }


def _coordinates(transitions: Any) -> tuple[Ints, Ints, Ints, Floats, tuple[int, int]]:
    if isinstance(transitions, (list, tuple)) and transitions and hasattr(transitions[0], "tocoo"):
        parts = [m.tocoo() for m in transitions]
        states = parts[0].shape[0]
        if any(m.shape != (states, states) for m in parts):
            raise invalid("transitions", "its matrices differ in shape", "give one of states by states per action")
        s = np.concatenate([m.row for m in parts])
        n = np.concatenate([m.col for m in parts])
        p = np.concatenate([m.data for m in parts])
        a = np.repeat(np.arange(len(parts)), [m.nnz for m in parts])
        return (
            ints("transitions", s),
            ints("transitions", a),
            ints("transitions", n),
            floats("transitions", p),
            (states, len(parts)),
        )
    table = floats("transitions", transitions)
    if table.ndim != 3 or table.shape[0] != table.shape[2]:
        found = " x ".join(map(str, table.shape)) or "a single number"
        raise invalid("transitions", f"its shape is {found}", "give states x actions x states")
    s, a, n = np.nonzero(table)
    return (
        ints("transitions", s),
        ints("transitions", a),
        ints("transitions", n),
        np.ascontiguousarray(table[s, a, n]),
        (table.shape[0], table.shape[1]),
    )
