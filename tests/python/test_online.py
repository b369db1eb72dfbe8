"""Exploring through reset and step finds what exact inference on the table finds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import hedgerow

sys.path.insert(0, str(Path(__file__).parents[2] / "experiments"))
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
    world = hedgerow.World(env, expert=planted.expert, gamma=0.9, reward_range=(0, 1))
    found = hedgerow.infer(world, samples=200_000, progress=False)
    assert found.looks_constrained == hedgerow.infer_exact(planted).constrained == [(8, 2)]
    assert set(found.constrained) <= {(8, 2)}


def test_experts_of_all_kinds_give_the_same() -> None:
    environment, env = WORLDS["CliffWalking"].environment("CliffWalking")
    actions = environment.expert.argmax(axis=1)

    class Predicts:
        def predict(self, state: int) -> tuple[Any, None]:
            return actions[[state]], None

    def found(expert: Any) -> list[tuple[int, int]]:
        world = hedgerow.World(env, expert=expert, gamma=0.95, reward_range=(-100, -1))
        return hedgerow.infer(world, samples=50_000, progress=False).looks_constrained

    answers = [found(actions), found(lambda state: actions[state]), found(Predicts())]
    assert answers[0] == answers[1] == answers[2]
