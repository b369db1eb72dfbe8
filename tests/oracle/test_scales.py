"""Other units of reward or cost multiply the answers and change no verdict."""

import pytest

from command import hedgerow
from randoms import random_model, seeded
from solver import Solver
from test_tables import EVERY, plant, shipped

WITHIN = 1e-9
POWERS = [k for k in range(-12, 13) if k]


def random_soft(number):
    rng = seeded(83, number)
    model = random_model(rng, states=(6, 12), gammas=[0.9, 0.99])
    least, most = Solver(model).least_and_most()
    model.budget = least + 0.5 * (most - least)
    return model


MODELS = {
    "FrozenLake-4x4": lambda: plant(shipped("FrozenLake-4x4"), EVERY["FrozenLake-4x4"]),
    "CliffWalking": lambda: plant(shipped("CliffWalking"), EVERY["CliffWalking"]),
    "soft-3": lambda: random_soft(3),
    "soft-15": lambda: random_soft(15),
}


def answers(path):
    """Numbers by what they are in units of, and the pairs that are constrained."""
    solved = hedgerow("solve", path)
    found = hedgerow("infer", path, "--exact")
    pairs = {(p["state"], p["action"]): p["advantage"] for p in found["pairs"]}
    rewards = [solved["expert_reward"], solved["unconstrained_reward"], *pairs.values()]
    return rewards, [solved["expert_cost"]], set(pairs)


@pytest.mark.parametrize("name", MODELS)
def test_units(name, tmp_path, report):
    model = MODELS[name]()
    base = answers(model.write(tmp_path / "base.json"))
    assert base[2]
    worst = 0.0
    for k in POWERS:
        for what in ("reward", "cost"):
            factor = 10.0**k
            path = model.scaled(**{what: factor}).write(tmp_path / f"{what}{k}.json")
            rewards, costs, pairs = answers(path)
            assert pairs == base[2], f"10^{k} times the {what}: other pairs are constrained"
            for found, known, own in ((rewards, base[0], "reward"), (costs, base[1], "cost")):
                for x, y in zip(found, known, strict=True):
                    y *= factor if own == what else 1.0
                    off = abs(x - y) / abs(y) if y else abs(x)
                    assert off <= WITHIN, f"10^{k} times the {what}: {x} for {y}"
                    worst = max(worst, off)
    report(f"{name}, 10^-12 to 10^12: worst relative error {worst:.1e}")
