"""The Point Maze: a ball pushed by forces through a maze."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _native
from ._arrays import Floats, floats

__all__ = ["Maze"]


class Maze:
    """A maze with the expert that comes with it.

    Sweeps take mazes by name like any environment: ``hedgerow.sweep({"env": ["point-maze"], ...})``.
    ``gymnasium.make("hedgerow/PointMaze-v0")`` acts in it.

    >>> import hedgerow
    >>> maze = hedgerow.Maze("point-maze")
    >>> len(maze.forces)
    8
    >>> episode = maze.play(seed=1)
    >>> episode["reached"], episode["cost"]
    (True, 0)
    """

    def __init__(self, source: str | PathLike[str] = "point-maze") -> None:
        self._native = _native.Maze.open(fspath(source))

    @property
    def name(self) -> str:
        """The name of the maze."""
        return self._native.name

    @property
    def gamma(self) -> float:
        """The discount of a decision."""
        return self._native.gamma

    @property
    def drawing(self) -> str:
        """The map as text."""
        return self._native.drawing

    @property
    def forces(self) -> dict[str, tuple[float, float]]:
        """The forces to choose from, by name."""
        return {name: (x, y) for name, (x, y) in self._native.forces}

    @property
    def constraint_cells(self) -> list[tuple[int, int]]:
        """The cells that the expert keeps out of: row, counted from below, and column."""
        return self._native.constraint_cells

    def expert(self, observation: ArrayLike) -> int:
        """What the expert does where it sees this: position x, y and velocity x, y."""
        x, y, vx, vy = (float(v) for v in floats("observation", observation, (4,)))
        return self._native.expert_action([x, y, vx, vy])

    def play(self, *, seed: int = 0) -> dict[str, Any]:
        """An episode of the expert: the way, whether it reached the goal, and the steps it spent in
        constraint cells."""
        env = _native.MazeEnv(self._native, seed)
        seen = env.reset()
        way: list[Floats] = [seen]
        cost, reached, over = 0, False, False
        while not over:
            seen, reward, terminated, truncated, paid = env.step(self.expert(seen))
            way.append(seen)
            cost += paid
            reached = reached or reward > 0
            over = terminated or truncated
        return {"way": np.array(way), "reached": reached, "cost": cost, "decisions": len(way) - 1}

    def __repr__(self) -> str:
        return f"<Maze {self.name}>"
