"""Tables exactly as Gymnasium ships them, with planted rules, compared with an independent solver."""

import gymnasium
import numpy as np
import pytest
from scipy.optimize import linprog

from command import expert_of, hedgerow
from model import Model
from solver import Solver

WITHIN = 1e-8

TABLES = {
    "CliffWalking": ("CliffWalking-v1", {}, ["up", "right", "down", "left"], 0.99),
    "Taxi": ("Taxi-v4", {}, ["south", "north", "east", "west", "pickup", "dropoff"], 0.99),
    "FrozenLake-4x4": ("FrozenLake-v1", {"map_name": "4x4"}, ["left", "down", "right", "up"], 0.95),
    "FrozenLake-8x8": ("FrozenLake-v1", {"map_name": "8x8"}, ["left", "down", "right", "up"], 0.99),
}


def shipped(name):
    """The table as it is: duplicates kept, endings on transitions."""
    environment, options, actions, gamma = TABLES[name]
    world = gymnasium.make(environment, **options).unwrapped
    outcomes = [
        (int(s), int(a), int(n), float(p), float(r), bool(ends))
        for s, by_action in world.P.items()
        for a, row in by_action.items()
        for p, n, r, ends in row
    ]
    start = {s: float(p) for s, p in enumerate(world.initial_state_distrib) if p > 0}
    return Model(len(world.P), actions, gamma, start, outcomes)


def goes_on(solver):
    """States that can be entered without the end of the episode, or are starts."""
    entered = (solver.next > 0).any(axis=0)
    return entered | (solver.start > 0)


def plant(model, every, states=None):
    """Forbids what the unconstrained optimum does in some states, or in every n-th that it visits."""
    solver = Solver(model)
    policy, _ = solver.best(solver.reward)
    visited = np.flatnonzero(solver.visits(policy) > 1e-12)
    for s in visited[::every] if states is None else states:
        taken = solver.of_state[s][policy[solver.of_state[s]] > 0]
        model.cost[solver.pairs[taken[0]]] = 1.0
    return model


EVERY = {"CliffWalking": 4, "Taxi": 9, "FrozenLake-4x4": 3, "FrozenLake-8x8": 5}


def near(found, known, scale=None):
    size = max(abs(known), abs(scale or 0), 1e-300)
    assert abs(found - known) <= WITHIN * size, f"{found} for {known}"
    return abs(found - known) / size


