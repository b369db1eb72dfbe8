"""Sweeps on Ray: the same bytes as a local sweep, whatever dies on the way."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from conftest import files

import hedgerow

ray = pytest.importorskip("ray")
PACKAGE = str(Path(hedgerow.__file__).resolve().parent.parent)

SPEC = {
    "env": [f"gridworld-{i}" for i in range(1, 5)],
    "strategy": ["pcse", "bear", "random", "ucb", "undecided"],
    "seeds": range(10),
    "settings": {"iterations": 100},
}


class LeastTried:
    """A strategy that keeps something between iterations."""

    name = "least-tried"

    def __init__(self) -> None:
        self.planned = 0

    def plan(self, at: hedgerow.Context) -> object:
        self.planned += 1
        assert self.planned == at.iteration
        visits = np.where(at.learner.task.available, at.learner.visits, np.iinfo(np.int64).max)
        return visits.argmin(axis=1)


class Broken:
    """A strategy that fails in one environment."""

    name = "broken"

    def plan(self, at: hedgerow.Context) -> object:
        if at.iteration == 2 and at.learner.task.states > 20:
            raise RuntimeError("out of ideas")
        return np.argmax(at.learner.task.available, axis=1)


# What a script defines itself is sent by value; this does the same for what pytest has imported.
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])


def finished(folder: Path) -> dict[str, tuple[int, bytes]]:
    """The finished runs of a folder, with the moment they were written."""
    found = {}
    for path in folder.glob("runs/*/*/*.json"):
        try:
            found[str(path.relative_to(folder))] = (path.stat().st_mtime_ns, path.read_bytes())
        except FileNotFoundError:  # it was being written
            continue
    return found


@pytest.fixture
def two_nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[object, object]]:
    """A cluster of a head and another node, each with a processor; the process is connected to it."""
    from ray.cluster_utils import Cluster

    # Workers inherit the environment of their node.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([PACKAGE, os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    size = 100 * 1024 * 1024
    cluster = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "object_store_memory": size, "include_dashboard": False},
    )
    try:
        other = cluster.add_node(num_cpus=1, object_store_memory=size)
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False)
        yield cluster, other
    finally:
        ray.shutdown()
        cluster.shutdown()


def test_a_node_dies_in_the_middle(two_nodes: tuple[object, object], tmp_path: Path) -> None:
    cluster, other = two_nodes
    local, spread = tmp_path / "local", tmp_path / "ray"
    hedgerow.sweep(SPEC, out=local)
    seen: dict[str, tuple[int, bytes]] = {}
    killed_at: list[int] = []

    def kill() -> None:
        while len(finished(spread)) < 60:
            time.sleep(0.1)
        cluster.remove_node(other, allow_graceful=False)  # type: ignore[attr-defined]
        seen.update(finished(spread))
        killed_at.append(len(seen))

    told: list[int] = []
    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    results = hedgerow.sweep(SPEC, out=spread, backend="ray", progress=lambda done, total, note: told.append(done))
    killer.join()

    assert 60 <= killed_at[0] < 190, "the node is to die in the middle"
    # The cluster notices a node that says no more after some seconds; a quick sweep is over before.
    for _ in range(600):
        if len([n for n in ray.nodes() if n["Alive"]]) == 1:
            break
        time.sleep(0.1)
    assert len([n for n in ray.nodes() if n["Alive"]]) == 1
    assert (results.finished, results.planned, results.problems) == (200, 200, [])
    after = finished(spread)
    assert all(after[run] == was for run, was in seen.items()), "no finished run is lost or written again"
    assert told == sorted(told) and told[-1] == 200
    assert files(spread) == files(local)
    assert (spread / "summary.csv").read_bytes() == (local / "summary.csv").read_bytes()


def test_objects_of_python_and_failures(two_nodes: tuple[object, object], tmp_path: Path) -> None:
    garden = hedgerow.Environment.draw(". . G\nx x .\nS . .", gamma=0.8, name="garden")
    ice = hedgerow.Model.from_gymnasium(gymnasium.make("FrozenLake-v1", is_slippery=False), gamma=0.9)
    lake = hedgerow.World(
        "FrozenLake-v1", expert=ice.with_rule([(4, 1)]).expert, gamma=0.9, reward_range=(0, 1), start_samples=10
    )
    spec = {
        "env": [garden, "gridworld-1", lake],
        "strategy": [LeastTried(), "pcse"],
        "seeds": (n for n in range(2)),
        "settings": {"iterations": 5, "rollouts": 5},
    }
    hedgerow.sweep({**spec, "seeds": range(2)}, out=tmp_path / "local")
    hedgerow.sweep(spec, out=tmp_path / "ray", backend="ray", shards=3)
    assert files(tmp_path / "ray") == files(tmp_path / "local")

    # Failed runs are told and noted as a local sweep does, and the others are saved.
    failing = {"env": [garden, "gridworld-1"], "strategy": [Broken(), "random"], "seeds": [4], "settings": {"iterations": 5}}
    errors = []
    for backend in ("local", "ray"):
        with pytest.raises(hedgerow.SweepError, match="1 of 4 runs failed.*out of ideas") as caught:
            hedgerow.sweep(failing, out=tmp_path / f"failing-{backend}", backend=backend)  # type: ignore[arg-type]
        errors.append((caught.value.failed, caught.value.finished))
    assert errors[0] == errors[1]
    spread, local = files(tmp_path / "failing-ray"), files(tmp_path / "failing-local")
    assert spread == local
    assert any(f.endswith(".failed.json") for f in spread)

    # What is there already is not done again.
    part = tmp_path / "continued"
    hedgerow.sweep({**spec, "seeds": range(2)}, out=part, shard="1/2")
    before = finished(part)
    hedgerow.sweep({**spec, "seeds": range(2)}, out=part, backend="ray")
    assert {run: finished(part)[run] for run in before} == before
    assert files(part) == files(tmp_path / "local")


def test_the_command(tmp_path: Path) -> None:
    words = ["run", "--env", "gridworld-1", "--strategy", "pcse,random", "--seeds", "0..2", "--iterations", "5"]
    environment = {**os.environ, "PYTHONPATH": PACKAGE}
    for backend in ("local", "ray"):
        out = ["--out", str(tmp_path / backend), "--backend", backend]
        more = [] if backend == "local" else ["--num-cpus", "1", "--shards", "2"]
        done = subprocess.run(
            [sys.executable, "-m", "hedgerow", *words, *out, *more],
            capture_output=True, text=True, env=environment, cwd=tmp_path, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "pcse" in done.stdout
    assert files(tmp_path / "ray") == files(tmp_path / "local")


def test_what_is_refused(tmp_path: Path) -> None:
    spec = {"env": ["gridworld-1"], "strategy": ["random"], "seeds": [1], "settings": {"iterations": 2}}
    for options, said in [
        ({"shards": 0}, "shards: 0; use at least 1"),
        ({"num_cpus": 0}, "num_cpus: 0; use at least 1"),
        ({"retries": "many"}, "retries: it is a str; give a whole number"),
    ]:
        with pytest.raises(hedgerow.InputError, match=said):
            hedgerow.sweep(spec, out=tmp_path, backend="ray", **options)
    with pytest.raises(hedgerow.InputError, match='`shards` is for backend="ray"'):
        hedgerow.sweep(spec, out=tmp_path, shards=2)
    with pytest.raises(hedgerow.InputError, match="use local or ray"):
        hedgerow.sweep(spec, out=tmp_path, backend="slurm")  # type: ignore[arg-type]
