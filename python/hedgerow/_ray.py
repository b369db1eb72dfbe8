"""Sweeps on a Ray cluster: parts placed by Ray, merged as they arrive."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from . import _native
from ._errors import HedgerowError, Interrupted, missing
from ._progress import Progress, shown
from .running import Experiment, SweepError, run_part

#: Seconds between two looks at what has arrived.
LOOK = 0.5


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
    runs, saved, parts = _native.plan_shards(experiment._spec(), out, shards=shards, fresh=fresh)
    ours = not ray.is_initialized()
    if ours:
        ray.init(address=address, log_to_driver=False, include_dashboard=False)
    try:
        do = ray.remote(num_cpus=num_cpus, max_retries=retries)(_part)
        threads = {"env_vars": {"RAYON_NUM_THREADS": str(max(1, num_cpus))}}
        pending = [do.options(runtime_env=threads).remote(experiment, part, os.getcwd()) for part in parts]
        with shown("runs", progress) as show:
            failed = _gather(ray, pending, out, (runs, saved), show)
    finally:
        if ours:
            ray.shutdown()
    if failed:
        which, why = failed[0]
        raise SweepError(f"{len(failed)} of {runs} runs failed, the first one {which}: {why}", failed)


def _gather(
    ray: Any, pending: list[Any], out: Path, counts: tuple[int, int], show: Progress | None
) -> list[tuple[str, str]]:
    """Merges parts as they arrive; gives the runs that failed."""
    runs, done = counts
    failed: list[tuple[str, str]] = []
    try:
        while pending:
            arrived, pending = ray.wait(pending, num_returns=len(pending), timeout=LOOK)
            if not arrived:
                continue
            with tempfile.TemporaryDirectory() as folder:
                parts = []
                for i, (packed, finished, wrong) in enumerate(ray.get(arrived)):
                    failed.extend(wrong)
                    done += finished
                    if finished:
                        parts.append(_unpack(packed, Path(folder) / str(i)))
                if parts:
                    _native.merge(parts, out)
            if show is not None:
                show(done, runs, f"{len(pending)} parts on the cluster")
    except KeyboardInterrupt:
        for task in pending:
            ray.cancel(task, force=True)
        raise Interrupted(f"interrupted: {done} of {runs} runs saved in {out}; the same call continues") from None
    except ray.exceptions.RayTaskError as error:
        raise error.cause if isinstance(error.cause, HedgerowError) else error from None
    return failed


def _part(experiment: Experiment, shard: str, folder: str) -> tuple[bytes, int, list[tuple[str, str]]]:
    """One part, done on a worker: its files, how many runs it has, and those that failed."""
    if os.path.isdir(folder):
        os.chdir(folder)
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "part"
        failed: list[tuple[str, str]] = []
        try:
            _, finished = run_part(experiment, out, shard=shard, progress=False)
        except SweepError as error:
            failed, finished = error.failed, error.finished
        return _pack(out), finished, failed


def _pack(folder: Path) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(folder, arcname=".")
    return packed.getvalue()


def _unpack(packed: bytes, folder: Path) -> Path:
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder
