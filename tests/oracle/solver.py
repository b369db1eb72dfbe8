"""An independent solver: policy iteration, and mixtures of two deterministic policies for a budget.

Linear systems are solved in double precision and refined with residuals in extended precision
(80 bits on x86-64), so values are right to about 1e-15 of their size even for discounts near 1.
"""

from dataclasses import dataclass

import numpy as np

from model import dense


class Infeasible(Exception):
    """No policy keeps within the budget; `least` is the least cost of any."""

    def __init__(self, least):
        super().__init__(f"the least cost is {least}")
        self.least = least


@dataclass
class Best:
    """The best policy within a budget."""

    reward: float
    cost: float
    # the price of the budget: 0 if it does not bind
    price: float
    # how far the dual bound is above the reward
    gap: float


class Solver:
    """A model as dense arrays."""

    def __init__(self, model):
        self.model = model
        self.pairs, self.next, self.reward, self.cost = dense(model)
        self.gamma = np.longdouble(model.gamma)
        self.state_of = np.array([s for s, _ in self.pairs])
        self.of_state = [np.flatnonzero(self.state_of == s) for s in range(model.states)]
        self.start = np.zeros(model.states, dtype=np.longdouble)
        for s, p in model.start.items():
            self.start[s] += np.longdouble(p)

    def values(self, policy, reward):
        """V of a policy (one probability per pair) under any reward per pair."""
        matrix = np.eye(self.model.states, dtype=np.longdouble) - self.gamma * self.chain(policy)
        right = np.zeros(self.model.states, dtype=np.longdouble)
        np.add.at(right, self.state_of, policy * reward)
        factor = np.linalg.inv(matrix.astype(float))
        solution = np.zeros_like(right)
        for _ in range(5):
            rest = right - matrix @ solution
            solution += factor @ rest.astype(float)
        return solution

    def chain(self, policy):
        """Probabilities of going from state to state under a policy."""
        taken = np.flatnonzero(policy > 0)
        chain = np.zeros((self.model.states, self.model.states), dtype=np.longdouble)
        np.add.at(chain, self.state_of[taken], policy[taken, None] * self.next[taken])
        return chain

    def q(self, values, reward):
        """Q of every pair, given what follows."""
        return reward + self.gamma * (self.next @ values)

    def at_start(self, values):
        """The value of the start distribution."""
        return self.start @ values

    def best(self, reward, allowed=None):
        """A deterministic policy that is best under `reward`, and its values."""
        if allowed is None:
            allowed = np.ones(len(self.pairs), dtype=bool)
        choice = np.full(self.model.states, -1)
        for s, pairs in enumerate(self.of_state):
            open_pairs = pairs[allowed[pairs]]
            if len(open_pairs):
                choice[s] = open_pairs[np.argmax(reward[open_pairs])]
        for _ in range(1000):
            policy = self.policy(choice)
            values = self.values(policy, reward)
            q = self.q(values, reward)
            # Above the rounding of one step; what is given up is below noise / (1 - gamma).
            noise = 1e-17 * np.abs(values).max()
            changed = False
            for s in np.flatnonzero(choice >= 0):
                open_pairs = self.of_state[s][allowed[self.of_state[s]]]
                better = open_pairs[np.argmax(q[open_pairs])]
                if q[better] > q[choice[s]] + noise:
                    choice[s] = better
                    changed = True
            if not changed:
                return policy, values
        raise RuntimeError("policy iteration does not end")

    def policy(self, choice):
        """A deterministic policy as probabilities."""
        policy = np.zeros(len(self.pairs), dtype=np.longdouble)
        policy[choice[choice >= 0]] = 1
        return policy

    def both(self, policy):
        """Reward and cost of a policy from the start."""
        worth = [self.at_start(self.values(policy, w)) for w in (self.reward, self.cost)]
        return worth[0], worth[1]

    def least_and_most(self):
        """The least cost of any policy, and what a policy that is best without a budget spends."""
        largest = self.cost.max() / (1 - self.gamma)
        least = self.at_start(-self.best(-self.cost)[1])
        most = self.both(self.best(self.reward)[0])[1]
        # What comes out as 1e-20 is 0.
        return [float(c) if c > 1e-15 * largest else 0.0 for c in (least, most)]

    def within(self, budget):
        """The best policy whose expected discounted cost is at most `budget`."""
        budget = np.longdouble(budget)
        greedy, _ = self.best(self.reward)
        high = self.both(greedy)
        if high[1] <= budget * (1 + 1e-13):
            return Best(float(high[0]), float(high[1]), 0.0, 0.0)
        thrifty, _ = self.best(-self.cost)
        low = self.both(thrifty)
        if low[1] > budget * (1 + 1e-13):
            raise Infeasible(float(low[1]))
        for _ in range(1000):
            price = (high[0] - low[0]) / (high[1] - low[1])
            mixed, _ = self.best(self.reward - price * self.cost)
            point = self.both(mixed)
            line = low[0] - price * low[1]
            above = (point[0] - price * point[1]) - line
            size = max(abs(low[0]), abs(high[0]), abs(price * low[1]), abs(price * high[1]))
            if above <= 1e-15 * size:
                reward = low[0] + price * (budget - low[1])
                return Best(float(reward), float(budget), float(price), float(above))
            if point[1] <= budget:
                low = point
            else:
                high = point
        raise RuntimeError("the price of the budget is not found")

    def never(self):
        """(allowed pairs, states that can avoid cost for ever): nothing that costs, at no time."""
        allowed = self.cost <= 0
        safe = np.ones(self.model.states, dtype=bool)
        acts = np.array([len(pairs) > 0 for pairs in self.of_state])
        while True:
            leads = (self.next[:, ~safe] > 0).any(axis=1)
            allowed &= ~leads
            now = ~acts | np.array([allowed[pairs].any() for pairs in self.of_state])
            if (now == safe).all():
                return allowed, safe
            safe = now

    def without_cost(self):
        """The best policy that never pays, and its values; `Infeasible` if there is none."""
        allowed, safe = self.never()
        if not safe[self.start > 0].all():
            raise Infeasible(float(self.at_start(-self.best(-self.cost)[1])))
        return *self.best(self.reward, allowed), allowed, safe

    def visits(self, policy):
        """Expected discounted visits of every state from the start."""
        chain = self.chain(policy).astype(float).T
        matrix = np.eye(self.model.states) - float(self.gamma) * chain
        return np.linalg.solve(matrix, self.start.astype(float))
