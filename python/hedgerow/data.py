"""Demonstrations and logs: from arrays, data frames, files and Minari datasets."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._arrays import ints
from ._errors import FileError, InputTypeError, invalid, missing, wrong_type

__all__ = ["Records"]

COLUMNS = ("episode", "step", "state", "action", "next_state", "source", "expert_action")
#: The column that pandas adds to a frame whose rows were picked.
INDEX = "__index_level_"


class Records:
    """Steps of an expert, or of anybody.

    States and actions are indices or names. They are looked up when the records are used, so that
    what is wrong is named with its row, counted from 0.

    >>> import hedgerow
    >>> demos = hedgerow.Records.from_episodes([([0, 1, 2], [1, 0])])
    >>> demos.columns
    ['episode', 'state', 'action', 'next_state']
    """

    def __init__(self, native: _native.Records | Path, columns: list[str] | None = None) -> None:
        """Use one of the ``from_`` methods, or :meth:`read`."""
        self._native = native
        self._columns = native.columns if columns is None and not isinstance(native, Path) else list(columns or [])

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Records:
        """Records in a file, ``.csv`` or ``.jsonl``. The rows are read when they are used.

        >>> import hedgerow, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "demos.csv")
        ...     _ = file.write_text("episode,state,action,next_state\\n0,0,1,1\\n")
        ...     hedgerow.Records.read(file)
        <Records with episode, state, action, next_state>
        """
        path = Path(path)
        if path.suffix not in (".csv", ".jsonl"):
            raise invalid(str(path), f"the ending `{path.suffix}` is not that of records", "give a .csv or .jsonl file")
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                return cls(path, _header(file, path.suffix))
        except OSError as error:
            raise FileError(f"{path}: it cannot be read: {error.strerror or error}; check the path") from error
        except ValueError as error:
            raise invalid(str(path), f"its first line is not that of records: {error}", "see docs/formats.md") from error

    @classmethod
    def from_frame(cls, frame: Any, *, columns: Mapping[str, str] | None = None) -> Records:
        """Records from a data frame: pandas, polars, pyarrow or anything with ``__arrow_c_stream__``.

        Its columns are called like those of files: episode, state, action, next_state, and if wanted
        step, source and expert_action. ``columns`` picks and renames others:
        ``columns={"run": "episode", "s": "state"}``. Where nothing is known (no next state, say) a
        value is missing: NaN, None or null.
        """
        if not hasattr(frame, "__arrow_c_stream__"):
            raise wrong_type("frame", frame, "give a data frame with the Arrow interface, such as those of pandas or polars")
        picked = None if columns is None else {str(k): str(v) for k, v in columns.items()}
        return cls(_native.Records(_plain(frame, picked), picked))

    @classmethod
    def from_arrays(
        cls,
        *,
        state: ArrayLike,
        action: ArrayLike,
        next_state: ArrayLike,
        episode: ArrayLike | None = None,
        done: ArrayLike | None = None,
        expert_action: ArrayLike | None = None,
        source: ArrayLike | None = None,
    ) -> Records:
        """Records from arrays with one entry for every step.

        ``episode`` numbers the episodes; or ``done`` says after which steps one is over.
        ``expert_action`` is what the expert would have done, where it was asked, and ``source`` says
        of every step ``expert`` or ``log``. Names, and NaN or None where nothing is known, need
        pyarrow.

        >>> import hedgerow
        >>> hedgerow.Records.from_arrays(state=[0, 1], action=[1, 0], next_state=[1, 2], done=[False, True])
        <Records with episode, state, action, next_state>
        """
        n = len(_one_by_one("state", state))
        if (episode is None) == (done is None):
            raise invalid("episode", "neither it nor `done` is given, or both are", "give one of them")
        if episode is None:
            over = _one_by_one("done", done)
            if over.dtype.kind not in "biu" or over.shape != (n,):
                raise invalid("done", f"{len(over)} entries of {over.dtype}", f"give {n} entries of True and False")
            episode = np.concatenate([[0], np.cumsum(over.astype(bool))[:-1]]).astype(np.int64)[:n]
        given = {"episode": episode, "state": state, "action": action, "next_state": next_state}
        optional = {"expert_action": expert_action, "source": source}
        given.update({name: values for name, values in optional.items() if values is not None})
        arrays = {name: _one_by_one(name, values) for name, values in given.items()}
        for name, array in arrays.items():
            if len(array) != n:
                raise invalid(name, f"{len(array)} entries", f"give {n}, as many as states")
        if all(a.dtype.kind in "iu" for a in arrays.values()):
            return cls._of(arrays)
        try:
            import pyarrow
        except ImportError as error:
            raise missing("pyarrow", "data") from error
        try:
            return cls.from_frame(pyarrow.table({name: pyarrow.array(a) for name, a in arrays.items()}))
        except pyarrow.ArrowException as error:
            raise InputTypeError(f"arrays: {error}; give whole numbers, or names as texts") from error

    @classmethod
    def from_episodes(cls, episodes: Iterable[tuple[ArrayLike, ArrayLike]]) -> Records:
        """Records from episodes of states and actions, with one state more than actions."""
        parts = []
        for i, (states, actions) in enumerate(episodes):
            s = ints(f"episodes[{i}]: states", states, (None,))
            a = ints(f"episodes[{i}]: actions", actions, (None,))
            if len(s) != len(a) + 1:
                raise invalid(f"episodes[{i}]", f"{len(s)} states and {len(a)} actions", "give one state more than actions")
            parts.append((np.full(len(a), i), s[:-1], a, s[1:]))
        if not parts:
            raise invalid("episodes", "there are none", "give at least one")
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        return cls._of(dict(zip(("episode", "state", "action", "next_state"), columns, strict=True)))

    @classmethod
    def from_minari(cls, dataset: Any, *, encode: Callable[[Any], int] | None = None) -> Records:
        """Records from a Minari dataset with discrete observations and actions, or from its id.

        ``encode`` makes a state of an observation where these are not indices already.
        """
        if isinstance(dataset, str):
            dataset = _load(dataset)
        if not hasattr(dataset, "iterate_episodes"):
            raise wrong_type("dataset", dataset, "give a Minari dataset or its id")
        episodes = []
        for i, episode in enumerate(dataset.iterate_episodes()):
            actions = np.asarray(episode.actions)
            if actions.ndim != 1 or actions.dtype.kind not in "iu":
                raise invalid(
                    f"dataset: episode {i}",
                    f"its actions are {_kind(actions)}, not indices",
                    "give a dataset of an environment with discrete actions",
                )
            episodes.append((_states(i, episode.observations, len(actions) + 1, encode), actions))
        if not episodes:
            raise invalid("dataset", "it has no episodes", "give one that has")
        return cls.from_episodes(episodes)

    @classmethod
    def _of(cls, columns: Mapping[str, NDArray[Any]]) -> Records:
        for name, values in columns.items():
            if len(values) and values.min() < 0:
                row = int(np.argmax(values < 0))
                raise invalid(f"row {row}: {name}", f"{values[row]} is no index", "count from 0")
        return cls(_native.Records.of_arrays([(name, ints(name, values)) for name, values in columns.items()]))

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return list(self._columns)

    def __repr__(self) -> str:
        return f"<Records with {', '.join(self.columns)}>"


def _header(file: Any, ending: str) -> list[str]:
    if ending == ".csv":
        return [name.strip() for name in next(csv.reader(file), [])]
    line = next((line for line in file if line.strip()), "")
    first = json.loads(line) if line else {}
    if not isinstance(first, dict):
        raise ValueError("it is not an object")
    return list(first)


def _one_by_one(place: str, values: Any) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise invalid(place, "its entries have different lengths", "give one entry for every step") from error
    if array.ndim != 1:
        found = " x ".join(map(str, array.shape)) or "a single value"
        raise invalid(place, f"its shape is {found}", "give one entry for every step")
    if array.size == 0:
        return array.astype(np.int64)
    return array


def _plain(frame: Any, picked: Mapping[str, str] | None) -> Any:
    """The frame with columns of whole numbers or texts in one piece, if pyarrow is there to do it."""
    try:
        import pyarrow
    except ImportError:
        return frame
    try:
        table = pyarrow.table(frame)
    except (pyarrow.ArrowException, TypeError) as error:
        raise InputTypeError(f"frame: {error}; give columns of whole numbers, or of names as texts") from error
    kept = [i for i, name in enumerate(table.column_names) if (picked is None or name in picked)]
    if picked is None:
        kept = [i for i in kept if not table.column_names[i].startswith(INDEX)]
    lacking = [name for name in picked or () if name not in table.column_names]
    if lacking:
        known = [name for name in table.column_names if not name.startswith(INDEX)]
        raise invalid("columns", f"the frame has no `{lacking[0]}`", f"choose from {', '.join(known)}")
    names = [table.column_names[i] for i in kept]
    said = [names[k] if picked is None else picked[names[k]] for k in range(len(kept))]
    columns = [_column(pyarrow, said[k], table.column(i)) for k, i in enumerate(kept)]
    return pyarrow.table(columns, names=names)


def _column(pyarrow: Any, name: str, chunks: Any) -> Any:
    types = pyarrow.types
    if types.is_dictionary(chunks.type):
        # Value by value: not every kind of text can be decoded otherwise.
        chunks = pyarrow.chunked_array([pyarrow.array(chunks.to_pylist())])
    if types.is_null(chunks.type):
        return pyarrow.nulls(len(chunks), pyarrow.int64())
    if types.is_floating(chunks.type):
        return _whole(pyarrow, name, np.asarray(chunks.cast(pyarrow.float64()).to_numpy()))
    if types.is_integer(chunks.type):
        least = pyarrow.compute.min(chunks).as_py()
        if least is not None and least < 0:
            row = next(i for i, value in enumerate(chunks) if value.is_valid and value.as_py() < 0)
            raise invalid(f"row {row}: {name}", f"{chunks[row].as_py()} is no index", "count from 0")
    elif not (types.is_string(chunks.type) or types.is_large_string(chunks.type) or types.is_string_view(chunks.type)):
        raise InputTypeError(f"{name}: a column of {chunks.type}; give whole numbers, or names as texts")
    return pyarrow.concat_arrays(chunks.chunks) if chunks.num_chunks else pyarrow.array([], chunks.type)


def _whole(pyarrow: Any, name: str, values: NDArray[np.float64]) -> Any:
    """Numbers that pandas made floats of because some are missing."""
    known = ~np.isnan(values)
    wrong = known & ~(np.isfinite(values) & (values == np.round(values)) & (values >= 0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise invalid(f"row {row}: {name}", f"{values[row]:g} is no index", "use whole numbers, counted from 0")
    return pyarrow.array(np.where(known, values, 0).astype(np.int64), mask=~known)


def _load(name: str) -> Any:
    try:
        import minari
    except ImportError as error:
        raise missing("minari", "data") from error
    try:
        return minari.load_dataset(name)
    except FileNotFoundError as error:
        raise FileError(
            f"dataset: `{name}` is not on this machine; run `minari download {name}`, or look what is there with `minari list local`"
        ) from error
    except ValueError as error:
        raise invalid("dataset", str(error).splitlines()[0], "give an id like `name-v0`") from error


def _states(number: int, seen: Any, count: int, encode: Callable[[Any], int] | None) -> Any:
    if encode is not None:
        states = [encode(_pick(seen, i)) for i in range(count)]
        return ints(f"dataset: episode {number}: encode", states, (count,))
    array = np.asarray(seen) if not isinstance(seen, (Mapping, tuple)) else None
    if array is None or array.ndim != 1 or array.dtype.kind not in "iu":
        found = type(seen).__name__ if array is None else _kind(array)
        raise invalid(
            f"dataset: episode {number}",
            f"its observations are {found}, not indices",
            "give `encode`, a function from an observation to a state",
        )
    return array


def _kind(array: NDArray[Any]) -> str:
    return f"vectors of {array.dtype}" if array.ndim > 1 else f"numbers of {array.dtype}"


def _pick(observations: Any, i: int) -> Any:
    """The observation of a step, out of what has all of them."""
    if isinstance(observations, Mapping):
        return {key: _pick(part, i) for key, part in observations.items()}
    if isinstance(observations, tuple):
        return tuple(_pick(part, i) for part in observations)
    return observations[i]
