"""The set of all costs that explain an expert."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from . import _native
from ._arrays import Floats
from .environment import Environment

__all__ = ["CostSet"]

Rule = Literal["conditions", "optimality"]


class CostSet:
    """All costs that explain the expert of an environment, with known dynamics.

    >>> import hedgerow
    >>> env = hedgerow.Environment.open("gridworld-3")
    >>> costs = hedgerow.CostSet(env)
    >>> costs.violation(costs.canonical()) is None
    True
    >>> costs.violation(0 * env.cost)                      # doctest: +ELLIPSIS
    'condition 2 at (cell 2,0, up): it would earn 0.187... more, but costs only 0 more'
    """

    def __init__(self, environment: Environment, *, cost_max: float = 1.0) -> None:
        self._environment = environment
        self._pairs = environment.model._pairs
        self._native = _native.CostSet(environment._native, cost_max=float(cost_max))

    @property
    def advantage(self) -> Floats:
        """The advantage of every pair over the expert: states by actions."""
        return self._pairs.table(self._native.advantage())

    def canonical(self) -> Floats:
        """The canonical cost: states by actions."""
        return self._pairs.table(self._native.canonical())

    def violation(self, cost: ArrayLike, *, by: Rule = "conditions") -> str | None:
        """Why a cost is not in the set; none if it is."""
        return self._native.violation(self._pairs.vector("cost", cost), by)

    def __contains__(self, cost: ArrayLike) -> bool:
        return self.violation(cost) is None

    def ranges(self, *, by: Rule = "conditions") -> tuple[Floats, Floats] | None:
        """The least and the greatest cost of every pair in the set, states by actions; none if the set
        is empty."""
        found = self._native.ranges(by)
        if found is None:
            return None
        low, high = found
        return self._pairs.table(low, np.nan), self._pairs.table(high, np.nan)
