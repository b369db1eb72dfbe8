"""Models, environments and solvers."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hedgerow
from hedgerow import Environment, Model


def walk() -> Model:
    """Take 0.5 now, or walk a step and take 1."""
    transitions = np.zeros((3, 2, 3))
    rewards = np.zeros((3, 2))
    transitions[0, 0, 2] = transitions[0, 1, 1] = transitions[1, 0, 2] = 1
    rewards[0, 0], rewards[1, 0] = 0.5, 1
    return Model.from_arrays(transitions, rewards, gamma=0.8, start=0, terminal=[2])


def test_a_small_model_solved_by_hand() -> None:
    model = walk()
    best = model.solve()
    assert best.value == pytest.approx(0.8, abs=1e-12)
    assert best.policy.tolist() == [[0, 1], [1, 0], [0, 0]]
    assert best.q[0].tolist() == pytest.approx([0.5, 0.8])
    assert np.isnan(best.q[1, 1]) and not model.available[1, 1]
    assert model.evaluate([0, 0, 0])[0] == pytest.approx(0.5)
    # Visited once each, the second one step later; shares of all discounted steps.
    assert model.occupancy([1, 0, 0])[[0, 1], [1, 0]].tolist() == pytest.approx([0.2, 0.16])


def test_where_nothing_is_allowed_the_episode_ends() -> None:
    best = walk().solve(allowed=[[True, True], [False, False], [False, False]])
    assert best.policy.tolist() == [[1, 0], [0, 0], [0, 0]] and best.values.tolist() == [0.5, 0, 0]


def test_a_budget_makes_the_best_policy_randomise() -> None:
    rows = [(0, 0, 1, 1.0, 1.0, True), (0, 1, 1, 1.0, 0.5, True)]
    model = Model.from_outcomes(rows, states=2, actions=["fast", "slow"], gamma=0.9, start=0, terminal=[1])
    policy, reward, cost = model.best_within([[1, 0], [0, 0]], 0.25)
    assert policy[0].tolist() == pytest.approx([0.25, 0.75])
    assert (reward, cost) == pytest.approx((0.625, 0.25))


def test_against_value_iteration_in_numpy() -> None:
    rng = np.random.default_rng(3)
    for _ in range(5):
        states, actions, gamma = 30, 4, 0.9
        transitions = rng.random((states, actions, states)) ** 8
        transitions /= transitions.sum(axis=2, keepdims=True)
        rewards = rng.normal(size=(states, actions, states))
        model = Model.from_arrays(transitions, rewards, gamma=gamma, start=np.full(states, 1 / states))
        values = np.zeros(states)
        for _ in range(2000):
            values = (transitions * (rewards + gamma * values)).sum(axis=2).max(axis=1)
        assert np.abs(model.solve().values - values).max() < 1e-10


def test_sparse_and_dense_are_the_same() -> None:
    scipy = pytest.importorskip("scipy.sparse")
    dense = np.zeros((3, 2, 3))
    dense[0, 0, 2] = dense[0, 1, 1] = dense[1, 0, 2] = 1
    model = Model.from_arrays(
        [scipy.csr_array(dense[:, a]) for a in range(2)], np.ones((3, 2)), gamma=0.5, start=0, terminal=[2]
    )
    same = Model.from_arrays(dense, np.ones((3, 2)), gamma=0.5, start=0, terminal=[2])
    assert (model.solve().values == same.solve().values).all()


def test_outcomes_round_trip() -> None:
    model = Model.from_outcomes(
        [(0, 0, 0, 0.25, 0.0, False), (0, 0, 0, 0.25, 0.0, False), (0, 0, 1, 0.5, 2.0, True)],
        states=2,
        actions=1,
        gamma=0.5,
        start=0,
    )
    rows = model.outcomes()
    assert rows["probability"].tolist() == [0.5, 0.5] and rows["reward"].tolist() == [0.0, 2.0]
    assert model.terminal.tolist() == [False, True]


def test_pickles_keep_everything(garden: Environment) -> None:
    again = pickle.loads(pickle.dumps(garden))
    assert again.name == "garden" and (again.expert == garden.expert).all() and (again.cost == garden.cost).all()
    model = pickle.loads(pickle.dumps(walk()))
    assert (model.solve().values == walk().solve().values).all()
    found = hedgerow.infer_exact(garden)
    assert pickle.loads(pickle.dumps(found)) == found


def test_the_command_solves_the_same(garden: Environment, command: Callable[..., str], tmp_path: Path) -> None:
    garden.save(tmp_path / "garden.json")
    answer = json.loads(command("solve", tmp_path / "garden.json", "--json"))
    assert garden.expert_reward == pytest.approx(answer["expert_reward"], abs=1e-13)
    assert garden.model.solve().value == pytest.approx(answer["unconstrained_reward"], abs=1e-13)


def test_a_constraint_keeps_the_expert(garden: Environment, tmp_path: Path) -> None:
    found = hedgerow.infer_exact(garden)
    under = garden.model.solve(under=found)
    assert under.value == pytest.approx(garden.expert_reward, abs=1e-12)
    found.save(tmp_path / "fence.json")
    again = hedgerow.Constraint.read(tmp_path / "fence.json")
    assert again == found and again.mask(garden.model).sum() == len(found.constrained)
    assert set(found.constrained) == set(zip(*map(list, np.nonzero(found.mask(garden.task))), strict=True))


def test_explanations_say_why(garden: Environment) -> None:
    why = hedgerow.explain(garden, cell=(2, 1))
    assert "would earn more than the expert does" in str(why) and why.data["moves"]
    pair = hedgerow.explain(garden, pair=("cell 1,0", "up-right"))
    assert "more than the expert" in pair.words


def test_cost_sets(garden: Environment) -> None:
    costs = hedgerow.CostSet(garden)
    canonical = costs.canonical()
    assert canonical in costs and (0 * canonical) not in costs
    assert "would earn" in (costs.violation(0 * canonical) or "")
    ranges = costs.ranges()
    assert ranges is not None
    low, high = ranges
    free = ~np.isnan(low)
    assert (low[free] <= canonical[free] + 1e-9).all() and (canonical[free] <= high[free] + 1e-9).all()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Model.from_arrays(np.zeros((2, 1)), np.zeros((2, 1)), gamma=0.9, start=0), "states x actions x states"),
        (lambda: Model.from_arrays(np.eye(2)[:, None], np.zeros((3, 1)), gamma=0.9, start=0), "give 2 x 1"),
        (lambda: Model.from_arrays(np.eye(2)[:, None], [["a"], ["b"]], gamma=0.9, start=0), "rewards: it is a str"),
        (lambda: Model.from_arrays(np.eye(2)[:, None], [[np.nan], [0]], gamma=0.9, start=0), r"rewards\[0, 0\]: nan"),
        (lambda: Model.from_arrays(np.eye(2)[:, None], np.zeros((2, 1)), gamma=1.5, start=0), "gamma"),
        (lambda: Model.from_arrays(np.eye(2)[:, None], np.zeros((2, 1)), gamma=0.9, start=7), "start: 7 is no state"),
        (lambda: Model.from_arrays(0.5 * np.eye(2)[:, None], np.zeros((2, 1)), gamma=0.9, start=0), "0.5"),
        (lambda: Model.from_outcomes([(0, 0, 0)], states=1, actions=1, gamma=0.9, start=0), "3 entries"),
        (lambda: Model.from_outcomes({"s": [0]}, states=1, actions=1, gamma=0.9, start=0), "unknown column `s`"),
        (lambda: walk().evaluate(np.zeros((3, 3))), "policy: its shape is 3 x 3; give 3 x 2"),
        (lambda: walk().evaluate([5, 0, 0]), r"policy\[0\]: 5 is no action; use 0 to 1"),
        (lambda: walk().evaluate([[0.5, 0.2], [1, 0], [0, 0]]), "policy"),
        (lambda: walk().with_rule([(0, 9)]), r"rule\[0\]: \(0, 9\) is no available pair"),
        (lambda: walk().with_rule([(0, 0), (0, 1)]).expert, "no policy keeps the cost within 0"),
        (lambda: Environment.open("gridwrld-3"), "did you mean `gridworld-3`"),
        (lambda: Environment.draw("S . G", gamma=0.8, slop=0.1), "slop"),
        (lambda: hedgerow.run(Environment.open("gridworld-1"), "pces"), "did you mean `pcse`"),
        (lambda: hedgerow.run(Environment.open("gridworld-1"), "pcse", iteratons=3), "`iteratons` is unknown"),
        (lambda: hedgerow.run(Environment.open("gridworld-1"), "pcse", delta=7), "delta"),
        (lambda: hedgerow.run("gridworld-1", "pcse"), "world: it is a str"),
        (lambda: hedgerow.infer(Environment.open("gridworld-1"), confidence=2), "confidence"),
        (lambda: hedgerow.sweep({"envs": ["gridworld-1"]}), "`envs` is unknown; use some of env"),
        (lambda: hedgerow.sweep(backend="slurm"), "backend: `slurm` is unknown"),
        (lambda: hedgerow.Constraint.read("nowhere.json"), "nowhere.json"),
        (lambda: hedgerow.run(Environment.open("gridworld-1"), iteration=3), "did you mean `iterations`"),
        (lambda: hedgerow.infer(Environment.open("gridworld-1"), samples=-5), "samples: -5; use a whole number from 1"),
        (lambda: hedgerow.infer(Environment.open("gridworld-1"), samples=10**30), "samples: 1000"),
        (lambda: hedgerow.infer(Environment.open("gridworld-1"), samples=1.5), "samples: it is a float"),
        (lambda: hedgerow.infer(Environment.open("gridworld-1"), confidence="x"), "confidence: it is a str"),
        (lambda: hedgerow.explain(walk(), state=0), "environment: it is a Model; give a hedgerow.Environment"),
        (lambda: walk().solve(under=[(0, 0)]), "under: it is a list; give a hedgerow.Constraint"),
        (lambda: walk().with_rule([(0, 1)], shape=(1, 1)), "shape: state 1 has no cell"),
        (
            lambda: Model.from_arrays(np.eye(2)[:, None].astype(object), np.zeros((2, 1)), gamma=0.9, start=0),
            "transitions: its dtype is object",
        ),
        (lambda: hedgerow.Results("nowhere"), "nowhere: there is no such folder"),
    ],
)
def test_bad_input_says_what_to_do(make: Callable[[], object], says: str) -> None:
    with pytest.raises(hedgerow.HedgerowError, match=says) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_errors_are_also_those_of_python() -> None:
    with pytest.raises(ValueError, match="gridwrld"):
        Environment.open("gridwrld-3")
    with pytest.raises(TypeError, match="world"):
        hedgerow.run("gridworld-1", "pcse")  # type: ignore[arg-type]
    with pytest.raises(OSError, match="cannot"):
        hedgerow.Constraint.read("/")


def test_rules_and_classes_sum_up_a_constraint(tmp_path: Path) -> None:
    env = Environment.open("gridworld-3")
    lines = [f'"cell 2,{column}",up,hedge' for column in range(5)]
    zones = tmp_path / "zones.csv"
    zones.write_text("\n".join(["state,action,zone", *lines]), encoding="utf-8")
    found = hedgerow.infer_exact(env, classes=zones, features=zones)
    rule = found.rules[0]
    assert rule["rule"] == "no move into row 3, columns 0 to 4"
    assert (rule["constrained"], rule["taken"]) == (len(found.constrained), 0)
    assert [(c["class"], c["verdict"], c["pairs"]) for c in found.classes] == [("hedge", "forbidden", 5)]
    assert hedgerow.infer_exact(env).classes == []
    explored = hedgerow.infer(env, samples=2_000, classes=zones)
    assert explored.classes[0]["class"] == "hedge"
    with pytest.raises(hedgerow.InputError, match="columns of your own"):
        zones.write_text("state,a,b\n0,x,y\n", encoding="utf-8")
        hedgerow.infer_exact(env, classes=zones)
