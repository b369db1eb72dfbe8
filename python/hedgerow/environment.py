"""Environments: a model, its hidden constraint, and the expert who keeps to it."""

from __future__ import annotations

import json
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _native
from ._arrays import Bools, Floats
from ._display import drawn_map
from ._errors import invalid, wrong_type
from .model import Model, Task

__all__ = ["Environment", "environments"]


def environments() -> list[str]:
    """The names of the environments that are built in.

    >>> import hedgerow
    >>> hedgerow.environments()[:2]
    ['gridworld-1', 'gridworld-2']
    """
    return _native.environments()


class Environment:
    """A model with its hidden constraint and the expert who keeps to it.

    >>> import hedgerow
    >>> env = hedgerow.Environment.open("gridworld-3")
    >>> env
    <Environment gridworld-3 of 50 states, 8 actions, gamma 0.7, budget 0>
    >>> env.expert_reward < env.model.solve().value
    True
    """

    def __init__(
        self,
        model: Model,
        *,
        cost: ArrayLike | None = None,
        budget: float = 0.0,
        expert: ArrayLike | None = None,
        name: str = "model",
        horizon: int | None = None,
        shape: tuple[int, int] | None = None,
    ) -> None:
        """An environment of ``model``.

        ``cost`` is the true cost, states by actions. The expert is a table of probabilities or one
        action for every state; without one it is the best policy within the budget. ``shape``, rows
        and columns, says that the states lie on a grid, row by row from the top, so that they can be
        drawn.
        """
        if not isinstance(model, Model):
            raise wrong_type("model", model, "give a hedgerow.Model")
        pairs = model._pairs
        self._native = _native.Environment(
            model._model,
            cost=np.zeros(model.pairs) if cost is None else pairs.vector("cost", cost),
            budget=float(budget),
            expert=None if expert is None else pairs.policy("expert", expert),
            name=name,
            horizon=horizon,
            layout=None if shape is None else layout_of(model, shape),
        )

    @classmethod
    def _of(cls, native: _native.Environment) -> Environment:
        made = cls.__new__(cls)
        made._native = native
        return made

    @classmethod
    def open(cls, source: str | PathLike[str], *, gamma: float | None = None) -> Environment:
        """A built-in environment by its name, or one from a file: a drawn map (``.toml``), a model
        (``.json``), or a file of Storm, PRISM or Modest (``.umb``, ``.tra``), which needs ``gamma`` as
        it has no discount."""
        return cls._of(_native.Environment.open(fspath(source), gamma))

    @classmethod
    def draw(cls, map: str, *, gamma: float = 0.9, name: str = "map", **keys: Any) -> Environment:
        """An environment drawn as text: ``S`` start, ``G`` goal, ``#`` wall, ``x`` a cell that the
        expert does not enter on purpose, ``.`` anything else. Other keys are those of a map file,
        such as ``slip=0.1``.

        >>> import hedgerow
        >>> env = hedgerow.Environment.draw('''
        ... . . G
        ... x x .
        ... S . .''', gamma=0.8)
        >>> env.states
        10
        """
        lines = "\n".join(line.strip() for line in map.strip().splitlines())
        text = f'gamma = {float(gamma)!r}\nmap = """\n{lines}\n"""\n'
        for key, value in keys.items():
            text += f"{key} = {json.dumps(value)}\n"
        return cls._of(_native.Environment.drawn(text, name))

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the environment as the ending says: a model file (``.json``), or for Storm, PRISM and
        Modest (``.umb``, ``.tra``)."""
        self._native.save(Path(path))

    @property
    def name(self) -> str:
        """The name results are filed under."""
        return self._native.name

    @property
    def states(self) -> int:
        """Number of states, terminal ones included."""
        return self._native.task.states

    @property
    def actions(self) -> int:
        """Number of actions."""
        return self._native.task.actions

    @property
    def horizon(self) -> int:
        """The longest episode, in steps."""
        return self._native.horizon

    @property
    def budget(self) -> float:
        """The expert's budget: 0 for a hard constraint."""
        return self._native.budget

    @cached_property
    def task(self) -> Task:
        """What a learner may know."""
        return Task(self._native.task)

    @cached_property
    def model(self) -> Model:
        """The model with its true dynamics."""
        return Model(self._native.model)

    @cached_property
    def cost(self) -> Floats:
        """The true cost: states by actions."""
        return self.model._pairs.table(self._native.cost())

    @cached_property
    def expert(self) -> Floats:
        """The expert's policy: probabilities, states by actions."""
        return self.model._pairs.table(self._native.expert())

    @cached_property
    def expert_reward(self) -> float:
        """The expert's discounted reward from the start."""
        return float(self.model.start @ self.model.evaluate(self.expert))

    @cached_property
    def expert_cost(self) -> float:
        """The expert's discounted true cost from the start."""
        return float(self.model.start @ self.model.evaluate(self.expert, reward=self.cost))

    @cached_property
    def visited_by_expert(self) -> Bools:
        """The states that the expert visits."""
        return self._native.visited_by_expert()

    @cached_property
    def layout(self) -> dict[str, Any] | None:
        """Where the states lie on a grid, if they do."""
        text = self._native.layout()
        return None if text is None else json.loads(text)

    def with_expert(self, expert: ArrayLike) -> Environment:
        """The same environment with another expert."""
        return self._of(self._native.with_expert(self.model._pairs.policy("expert", expert)))

    def __repr__(self) -> str:
        task = self._native.task
        return (
            f"<Environment {self.name} of {task.states} states, {task.actions} actions, "
            f"gamma {task.gamma:g}, budget {self.budget:g}>"
        )

    def _repr_html_(self) -> str:
        return drawn_map(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self._native.json(), self.name)


def _unpickle(text: str, name: str) -> Environment:
    return Environment._of(_native.Environment.parse(text, name))


def layout_of(task: Task, shape: tuple[int, int]) -> str:
    """The layout of states that lie row by row from the top, as the engine reads it.

    A state that episodes end in lies where the state lies that it is the end of.
    """
    rows, columns = (int(n) for n in shape)
    if rows < 1 or columns < 1 or rows * columns > task.states:
        raise invalid("shape", f"{rows} x {columns} cells for {task.states} states", "give rows and columns of all states")
    by_name = {name: s for s, name in enumerate(task.state_names)}
    cells: list[list[int] | None] = []
    for s, name in enumerate(task.state_names):
        place = s if s < rows * columns else by_name.get(name.removesuffix(" (end)"), s)
        cells.append([rows - 1 - place // columns, place % columns] if place < rows * columns else None)
    lost = [s for s, cell in enumerate(cells) if cell is None and not task.terminal[s]]
    if lost:
        raise invalid("shape", f"state {lost[0]} has no cell", "give rows and columns of all states")
    start = task.start
    lines = ["".join(_symbol(task, start, r * columns + c) for c in range(columns)) for r in range(rows)]
    return json.dumps({"rows": rows, "columns": columns, "map": lines, "cells": cells})


def _symbol(task: Task, start: Floats, state: int) -> str:
    if start[state] > 0.5:
        return "S"
    return "E" if task.terminal[state] else "."
