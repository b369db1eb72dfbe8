"""With a budget, whatever is called constrained costs more than the expert's own way."""

import numpy as np

from command import expert_of, hedgerow
from randoms import random_model, seeded
from solver import Solver

MODELS = 200


def binding():
    """Models whose budget binds, with states that the expert never visits among them."""
    number = 0
    while True:
        rng = seeded(41, number)
        number += 1
        model = random_model(rng, states=(4, 20), gammas=[0.5, 0.9, 0.97, 0.99])
        solver = Solver(model)
        least, most = solver.least_and_most()
        if most - least <= 1e-3 * most:
            continue
        model.budget = least + rng.uniform(0.1, 0.9) * (most - least)
        yield number - 1, model, solver


def test_what_is_constrained_costs_more(tmp_path, report):
    wrong, constrained, checked = [], 0, 0
    for number, model, solver in binding():
        if checked == MODELS:
            break
        checked += 1
        path = model.write(tmp_path / f"soft-{number}.json")
        found = hedgerow("infer", path, "--exact")
        said = expert_of(path, tmp_path)
        expert = np.array([said.get(pair, 0.0) for pair in solver.pairs], dtype=np.longdouble)
        values = solver.values(expert, solver.cost)
        q = solver.q(values, solver.cost)
        at = {(s, model.actions[a]): i for i, (s, a) in enumerate(solver.pairs)}
        for pair in found["pairs"]:
            i = at[pair["state"], pair["action"]]
            own = values[solver.state_of[i]]
            constrained += 1
            if q[i] - own <= 1e-12 * max(abs(q[i]), abs(own)):
                wrong.append(
                    f"{path.name}: state {pair['state']} action {pair['action']} costs {q[i]:.6g}, "
                    f"the expert's own way {own:.6g}"
                )
    report(f"soft budgets: {checked} models, {constrained} constrained pairs, {len(wrong)} cost no more")
    assert constrained > MODELS
    assert not wrong, f"{len(wrong)} in {tmp_path}:\n" + "\n".join(wrong[:20])
