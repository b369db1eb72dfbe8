"""Finite models as plain tables, and as files of the command."""

import json
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Model:
    """A decision problem with a cost, as a model file has it."""

    states: int
    actions: list
    gamma: float
    start: dict
    # (state, action, next state, probability, reward, ends), duplicates allowed
    outcomes: list
    terminal: set = field(default_factory=set)
    # (state, action): number
    rewards: dict = field(default_factory=dict)
    cost: dict = field(default_factory=dict)
    budget: float = 0.0
    value_range: tuple | None = None
    # the expert's policy by pair, in place of the best one within the budget
    expert: dict | None = None

    def pairs(self):
        """All available pairs in the order of the command: by state, then by action."""
        return sorted({(s, a) for s, a, *_ in self.outcomes})

    def scaled(self, reward=1.0, cost=1.0):
        """The same problem in other units."""
        return Model(
            self.states,
            self.actions,
            self.gamma,
            self.start,
            [(s, a, n, p, r * reward, e) for s, a, n, p, r, e in self.outcomes],
            self.terminal,
            {k: r * reward for k, r in self.rewards.items()},
            {k: c * cost for k, c in self.cost.items()},
            self.budget * cost,
            self.value_range and tuple(v * reward for v in self.value_range),
        )

    def write(self, path):
        """Writes a model file; rewards of transitions and endings only where there are any."""

        def outcome(s, a, n, p, r, e):
            return [s, a, n, p, r, True] if e else [s, a, n, p, r] if r else [s, a, n, p]

        content = {
            "format": "hedgerow-model/1",
            "name": path.stem,
            "states": self.states,
            "actions": self.actions,
            "gamma": self.gamma,
            "horizon": 200,
            "start": [[int(s), p] for s, p in self.start.items()],
            "terminal": sorted(self.terminal),
            "transitions": [outcome(*o) for o in self.outcomes],
            "rewards": [[s, a, r] for (s, a), r in self.rewards.items()],
            "cost": [[s, a, c] for (s, a), c in self.cost.items()],
            "budget": self.budget,
        }
        if self.value_range:
            content["value_range"] = list(self.value_range)
        if self.expert:
            content["expert"] = [[s, a, p] for (s, a), p in self.expert.items()]
        path.write_text(json.dumps(content))
        return path


def dense(model):
    """(pairs, P, r, c): next states in which the episode goes on, expected rewards, costs, by pair.

    Transitions that end the episode, or enter a terminal state, carry no probability on.
    """
    pairs = model.pairs()
    at = {pair: i for i, pair in enumerate(pairs)}
    going_on = np.zeros((len(pairs), model.states), dtype=np.longdouble)
    reward = np.zeros(len(pairs), dtype=np.longdouble)
    for s, a, n, p, r, ends in model.outcomes:
        i = at[s, a]
        reward[i] += np.longdouble(p) * np.longdouble(r)
        if not ends and n not in model.terminal:
            going_on[i, n] += np.longdouble(p)
    cost = np.zeros(len(pairs), dtype=np.longdouble)
    for pair, r in model.rewards.items():
        reward[at[pair]] += np.longdouble(r)
    for pair, c in model.cost.items():
        cost[at[pair]] += np.longdouble(c)
    return pairs, going_on, reward, cost
