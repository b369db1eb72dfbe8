"""Sweeps on a Ray cluster: parts placed by Ray, merged as they arrive."""

from __future__ import annotations

import dataclasses
import io
import os
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from . import _native
from ._errors import HedgerowError, Interrupted, invalid, missing, wrong_type
from ._progress import Progress, shown
from .running import Experiment, SweepError, run_part

#: Seconds between two looks at what has arrived.
LOOK = 0.5
#: Merging reads the whole folder: it gets at most one part in so many of the time.
SHARE = 5


class _Part(NamedTuple):
    """What a worker sends back."""

    #: The part's results folder as a tar archive.
    packed: bytes
    #: The runs that failed, and why.
    failed: list[tuple[str, str]]


def sweep_on_ray(
    experiment: Experiment,
    out: Path,
    *,
    fresh: bool = False,
    progress: bool | Progress | None = None,
    address: str | None = None,
    shards: int | None = None,
    num_cpus: int = 1,
    retries: int = -1,
) -> None:
    """Does the parts of a sweep on a Ray cluster.

    Without ``address`` it uses the cluster that the process is connected to, or starts one on this
    machine. The sweep has ``shards`` parts, by default one for every run; a part is done by one task
    with ``num_cpus`` processors, and again if its worker or node dies, at most ``retries`` times (-1:
    until it is done). What has arrived is merged into ``out`` at once, so an interrupted sweep
    continues where it stopped.
    """
    try:
        import ray
    except ImportError as error:
        raise missing("ray", "ray") from error
    shards = None if shards is None else _whole("shards", shards, 1)
    num_cpus = _whole("num_cpus", num_cpus, 1)
    retries = _whole("retries", retries, -1)
    experiment = _repeatable(experiment)
    runs, saved, parts = _native.plan_shards(experiment._spec(), out, shards=shards, fresh=fresh)
    ours = not ray.is_initialized()
    if ours:
        ray.init(address=address, log_to_driver=False, include_dashboard=False)
    try:
        do = ray.remote(num_cpus=num_cpus, max_retries=retries)(_part)
        do = do.options(runtime_env={"env_vars": {"RAYON_NUM_THREADS": str(num_cpus)}})
        # Pickled once, however many parts there are.
        spec = _shipped(ray, experiment)
        pending = [do.remote(spec, part, os.getcwd()) for part in parts]
        with shown("runs", progress) as show:
            failed = _Gathering(ray, out, runs, saved, show).gather(pending)
    finally:
        if ours:
            ray.shutdown()
    if failed:
        which, why = failed[0]
        raise SweepError(f"{len(failed)} of {runs} runs failed, the first one {which}: {why}", failed, runs - len(failed))


def _whole(place: str, given: Any, least: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int):
        raise wrong_type(place, given, "give a whole number")
    if given < least:
        raise invalid(place, f"{given}", f"use at least {least}")
    return given


def _repeatable(experiment: Experiment) -> Experiment:
    """The same experiment with seeds that can be read more than once."""
    seeds = experiment.seeds
    if seeds is None or isinstance(seeds, str) or not isinstance(seeds, Iterable):
        return experiment
    return dataclasses.replace(experiment, seeds=[int(s) for s in seeds])


def _shipped(ray: Any, experiment: Experiment) -> Any:
    try:
        return ray.put(experiment)
    except TypeError as error:
        raise invalid(
            "spec",
            f"it cannot be sent to workers: {str(error).splitlines()[0]}",
            "give environments by name or as hedgerow.Environment, and strategies without open files or locks",
        ) from error


class _Gathering:
    """Merges parts into the results folder as they arrive."""

    def __init__(self, ray: Any, out: Path, runs: int, saved: int, show: Progress | None) -> None:
        self.ray = ray
        self.out = out
        self.runs = runs
        self.done = saved
        self.show = show
        self.failed: list[tuple[str, str]] = []
        self._waiting: list[bytes] = []
        self._next = 0.0

    def gather(self, pending: list[Any]) -> list[tuple[str, str]]:
        """Waits for all parts; gives the runs that failed."""
        everything = pending
        try:
            self._told(len(pending))
            while pending:
                arrived, pending = self.ray.wait(pending, num_returns=len(pending), timeout=LOOK)
                for one in arrived:
                    part = _Part(*self.ray.get(one))
                    self.failed.extend(part.failed)
                    self._waiting.append(part.packed)
                if time.monotonic() >= self._next:
                    self._merge()
                    self._told(len(pending))
        except KeyboardInterrupt:
            self._stop(everything)
            raise Interrupted(
                f"interrupted: {self.done} of {self.runs} runs saved in {self.out}; the same call continues"
            ) from None
        except self.ray.exceptions.RayTaskError as error:
            self._stop(everything)
            if isinstance(error.cause, HedgerowError):
                raise error.cause from None
            raise
        except self.ray.exceptions.RayError as error:
            self._stop(everything)
            why = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise HedgerowError(
                f"ray: a part was lost and not tried again: {why}; {self.done} of {self.runs} runs are saved in "
                f"{self.out}, and the same call continues"
            ) from error
        self._merge()
        self._told(0)
        return self.failed

    def _stop(self, tasks: list[Any]) -> None:
        """Keeps what has arrived and calls the rest off."""
        self._merge()
        for task in tasks:
            self.ray.cancel(task, force=True)

    def _merge(self) -> None:
        if not self._waiting:
            return
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as scratch:
            parts = [_unpack(packed, Path(scratch) / str(i)) for i, packed in enumerate(self._waiting)]
            _, self.done = _native.merge(parts, self.out)
            for part in parts:
                _note_failures(part / "runs", self.out / "runs")
        self._waiting.clear()
        ended = time.monotonic()
        self._next = ended + (SHARE - 1) * (ended - began)

    def _told(self, pending: int) -> None:
        if self.show is not None:
            self.show(self.done, self.runs, f"{pending} parts on the cluster")


def _note_failures(part: Path, out: Path) -> None:
    """Keeps files of failed runs as a local sweep does: until the run succeeds."""
    for path in part.glob("*/*/*.failed.json"):
        kept = out / path.relative_to(part)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, kept)
    for path in part.glob("*/*/*.csv"):
        (out / path.relative_to(part)).with_suffix(".failed.json").unlink(missing_ok=True)


def _part(experiment: Experiment, shard: str, folder: str) -> tuple[bytes, list[tuple[str, str]]]:
    """One part, done on a worker: its files, and the runs that failed."""
    if os.path.isdir(folder):
        os.chdir(folder)
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "part"
        failed: list[tuple[str, str]] = []
        try:
            run_part(experiment, out, shard=shard, progress=False)
        except SweepError as error:
            failed = error.failed
        return _pack(out), failed


def _pack(folder: Path) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as archive:
        archive.add(folder, arcname=".")
    return packed.getvalue()


def _unpack(packed: bytes, folder: Path) -> Path:
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder
