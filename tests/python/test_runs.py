"""Runs and sweeps: the bits of the command, strategies in Python, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import files

import hedgerow
from hedgerow import Context, Environment, Plan

SPEC: dict[str, Any] = {
    "env": ["gridworld-1", "gridworld-3"],
    "strategy": ["pcse", "undecided", "random"],
    "seeds": range(2),
    "settings": {"iterations": 15, "pcse.lookahead": 2},
}


def test_a_sweep_has_the_bytes_of_the_command(command: Callable[..., str], tmp_path: Path) -> None:
    words = ["--env", "gridworld-1,gridworld-3", "--strategy", "pcse,undecided,random", "--seeds", "0..2"]
    command("run", *words, "--iterations", 15, "--set", "pcse.lookahead=2", "--out", tmp_path / "command", "--quiet")
    results = hedgerow.sweep(SPEC, out=tmp_path / "python")
    assert files(tmp_path / "python") == files(tmp_path / "command")
    assert results.finished == 12 and results.summary["strategy"][:3] == ["pcse", "undecided", "random"]
    one = hedgerow.run(Environment.open("gridworld-3"), "pcse", seed=1, iterations=15, lookahead=2)
    history = results.history
    of = [
        i
        for i in range(len(history))
        if (history["env"][i], history["strategy"][i], history["seed"][i]) == ("gridworld-3", "pcse", 1)
    ]
    for column in ("samples", "reward", "cost", "wgiou", "accuracy"):
        assert one.history[column].tolist() == history[column][of].tolist()


def test_inference_has_the_bits_of_the_command(command: Callable[..., str], tmp_path: Path) -> None:
    command("infer", "gridworld-3", "--samples", 20_000, "--seed", 5, "--quiet", "--out", tmp_path / "c.json")
    found = hedgerow.infer(Environment.open("gridworld-3"), samples=20_000, seed=5)
    found.save(tmp_path / "p.json")
    assert (tmp_path / "p.json").read_bytes() == (tmp_path / "c.json").read_bytes()
    assert found.text == command("infer", "gridworld-3", "--samples", 20_000, "--seed", 5, "--quiet")


def test_parts_put_together_are_the_whole(tmp_path: Path) -> None:
    hedgerow.sweep(SPEC, out=tmp_path / "whole")
    parts = []
    for n in (1, 2, 3):
        hedgerow.sweep(SPEC, out=tmp_path / str(n), shard=f"{n}/3")
        parts.append(tmp_path / str(n))
    hedgerow.merge(parts, tmp_path / "merged")
    assert files(tmp_path / "merged") == files(tmp_path / "whole")


def test_a_sweep_goes_on_where_it_was(tmp_path: Path) -> None:
    hedgerow.sweep(SPEC, out=tmp_path / "a", shard="1/2")
    seen: list[tuple[int, int]] = []
    hedgerow.sweep(SPEC, out=tmp_path / "a", progress=lambda done, total, note: seen.append((done, total)))
    assert seen[-1] == (12, 12)
    with pytest.raises(hedgerow.InputError, match="another configuration"):
        hedgerow.sweep({**SPEC, "settings": {"iterations": 9}}, out=tmp_path / "a")


class LeastTried:
    """Takes what was tried least."""

    name = "least-tried"

    def __init__(self) -> None:
        self.plans = 0

    def plan(self, at: Context) -> Any:
        self.plans += 1
        assert at.iteration == self.plans, "every run has a strategy of its own"
        visits = np.where(at.learner.task.available, at.learner.visits, np.iinfo(np.int64).max)
        return visits.argmin(axis=1)


class Mixed:
    """Two policies, and the expert's answer in half of the states."""

    name = "mixed"

    def plan(self, at: Context) -> Plan:
        task = at.learner.task
        uniform = task.available / np.maximum(task.available.sum(axis=1, keepdims=True), 1)
        return Plan([(0.5, uniform), (0.5, at.learner.expert)], imitate=np.arange(task.states) % 2 == 0)


