"""1,000 random models: what the command prints agrees with an independent solver."""

import os

import numpy as np

from command import Refused, hedgerow
from model import Model
from randoms import random_model, seeded
from solver import Infeasible, Solver
from test_tables import linear_program

MODELS = 1000
WITHIN = 1e-6


def budgeted(rng):
    """A model in random units with no budget, a soft one, or one that nothing keeps within."""
    model = random_model(rng)
    kind = rng.choice(["hard", "loose", "soft", "tight", "infeasible"])
    least, most = Solver(model).least_and_most()
    share = rng.uniform(0.05, 0.95)
    if kind == "loose" or (kind in ("soft", "tight") and most - least <= 1e-6 * most):
        model.budget = most * 1.5 + 1e-3
    elif kind == "soft":
        model.budget = least + share * (most - least)
    elif kind == "tight":
        model.budget = least + 1e-3 * (most - least)
    elif kind == "infeasible":
        model.budget = least * share
    if model.gamma == 0:
        # Whether what comes after an undiscounted end counts is a matter of definition.
        model.budget = max(model.budget, 1e-3)
    reward, cost = 10.0 ** rng.integers(-12, 13, size=2)
    return model.scaled(float(reward), float(cost))


def error(found, known, size):
    """Relative to the known number; to the size of rewards only where it is a rounding residue."""
    if known == found:
        return 0.0
    return abs(found - known) / max(abs(known), 1e-9 * size)


def known_best(solver):
    """(reward, cost or None if any up to the budget will do) of the best expert."""
    model = solver.model
    if model.budget == 0:
        _, values, _, _ = solver.without_cost()
        return float(solver.at_start(values)), 0.0
    best = solver.within(model.budget)
    return best.reward, None if best.price == 0 else best.cost


def compared(model, path):
    """(kind, worst relative error) of one model."""
    solver = Solver(model)
    size = float(max(np.abs(solver.reward).max(), 1e-300))
    try:
        reward, cost = known_best(solver)
    except Infeasible:
        try:
            hedgerow("solve", path)
        except Refused as refused:
            assert "no policy keeps the cost within" in str(refused), refused
            return "refused", 0.0
        raise AssertionError(f"{path}: no policy keeps within {model.budget}")
    found = hedgerow("solve", path)
    _, optimum = solver.best(solver.reward)
    errors = [
        error(found["expert_reward"], reward, size),
        error(found["unconstrained_reward"], float(solver.at_start(optimum)), size),
    ]
    if cost is None:
        assert found["expert_cost"] <= model.budget * (1 + WITHIN)
        return "slack", max(errors)
    if cost == 0:
        assert found["expert_cost"] == 0
        return "hard", max(errors)
    errors.append(error(found["expert_cost"], cost, cost))
    return "soft", max(errors)


def test_the_oracle_agrees_with_a_linear_program():
    checked = 0
    for number in range(60):
        rng = seeded(7, number)
        model = random_model(rng, gammas=[0.0, 0.5, 0.9, 0.99])
        solver = Solver(model)
        least, most = solver.least_and_most()
        if most <= least:
            continue
        model.budget = least + 0.4 * (most - least)
        best = solver.within(model.budget)
        size = float(np.abs(solver.reward).max())
        assert abs(best.reward - linear_program(solver, model.budget)) <= 1e-7 * size / (1 - model.gamma)
        checked += 1
    assert checked > 20


def test_a_chain_by_hand():
    # Tries with 0.5 until it gets through: 1 a try, V = 1 / (1 - 0.45).
    model = Model(1, ["a"], 0.9, {0: 1.0}, [(0, 0, 0, 0.5, 1.0, False), (0, 0, 0, 0.5, 1.0, True)])
    solver = Solver(model)
    assert abs(solver.best(solver.reward)[1][0] - 1 / 0.55) < 1e-15


def test_random_models(tmp_path, report):
    models = int(os.environ.get("MODELS", MODELS))
    counts, worst, wrong = {}, (0.0, None), []
    for number in range(models):
        model = budgeted(seeded(12, number))
        path = model.write(tmp_path / f"random-{number}.json")
        try:
            kind, off = compared(model, path)
        except (AssertionError, Refused) as problem:
            wrong.append(f"{number}: {problem}")
            continue
        counts[kind] = counts.get(kind, 0) + 1
        worst = max(worst, (off, number), key=lambda w: w[0])
        if off > WITHIN:
            wrong.append(f"{number}: {kind}, gamma {model.gamma}, relative error {off:.1e}")
        else:
            path.unlink()
    report(f"random models: {counts}, worst relative error {worst[0]:.1e} (model {worst[1]})")
    assert not wrong, f"{len(wrong)} of {models} in {tmp_path}:\n" + "\n".join(wrong[:40])