def linear_program(solver, budget):
    """The best reward within the budget by HiGHS over visits of pairs."""
    pairs = len(solver.pairs)
    flow = -float(solver.gamma) * solver.next.astype(float).T
    flow[solver.state_of, np.arange(pairs)] += 1
    done = linprog(
        -solver.reward.astype(float),
        A_ub=solver.cost.astype(float)[None, :],
        b_ub=[budget],
        A_eq=flow,
        b_eq=solver.start.astype(float),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert done.status == 0, done.message
    return -done.fun


def compare(found, solver, expert, states):
    """Pairs called constrained, and their advantages, against `expert`'s policy, in some states."""
    values = solver.values(expert, solver.reward)
    q = solver.q(values, solver.reward)
    advantage = q - values[solver.state_of]
    size = np.abs(values).max()
    listed = {(p["state"], p["action"]): p["advantage"] for p in found["pairs"]}
    worst = 0.0
    for i, (s, a) in enumerate(solver.pairs):
        if not states[s]:
            continue
        key = (s, solver.model.actions[a])
        constrained = advantage[i] > 0 and expert[i] == 0
        if abs(advantage[i]) > 1e-9 * size:
            assert (key in listed) == constrained, f"{key}: advantage {advantage[i]}"
        if key in listed:
            worst = max(worst, near(listed[key], float(advantage[i]), size))
    return worst, sum(states[s] for s, _ in listed)


@pytest.mark.parametrize("name", TABLES)
def test_optimum_and_a_rule_that_may_never_be_broken(name, tmp_path, report):
    model = plant(shipped(name), EVERY[name])
    path = model.write(tmp_path / f"{name}-hard.json")
    solver = Solver(model)
    policy, values, allowed, safe = solver.without_cost()
    _, optimum = solver.best(solver.reward)
    solved = hedgerow("solve", path)
    worst = max(
        near(solved["unconstrained_reward"], float(solver.at_start(optimum))),
        near(solved["expert_reward"], float(solver.at_start(values))),
    )
    assert solved["expert_cost"] == 0
    assert solver.at_start(values) < solver.at_start(optimum), "the rule does not bind"
    # What is best is unique in value, so any best policy that shares ties will do: pairs that are as
    # good as the best allowed one may be taken or not, and are not told apart.
    states = safe & goes_on(solver)
    found = hedgerow("infer", path, "--exact")
    off, listed = compare(found, solver, policy, states)
    assert listed > 0
    report(f"{name}, hard: {listed} constrained pairs, worst relative error {max(worst, off):.1e}")


@pytest.mark.parametrize("name", TABLES)
def test_a_rule_with_a_budget(name, tmp_path, report):
    model = plant(shipped(name), EVERY[name])
    solver = Solver(model)
    optimum, _ = solver.best(solver.reward)
    free = solver.both(optimum)
    least = solver.at_start(-solver.best(-solver.cost)[1])
    model.budget = float(least + (free[1] - least) / 3)
    path = model.write(tmp_path / f"{name}-soft.json")
    best = solver.within(model.budget)
    assert best.price > 0 and best.gap <= 1e-12 * abs(best.reward)
    highs = linear_program(solver, model.budget)
    assert abs(highs - best.reward) <= 1e-6 * abs(best.reward), "the two oracles differ"
    solved = hedgerow("solve", path)
    worst = max(
        near(solved["expert_reward"], best.reward),
        near(solved["expert_cost"], model.budget),
        near(solved["unconstrained_reward"], float(free[0])),
    )
    # The policy itself may not be unique; whichever it is, advantages follow from it.
    said = expert_of(path, tmp_path)
    expert = np.array([said.get(pair, 0.0) for pair in solver.pairs], dtype=np.longdouble)
    states = (solver.visits(expert) > 1e-9) & goes_on(solver)
    off, listed = compare(hedgerow("infer", path, "--exact"), solver, expert, states)
    report(f"{name}, budget: {listed} constrained pairs, worst relative error {max(worst, off):.1e}")


def named(pairs):
    return {(p["state"], p["action"]) for p in pairs}


# On the large lake most rules gain less than a sample can show, so these are two that gain 0.14.
LAKE = [30, 55]


@pytest.mark.parametrize(
    "name, samples, states",
    [
        ("CliffWalking", 1_000_000, None),
        ("FrozenLake-4x4", 20_000_000, None),
        ("FrozenLake-8x8", 3_000_000, LAKE),
        ("Taxi", 3_000_000, None),
    ],
)
def test_exploring_finds_the_same_pairs(name, samples, states, tmp_path, report):
    path = plant(shipped(name), EVERY[name], states).write(tmp_path / f"{name}.json")
    known = named(hedgerow("infer", path, "--exact")["pairs"])
    # Below what any of the rules gains on the small lake: what gains less need not be decided.
    options = ["--margin", 0.02, "--samples", samples, "--quiet"]
    # Millions of samples take a busy machine minutes.
    found = hedgerow("infer", path, *options, timeout=600)
    verdicts = named(p for p in found["pairs"] if p["verdict"] == "constrained")
    guesses = named(p for p in found["pairs"] if p["looks_constrained"])
    assert verdicts <= known, f"not constrained: {verdicts - known}"
    # Returns of the cliff reach from -10000 to 0, so that a promise takes far more samples there than
    # a good estimate.
    assert verdicts | guesses == known
    if found["source"]["stop"] == "decided":
        assert verdicts == known
    report(
        f"{name}, exploring: {len(verdicts)} of {len(known)} pairs decided and all found "
        f"after {found['source']['samples']} samples"
    )
