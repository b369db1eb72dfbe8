"""Exploring through reset and step finds what exact inference on the table finds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import hedgerow

sys.path.insert(0, str(Path(__file__).parents[2] / "experiments"))
from train_under_constraint import trained  # noqa: E402
from worlds import WORLDS, explored  # noqa: E402


@pytest.mark.parametrize("name, samples", [("CliffWalking", 200_000), ("Taxi", 1_000_000), ("FrozenLake-4x4", 1_000_000)])
def test_exploring_finds_exactly_what_the_table_says(name: str, samples: int) -> None:
    exact, looks, found, _ = explored(name, samples)
    assert looks == exact
    assert set(found.constrained) <= exact


def test_certified_on_firm_ice() -> None:
    env = gymnasium.make("FrozenLake-v1", is_slippery=False)
    model = hedgerow.Model.from_gymnasium(env, gamma=0.9)
    planted = model.with_rule([(8, 2), (4, 1)])
    world = hedgerow.World(env, expert=planted.expert, gamma=0.9, reward_range=(0, 1), value_range=(0, 1), shape=(4, 4))
    found = hedgerow.infer(world, samples=400_000, progress=False)
    assert found.constrained == hedgerow.infer_exact(planted).constrained == [(8, 2)]
    assert found.svg is not None and found.text.splitlines()[4].startswith("3 | ")


def test_experts_of_all_kinds_give_the_same() -> None:
    environment, env = WORLDS["CliffWalking"].environment("CliffWalking")
    # One of the best actions everywhere: a deterministic expert of the same worth.
    actions = environment.expert.argmax(axis=1)
    exact = hedgerow.infer_exact(environment.with_expert(actions)).constrained
    assert exact

    class Predicts:
        def predict(self, state: int) -> tuple[Any, None]:
            return actions[[state]], None

    def found(expert: Any) -> list[tuple[int, int]]:
        world = hedgerow.World(env, expert=expert, gamma=0.95, reward_range=(-100, -1))
        return hedgerow.infer(world, samples=100_000, progress=False).looks_constrained

    answers = [found(actions), found(lambda state: actions[state]), found(Predicts())]
    assert answers[0] == answers[1] == answers[2] == exact


@pytest.mark.parametrize("mode", ["mask", "end"])
def test_an_agent_trained_under_the_constraint_earns_what_the_expert_earns(mode: str) -> None:
    row = trained("CliffWalking", mode, seed=1)
    assert row["broken"] == 0.0
    assert row["trained"] == pytest.approx(row["expert"], abs=1e-9)
    assert row["free"] > row["expert"] + 1.0


@pytest.mark.parametrize("name", ["LavaGapS7", "DistShift1", "ICU-Sepsis"])
def test_planted_rules_cost_the_expert_something(name: str) -> None:
    environment, _ = WORLDS[name].environment(name)
    exact = hedgerow.infer_exact(environment)
    assert exact.constrained
    # What is constrained was forbidden, and keeping to it earns what the expert earns.
    assert all(environment.cost[s, a] > 0 for s, a in exact.constrained)
    assert environment.model.solve(under=exact).value == pytest.approx(environment.expert_reward, abs=1e-9)
    few = hedgerow.infer(environment, samples=200_000, progress=False)
    assert set(few.looks_constrained) <= set(exact.constrained)
