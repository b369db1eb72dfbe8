"""Demonstrations and logs: from arrays, data frames, files and Minari datasets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _native
from ._arrays import ints
from ._errors import invalid, missing, wrong_type

__all__ = ["Records"]

COLUMNS = ("episode", "step", "state", "action", "next_state", "source", "expert_action")


class Records:
    """Steps of an expert, or of anybody, in memory.

    States and actions are indices or names. They are looked up when the records are used, so that
    what is wrong is named with its row.

    >>> import hedgerow
    >>> demos = hedgerow.Records.from_episodes([([0, 1, 2], [1, 0])])
    >>> demos.columns
    ['episode', 'state', 'action', 'next_state']
    """

    def __init__(self, native: _native.Records) -> None:
        self._native = native

    @classmethod
    def from_frame(cls, frame: Any, *, columns: Mapping[str, str] | None = None) -> Records:
        """Records from a data frame: pandas, polars, pyarrow or anything with ``__arrow_c_stream__``.

        Its columns are called like those of files: episode, state, action, next_state, and if wanted
        step, source and expert_action. ``columns`` picks and renames others:
        ``columns={"run": "episode", "s": "state"}``.
        """
        if not hasattr(frame, "__arrow_c_stream__"):
            raise wrong_type("frame", frame, "give a data frame with the Arrow interface, such as those of pandas or polars")
        native = _native.Records(frame, None if columns is None else dict(columns))
        return cls(native)

    @classmethod
    def from_arrays(
        cls,
        *,
        state: ArrayLike,
        action: ArrayLike,
        next_state: ArrayLike,
        episode: ArrayLike | None = None,
        done: ArrayLike | None = None,
    ) -> Records:
        """Records from arrays with one entry for every step.

        ``episode`` numbers the episodes; or ``done`` says after which steps one is over.
        """
        s = ints("state", state, (None,))
        n = len(s)
        if (episode is None) == (done is None):
            raise invalid("episode", "neither it nor `done` is given, or both are", "give one of them")
        if episode is None:
            over = np.asarray(done, dtype=bool)
            if over.shape != (n,):
                raise invalid("done", f"its shape is {over.shape}", f"give {n} entries")
            number = np.concatenate([[0], np.cumsum(over)[:-1]]).astype(np.int64) if n else np.zeros(0, np.int64)
        else:
            number = ints("episode", episode, (n,))
        return cls._of(number, s, ints("action", action, (n,)), ints("next_state", next_state, (n,)))

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
        return cls._of(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    @classmethod
    def from_minari(cls, dataset: Any, *, encode: Any = None) -> Records:
        """Records from a Minari dataset with discrete observations and actions, or from its id.

        ``encode`` makes a state of an observation where these are not indices already.
        """
        if isinstance(dataset, str):
            try:
                import minari
            except ImportError as error:
                raise missing("minari", "data") from error
            dataset = minari.load_dataset(dataset)
        if not hasattr(dataset, "iterate_episodes"):
            raise wrong_type("dataset", dataset, "give a Minari dataset or its id")
        episodes = []
        for episode in dataset.iterate_episodes():
            seen = episode.observations
            if encode is not None:
                seen = [encode(o) for o in _each(seen, len(episode.actions) + 1)]
            elif np.asarray(seen).ndim != 1 or np.asarray(seen).dtype.kind not in "iu":
                raise invalid(
                    "dataset",
                    "its observations are not indices",
                    "give `encode`, a function from an observation to a state",
                )
            episodes.append((seen, np.asarray(episode.actions).reshape(-1)))
        return cls.from_episodes(episodes)

    @classmethod
    def _of(cls, episode: Any, state: Any, action: Any, next_state: Any) -> Records:
        columns = {"episode": episode, "state": state, "action": action, "next_state": next_state}
        return cls(_native.Records.of_arrays([(name, ints(name, values)) for name, values in columns.items()]))

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return self._native.columns

    def __repr__(self) -> str:
        return f"<Records with {', '.join(self.columns)}>"


def _each(observations: Any, count: int) -> list[Any]:
    if isinstance(observations, Mapping):
        return [{k: v[i] for k, v in observations.items()} for i in range(count)]
    return [observations[i] for i in range(count)]
