"""Agents trained under an inferred constraint, in three worlds.

    python experiments/train_under_constraint.py

The rules are those of experiments/worlds.py. What exploring found (pairs that look constrained) goes into
`hedgerow.gymnasium.ConstraintWrapper`, and plain tabular Q-learning trains in the wrapped environment: it
knows neither the rule nor the table. The greedy policy is then evaluated exactly on the table.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import gymnasium
import numpy as np
from numpy.typing import NDArray
from worlds import WORLDS, worlds_among

import hedgerow
from hedgerow.gymnasium import ConstraintWrapper


@dataclass(frozen=True)
class Training:
    """How long to explore and to train in a world."""

    #: Samples of exploring.
    samples: int
    #: Steps of Q-learning.
    steps: int
    #: What every value begins with: the best there could be, so that everything is tried.
    hope: float
    #: What a constrained pair earns where it ends the episode.
    penalty: float


#: FrozenLake slips, so its values need many steps to settle.
TRAINED = {
    "CliffWalking": Training(200_000, 300_000, 0.0, -200.0),
    "Taxi": Training(1_000_000, 3_000_000, 20.0, -200.0),
    "FrozenLake-4x4": Training(1_000_000, 3_000_000, 1.0, -1.0),
}


def learn(env: gymnasium.Env, states: int, gamma: float, how: Training, *, seed: int) -> NDArray[np.int64]:
    """Tabular Q-learning: optimistic values, a rate that falls with the visits, masks where there are any."""
    rng = np.random.default_rng(seed)
    actions = int(env.action_space.n)  # type: ignore[attr-defined]
    values = np.full((states, actions), how.hope)
    visits = np.zeros((states, actions))
    everything = np.ones(actions, dtype=bool)
    masks = np.ones((states, actions), dtype=bool)
    state, info = env.reset(seed=seed)
    for _ in range(how.steps):
        mask = np.asarray(info.get("action_mask", everything), dtype=bool)
        masks[state] = mask
        if rng.random() < 0.2:
            action = int(rng.choice(np.flatnonzero(mask)))
        else:
            action = int(np.where(mask, values[state], -np.inf).argmax())
        after, reward, terminated, truncated, info = env.step(action)
        later_mask = np.asarray(info.get("action_mask", everything), dtype=bool)
        later = 0.0 if terminated else gamma * values[after][later_mask].max()
        visits[state, action] += 1
        rate = max(1.0 / visits[state, action] ** 0.7, 0.001)
        values[state, action] += rate * (float(reward) + later - values[state, action])
        state = after
        if terminated or truncated:
            state, info = env.reset()
    greedy: NDArray[np.int64] = np.where(masks, values, -np.inf).argmax(axis=1)
    return greedy


def trained(name: str, mode: str, *, fraction: float = 1.0, seed: int = 0) -> dict[str, float]:
    """Return of the trained policy, of the expert and of the best without the rule, and how often the rule
    is broken: discounted visits of forbidden pairs."""
    how = TRAINED[name]
    planted, env = WORLDS[name].environment(name)
    assert env is not None
    model = planted.model
    world = hedgerow.World(
        env, expert=planted.expert, gamma=model.gamma, reward_range=WORLDS[name].rewards, name=name
    )
    found = hedgerow.infer(world, samples=how.samples, seed=seed, progress=False)
    wrapped = ConstraintWrapper(env, found, world.task, mode=mode, penalty=how.penalty, estimates=True)  # type: ignore[arg-type]
    own = env.observation_space.n  # type: ignore[attr-defined]
    began = time.perf_counter()
    few = Training(how.samples, int(how.steps * fraction), how.hope, how.penalty)
    greedy = learn(wrapped, own, model.gamma, few, seed=seed)
    policy = np.zeros(model.states, dtype=np.int64)
    policy[:own] = greedy
    exact = hedgerow.infer_exact(planted).mask(model)
    return {
        "trained": float(model.start @ model.evaluate(policy)),
        "expert": planted.expert_reward,
        "free": model.solve().value,
        "broken": float(model.occupancy(policy)[exact].sum() / (1 - model.gamma)),
        "found": len(found.looks_constrained),
        "seconds": time.perf_counter() - began,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("worlds", nargs="*", help=f"some of {', '.join(TRAINED)}; all without")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    names = worlds_among(options, given.worlds, TRAINED)
    print("| world | mode | constrained pairs found | without the rule | expert | trained | rule broken | seconds |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name in names:
        for mode in ("mask", "end"):
            row = trained(name, mode, seed=given.seed)
            print(
                f"| {name} | {mode} | {row['found']} | {row['free']:.4f} | {row['expert']:.4f} | {row['trained']:.4f} "
                f"| {row['broken']:.4f} | {row['seconds']:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