def test_strategies_in_python_take_part(tmp_path: Path) -> None:
    spec = {
        "env": ["gridworld-1", Environment.draw("S . G\n. x .", name="tiny")],
        "strategy": ["pcse", LeastTried(), Mixed()],
        "seeds": range(3),
        "settings": {"iterations": 12},
    }
    results = hedgerow.sweep(spec, out=tmp_path / "a")
    assert results.strategy_names == ["pcse", "least-tried", "mixed"] and results.finished == 18
    hedgerow.sweep(spec, out=tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert hedgerow.sweep(spec, out=tmp_path / "a").finished == 18


class Leaning:
    """A strategy with something in it."""

    name = "leaning"

    def __init__(self, weight: float) -> None:
        self.weight = weight

    def plan(self, at: Context) -> Any:
        table = np.where(at.learner.task.available, 1.0, 0.0)
        table[:, 0] *= self.weight
        return table / np.maximum(table.sum(axis=1, keepdims=True), 1e-12)


def test_runs_of_another_strategy_or_expert_are_not_taken_for_the_same(tmp_path: Path) -> None:
    spec = {"env": ["gridworld-1"], "seeds": [0], "settings": {"iterations": 5}}
    hedgerow.sweep({**spec, "strategy": [Leaning(1.0)]}, out=tmp_path / "a")
    hedgerow.sweep({**spec, "strategy": [Leaning(1.0)]}, out=tmp_path / "a")
    with pytest.raises(hedgerow.InputError, match="leaning.version was .*, now"):
        hedgerow.sweep({**spec, "strategy": [Leaning(9.0)]}, out=tmp_path / "a")

    def lake(expert: Any) -> dict[str, Any]:
        world = hedgerow.World("FrozenLake-v1", expert=expert, reward_range=(0, 1), name="lake", start_samples=5)
        return {**spec, "env": [world], "strategy": ["random"], "settings": {"iterations": 3, "rollouts": 2}}

    hedgerow.sweep(lake(lambda state: 0), out=tmp_path / "b")
    hedgerow.sweep(lake(lambda state: 0), out=tmp_path / "b")
    with pytest.raises(hedgerow.InputError, match="another configuration"):
        hedgerow.sweep(lake(lambda state: 1), out=tmp_path / "b")


class Broken:
    """A strategy with a bug."""

    name = "broken"

    def plan(self, at: Context) -> Any:
        if at.iteration == 3:
            raise RuntimeError("out of ideas")
        return np.zeros(at.learner.task.states, dtype=int) - 1 if at.iteration == 99 else at.learner.expert


def test_an_exception_in_a_strategy_comes_back_as_it_is(garden: Environment, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="out of ideas"):
        hedgerow.run(garden, Broken(), iterations=5)
    spec = {"env": [garden], "strategy": ["random", Broken()], "seeds": [0], "settings": {"iterations": 5}}
    with pytest.raises(hedgerow.SweepError, match="1 of 2 runs failed, the first one garden broken seed 0"):
        hedgerow.sweep(spec, out=tmp_path)
    assert hedgerow.Results(tmp_path).finished == 1


def test_a_wrong_plan_says_what_is_wrong(garden: Environment) -> None:
    class Wrong:
        name = "wrong"

        def plan(self, at: Context) -> Any:
            return np.full((at.learner.task.states, 3), 1 / 3)

    with pytest.raises(hedgerow.InputError, match="policy: its shape is 30 x 3; give 30 x 8"):
        hedgerow.run(garden, Wrong(), iterations=2)


def test_a_learner_cannot_reach_the_truth(garden: Environment) -> None:
    seen: list[Any] = []

    class Look:
        name = "look"

        def plan(self, at: Context) -> Any:
            seen.append(at)
            return at.learner.expert

    hedgerow.run(garden, Look(), iterations=1)
    (at,) = seen
    assert not {"model", "cost", "budget", "expert"} & set(dir(at.learner.task))
    assert at.learner.samples == 0 and not at.learner.cost.any()


SCRIPT = """
import sys, hedgerow
try:
    hedgerow.sweep({"env": ["gridworld-1", "gridworld-2"], "strategy": ["bear"], "seeds": range(40),
                    "settings": {"iterations": 400}}, out=sys.argv[1],
                   progress=lambda done, total, note: print(done, flush=True))
except hedgerow.Interrupted as error:
    print("kept:", error)
    raise
"""


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "a")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    for line in child.stdout:
        if line.strip().isdigit() and int(line) >= 2:
            break
    child.send_signal(signal.SIGINT)
    out, error = child.communicate(timeout=60)
    assert "kept: interrupted:" in out and "Interrupted" in error and child.returncode != 0
    assert 2 <= hedgerow.Results(tmp_path / "a").finished < 80


def test_ctrl_c_in_a_search_gives_what_was_found() -> None:
    script = """
import hedgerow, _thread, threading
threading.Timer(1.0, _thread.interrupt_main).start()
try:
    hedgerow.infer(hedgerow.Environment.open("gridworld-4"), samples=10**9, margin=1e-9)
except KeyboardInterrupt as stop:
    print(stop.partial.stop, stop.partial.samples > 0)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["interrupted", "True"]


def test_other_threads_go_on_while_it_works(garden: Environment) -> None:
    import threading

    ticks = 0
    over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    hedgerow.infer(garden, samples=300_000, margin=1e-6)
    over.set()
    thread.join()
    assert ticks > 20


def test_the_command_comes_with_the_package(command: Callable[..., str]) -> None:
    done = subprocess.run([sys.executable, "-m", "hedgerow", "solve", "gridworld-3"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == command("solve", "gridworld-3")
    wrong = subprocess.run([sys.executable, "-m", "hedgerow", "solve", "gridwrld-3"], capture_output=True, text=True)
    assert wrong.returncode == 1 and wrong.stderr.startswith("error: ") and "did you mean" in wrong.stderr


def test_importing_is_quick_and_light() -> None:
    script = "import sys, hedgerow; print([m for m in ('gymnasium', 'ray', 'pandas', 'torch', 'matplotlib') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": ""}
    )
    assert done.stdout.strip() == "[]"
