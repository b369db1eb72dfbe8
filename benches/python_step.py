"""What driving a Gymnasium world costs, against its own steps.

    python benches/python_step.py

Both act in the same environment for the same number of steps, in turns and in one process: a plain loop
of `reset` and `step` with random actions, and `hedgerow.infer` with the strategy `random`, which asks an
expert given as a table, keeps what it sees and looks at the verdicts. The best of several is reported.
"""

from __future__ import annotations

import time

import gymnasium
import numpy as np

import hedgerow

STEPS = 100_000
TURNS = 5
WORLDS = {"FrozenLake-v1": (0, 1), "CliffWalking-v1": (-100, -1), "Taxi-v4": (-10, 20)}


def plain(name: str) -> float:
    """Seconds of a plain loop."""
    env = gymnasium.make(name)
    rng = np.random.default_rng(0)
    actions = rng.integers(env.action_space.n, size=STEPS).tolist()  # type: ignore[attr-defined]
    env.reset(seed=0)
    began = time.perf_counter()
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()
    return time.perf_counter() - began


def driven(name: str, expert: np.ndarray) -> float:
    """Seconds of exploring."""
    world = hedgerow.World(name, expert=expert, gamma=0.95, reward_range=WORLDS[name], start_samples=100)
    began = time.perf_counter()
    hedgerow.infer(world, samples=STEPS, strategy="random", progress=False)
    return time.perf_counter() - began


def main() -> None:
    print("| world | plain, us a step | driven, us a step | ratio |\n|---|---|---|---|")
    for name in WORLDS:
        expert = hedgerow.Model.from_gymnasium(gymnasium.make(name), gamma=0.95).solve().policy
        expert[expert.sum(axis=1) == 0, 0] = 1.0
        turns = [(plain(name), driven(name, expert)) for _ in range(TURNS)]
        own, ours = (min(t[i] for t in turns) / STEPS * 1e6 for i in (0, 1))
        print(f"| {name} | {own:.2f} | {ours:.2f} | {ours / own:.2f} |", flush=True)


if __name__ == "__main__":
    main()
