"""Gymnasium, both ways: tables, worlds, wrappers and what is refused."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

import hedgerow
import hedgerow.gymnasium as hg

TABLES = [
    ("Taxi-v4", {}, 0.95),
    ("CliffWalking-v1", {}, 0.95),
    ("FrozenLake-v1", {"map_name": "4x4"}, 0.95),
    ("FrozenLake-v1", {"map_name": "8x8"}, 0.99),
]


@pytest.mark.parametrize("name, options, gamma", TABLES)
def test_values_of_tables(name: str, options: dict[str, Any], gamma: float) -> None:
    env = gymnasium.make(name, **options)
    table = env.unwrapped.P
    values = np.zeros(len(table))
    for _ in range(20_000):
        q = np.array(
            [
                [sum(p * (r + gamma * (0.0 if end else values[n])) for p, n, r, end in row) for row in by.values()]
                for by in table.values()
            ]
        ) if _ == 0 else rewards + gamma * (later @ values)
        if _ == 0:
            rewards = np.array([[sum(p * r for p, _n, r, _e in row) for row in by.values()] for by in table.values()])
            later = np.zeros((*rewards.shape, len(table)))
            for s, by in table.items():
                for a, row in by.items():
                    for p, n, _r, end in row:
                        later[s, a, n] += 0.0 if end else p
        best = q.max(axis=1)
        done = np.abs(best - values).max() < 1e-14
        values = best
        if done:
            break
    model = hedgerow.Model.from_gymnasium(env, gamma=gamma)
    found = model.solve().values[: len(table)]
    live = ~model.terminal[: len(table)]
    assert np.abs(found - values)[live].max() < 1e-9


def test_taxi_states_entered_both_ways_have_twins() -> None:
    names = hedgerow.Model.from_gymnasium("Taxi-v4").state_names
    assert len(names) == 504
    assert all(name.endswith(" (end)") for name in names[500:])


@pytest.mark.parametrize("options", [{"id": "hedgerow/Finite-v0", "env": "gridworld-3"}, {"id": "hedgerow/PointMaze-v0"}])
def test_checker_passes_without_warnings(options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(**options, disable_env_checker=True).unwrapped)


@pytest.mark.parametrize("options", [{"id": "hedgerow/Finite-v0", "env": "gridworld-3"}, {"id": "hedgerow/PointMaze-v0"}])
def test_same_seed_same_trajectory(options: dict[str, Any]) -> None:
    def played(seed: int) -> list[Any]:
        env = gymnasium.make(**options)
        seen = [np.asarray(env.reset(seed=seed)[0]).tolist()]
        for i in range(30):
            state, reward, terminated, truncated, _ = env.step(i % 8)
            seen.append((np.asarray(state).tolist(), reward))
            if terminated or truncated:
                break
        return seen

    assert played(3) == played(3)
    assert played(3) != played(4)


class Stay(gymnasium.Env[int, int]):
    """One state. 0 pays 0.1 and goes on, 1 pays 0.5 and ends; every step is the last of its episode."""

    observation_space = spaces.Discrete(1)
    action_space = spaces.Discrete(2)

    def __init__(self, ends: bool = False) -> None:
        self.ends = ends

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        return 0, {}

    def step(self, action: Any) -> tuple[int, float, bool, bool, dict[str, Any]]:
        if action == 1:
            return 0, 0.5, True, False, {}
        return 0, 0.1, self.ends, not self.ends, {}


@pytest.mark.parametrize("ends, known", [(False, [(0, 0)]), (True, [])])
def test_cut_off_is_not_ended(ends: bool, known: list[tuple[int, int]]) -> None:
    # Going on earns 0.1 + 0.9 * 0.5 = 0.55, more than the expert's 0.5; if that ends it, 0.1.
    world = hedgerow.World(Stay(ends), expert=[1], gamma=0.9, reward_range=(0, 1))
    assert hedgerow.infer(world, samples=20_000, progress=False).looks_constrained == known


def lake() -> tuple[Any, hedgerow.Model, hedgerow.Constraint]:
    env = gymnasium.make("FrozenLake-v1", is_slippery=False)
    model = hedgerow.Model.from_gymnasium(env, gamma=0.9)
    return env, model, hedgerow.infer_exact(model.with_rule([(8, 2), (4, 1)]))


def test_wrapper_tells_the_cost() -> None:
    env, model, found = lake()
    wrapped = hg.ConstraintWrapper(env, found, model)
    wrapped.reset(seed=0)
    assert [wrapped.step(a)[4]["cost"] > 0 for a in (1, 1, 2)] == [False, False, True]


def test_wrapper_ends() -> None:
    env, model, found = lake()
    wrapped = hg.ConstraintWrapper(env, found, model, mode="end", penalty=-1)
    wrapped.reset(seed=0)
    assert not wrapped.step(1)[2] and not wrapped.step(1)[2]
    _, reward, terminated, _, _ = wrapped.step(2)
    assert (reward, terminated) == (-1, True)


def test_wrapper_masks() -> None:
    env, model, found = lake()
    wrapped = hg.ConstraintWrapper(env, found, model, mode="mask")
    wrapped.reset(seed=0)
    wrapped.step(1)
    assert wrapped.step(1)[4]["action_mask"].tolist() == [1, 1, 0, 1]
    with pytest.raises(hedgerow.InputError, match="action_mask"):
        wrapped.step(2)


def test_blackjack_is_numbered() -> None:
    env = hg.DiscreteObservation(gymnasium.make("Blackjack-v1"))
    state, _ = env.reset(seed=1)
    assert env.observation_space.contains(state)
    assert env.decode(state) == tuple(int(x) for x in env.unwrapped._get_obs())


def test_what_is_refused_says_what_to_do() -> None:
    cliff = gymnasium.make("CliffWalking-v1")
    cases: list[tuple[Any, str]] = [
        (lambda: hedgerow.World("CartPole-v1", expert=[0], reward_range=(0, 1)), "DiscreteObservation"),
        (lambda: hg.DiscreteObservation(gymnasium.make("CartPole-v1")), "divide it into cells"),
        (lambda: hedgerow.World("NoSuchWorld-v0", expert=[0], reward_range=(0, 1)), "import the package"),
        (lambda: hedgerow.Model.from_gymnasium(gymnasium.make("CartPole-v1")), "hedgerow.World"),
        (lambda: hedgerow.World(cliff, expert=[9] * 48, reward_range=(-100, -1)), "use 0 to 3"),
        (lambda: asked(cliff, lambda s: -1), "return one of 0 to 3"),
        (lambda: asked(cliff, lambda s: 0, (-1, 0)), "reward"),
    ]
    for attempt, remedy in cases:
        with pytest.raises(hedgerow.InputError, match=remedy):
            attempt()


def asked(env: Any, expert: Any, rewards: tuple[float, float] = (-100, -1)) -> hedgerow.Constraint:
    return hedgerow.infer(hedgerow.World(env, expert=expert, reward_range=rewards), samples=5_000, progress=False)


def test_a_wrapper_refuses_the_task_of_another_environment() -> None:
    model = hedgerow.Model.from_gymnasium("FrozenLake-v1")
    found = hedgerow.infer_exact(model.with_rule([(8, 2)]))
    with pytest.raises(hedgerow.InputError, match="the task has 16 states; give the task of this environment"):
        hg.ConstraintWrapper(gymnasium.make("CliffWalking-v1"), found, model)


def test_a_class_makes_worlds() -> None:
    class Chain(gymnasium.Env):  # type: ignore[type-arg]
        observation_space = spaces.Discrete(3)
        action_space = spaces.Discrete(2)

        def reset(self, *, seed: int | None = None, options: dict[str, object] | None = None) -> tuple[int, dict]:  # type: ignore[type-arg]
            self.at = 0
            return 0, {}

        def step(self, action: int) -> tuple[int, float, bool, bool, dict]:  # type: ignore[type-arg]
            self.at += 1 + action
            return min(self.at, 2), float(self.at >= 2), self.at >= 2, False, {}

    world = hedgerow.World(Chain, expert=lambda state: 0, reward_range=(0, 1), gamma=0.5)
    assert hedgerow.infer(world, samples=5_000, progress=False).looks_constrained == [(0, 1)]
