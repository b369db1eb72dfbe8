"""From what users have to the arrays that the engine takes, and back.

The engine counts available pairs one after the other; users think in tables of states by actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import invalid, wrong_type
from ._native import Task

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def floats(place: str, values: ArrayLike, shape: tuple[int | None, ...] | None = None) -> Floats:
    """Finite numbers of a shape, where ``None`` stands for any length."""
    array = _array(place, values)
    if array.dtype.kind == "O" and all(isinstance(x, (int, float, np.number)) for x in array.flat):
        raise invalid(place, "its dtype is object", "give numbers: `.astype(float)` makes them")
    if array.dtype.kind not in "fiub":
        raise wrong_type(place, _what(array), "give numbers")
    array = np.ascontiguousarray(array, dtype=np.float64)
    _check_shape(place, array, shape)
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        at = f"{place}[{', '.join(map(str, where))}]" if where else place
        raise invalid(at, f"{array[where]} is not a number to count with", "use finite numbers")
    return array


def ints(place: str, values: ArrayLike, shape: tuple[int | None, ...] | None = None) -> Ints:
    """Whole numbers of a shape."""
    array = _array(place, values)
    if array.dtype.kind == "f" and array.size and not (np.isfinite(array) & (array == np.round(array))).all():
        raise invalid(place, "it holds numbers that are not whole", "give indices, counted from 0")
    if array.size and array.dtype.kind not in "iuf":
        raise wrong_type(place, _what(array), "give whole numbers")
    array = np.ascontiguousarray(array, dtype=np.int64)
    _check_shape(place, array, shape)
    return array


def bools(place: str, values: ArrayLike, shape: tuple[int | None, ...] | None = None) -> Bools:
    """Marks of a shape."""
    array = _array(place, values)
    if array.size and array.dtype.kind not in "biu":
        raise wrong_type(place, _what(array), "give True and False")
    array = np.ascontiguousarray(array, dtype=np.bool_)
    _check_shape(place, array, shape)
    return array


def _array(place: str, values: ArrayLike) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError as error:
        raise invalid(place, "its rows have different lengths", "give a table with rows of one length") from error


def _what(array: NDArray[Any]) -> object:
    return array.flat[0] if array.size else array


def _check_shape(place: str, array: NDArray[Any], shape: tuple[int | None, ...] | None) -> None:
    if shape is None:
        return
    if len(array.shape) != len(shape) or any(w is not None and w != n for n, w in zip(array.shape, shape, strict=True)):
        wanted = " x ".join("any" if n is None else str(n) for n in shape)
        found = " x ".join(map(str, array.shape)) or "a single number"
        raise invalid(place, f"its shape is {found}", f"give {wanted}")


def number(place: str, value: Any) -> float:
    """A finite number."""
    array = _array(place, value)
    if array.ndim or array.dtype.kind not in "fiu":
        raise wrong_type(place, value, "give a number")
    if not np.isfinite(array):
        raise invalid(place, f"{value} is not a number to count with", "use a finite number")
    return float(array)


def whole(place: str, value: Any, low: int = 0) -> int:
    """A whole number of at least ``low``, as far as 64 bits go."""
    if isinstance(value, (bool, str)) or not hasattr(value, "__index__"):
        raise wrong_type(place, value, "give a whole number")
    n = int(value)
    if not low <= n < 2**64:
        raise invalid(place, str(n), f"use a whole number from {low} to 2**64 - 1")
    return n


def names(place: str, values: Sequence[str] | None, count: int) -> list[str] | None:
    """Names, as many as there are things to name."""
    if values is None:
        return None
    if isinstance(values, str):
        raise wrong_type(place, values, "give a list of names")
    texts = [str(v) for v in values]
    if len(texts) != count:
        raise invalid(place, f"{len(texts)} names", f"give {count}")
    return texts


class Pairs:
    """The available pairs of a task, and tables over them."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.state = task.pair_state()
        self.action = task.pair_action()
        self.shape = (task.states, task.actions)

    def table(self, values: NDArray[Any], fill: Any = 0) -> NDArray[Any]:
        """States by actions, ``fill`` where an action is not available."""
        table = np.full(self.shape, fill, dtype=values.dtype)
        table[self.state, self.action] = values
        return table

    def vector(self, place: str, values: ArrayLike) -> Floats:
        """The pairs of a table of states by actions; what is not available must be 0."""
        table = floats(place, values, self.shape)
        vector: Floats = np.ascontiguousarray(table[self.state, self.action])
        if np.count_nonzero(table) != np.count_nonzero(vector):
            out = table.copy()
            out[self.state, self.action] = 0
            s, a = (int(i) for i in np.argwhere(out)[0])
            raise invalid(
                f"{place}[{s}, {a}]",
                f"{table[s, a]} where the action is not available",
                "use 0 there",
            )
        return vector

    def marks(self, place: str, values: ArrayLike) -> Bools:
        """Marks of the pairs of a table of states by actions."""
        table = bools(place, values, self.shape)
        vector: Bools = np.ascontiguousarray(table[self.state, self.action])
        return vector

    def policy(self, place: str, values: ArrayLike) -> Floats:
        """A policy: probabilities of states by actions, or one action for every state.

        Terminal states have no action, and whatever is said of them is left out.
        """
        array = _array(place, values)
        if array.ndim == 1:
            choice = ints(place, array, (self.shape[0],))
            live = ~self.task.terminal()
            bad = live & ((choice < 0) | (choice >= self.shape[1]))
            if bad.any():
                s = int(np.flatnonzero(bad)[0])
                raise invalid(f"{place}[{s}]", f"{choice[s]} is no action", f"use 0 to {self.shape[1] - 1}")
            table = np.zeros(self.shape)
            table[np.flatnonzero(live), choice[live]] = 1.0
            return self.vector(place, table)
        table = floats(place, array, self.shape).copy()
        table[self.task.terminal()] = 0.0
        return self.vector(place, table)

    def listed(self, marks: Bools) -> list[tuple[int, int]]:
        """The marked pairs as (state, action)."""
        return [(int(self.state[i]), int(self.action[i])) for i in np.flatnonzero(marks)]
