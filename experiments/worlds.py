"""Rules planted in worlds that others made, and what exploring finds of them.

    python experiments/worlds.py                 # all worlds, a table in Markdown
    python experiments/worlds.py Taxi --fraction 0.1

The rules are stated here, and each must cost the expert at least 2 % of its return. Rules and numbers of
samples were chosen after trials with seed 0. It needs hedgerow, gymnasium[toy-text], minigrid and icu-sepsis.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import gymnasium
import numpy as np

import hedgerow
import hedgerow.gymnasium

Pair = tuple[int, int]

#: The least share of its return that a rule must cost the expert.
LEAST_LOSS = 0.02


@dataclass(frozen=True)
class Planted:
    """A world with the rule that is planted in it."""

    #: The rule in words.
    words: str
    #: The model, and the environment to act in if it is explored through its own reset and step.
    build: Callable[[], tuple[hedgerow.Model, gymnasium.Env | None]]
    #: The pairs that are forbidden.
    rule: Callable[[hedgerow.Model], list[Pair]]
    #: The least and the largest reward of a step.
    rewards: tuple[float, float]
    #: After how many samples to look.
    samples: tuple[int, ...]

    def environment(self, name: str) -> tuple[hedgerow.Environment, gymnasium.Env | None]:
        """The world with an expert who keeps to the rule; refused if the rule costs it less than 2 %."""
        model, env = self.build()
        planted = model.with_rule(self.rule(model), name=name)
        free = model.solve().value
        loss = (free - planted.expert_reward) / abs(free)
        assert loss >= LEAST_LOSS, f"{name}: the rule costs {loss:.2%} of the return only"
        return planted, env


def table(name: str, gamma: float, **options: str) -> Callable[[], tuple[hedgerow.Model, gymnasium.Env | None]]:
    def build() -> tuple[hedgerow.Model, gymnasium.Env | None]:
        env = gymnasium.make(name, **options)
        return hedgerow.Model.from_gymnasium(env, gamma=gamma), env

    return build


def minigrid(name: str, gamma: float) -> Callable[[], tuple[hedgerow.Model, gymnasium.Env | None]]:
    def build() -> tuple[hedgerow.Model, gymnasium.Env | None]:
        import minigrid as _  # noqa: F401 (registers its worlds)

        return hedgerow.gymnasium.enumerate_model(gymnasium.make(name), gamma=gamma, seed=0), None

    return build


def everywhere(action: int) -> Callable[[hedgerow.Model], list[Pair]]:
    return lambda model: [(int(s), action) for s in np.flatnonzero(model.available[:, action])]


def taxi_cell(row: int, column: int) -> Callable[[hedgerow.Model], list[Pair]]:
    """Moves into a cell, in the 400 states that can be met: the passenger is not where it wants to go."""

    def rule(model: hedgerow.Model) -> list[Pair]:
        seen = model.outcomes()
        into = (seen["next_state"] // 100 == row) & (seen["next_state"] // 20 % 5 == column) & (seen["action"] < 4)
        met = (seen["state"] // 4 % 5 != seen["state"] % 4) & (seen["state"] != seen["next_state"])
        rows = np.flatnonzero(into & met & (seen["state"] < 500))
        return [(int(seen["state"][i]), int(seen["action"][i])) for i in rows]

    return rule


def icu_sepsis(gamma: float) -> Callable[[], tuple[hedgerow.Model, gymnasium.Env | None]]:
    """The dynamics that come with icu-sepsis, with admissible actions only."""

    def build() -> tuple[hedgerow.Model, gymnasium.Env | None]:
        spec = importlib.util.find_spec("icu_sepsis")
        if spec is None or spec.origin is None:
            raise SystemExit("icu-sepsis is not installed; run `pip install icu-sepsis`")
        folder = Path(spec.origin).parent / "envs" / "assets"
        data = np.load(folder / "dynamics.npz")
        # Unpacked once: every look into the file unpacks the whole array.
        given = data["tx_mat"]
        transitions = np.zeros_like(given)
        admissible = (folder / "admissible_actions.txt").read_text().splitlines()[1:]
        for state, line in enumerate(admissible[:713]):
            actions = [int(a) for a in line.split()]
            transitions[state, actions] = given[state, actions]
        ends = [713, 714, 715]
        model = hedgerow.Model.from_arrays(transitions, data["r_mat"], gamma=gamma, start=data["d_0"], terminal=ends)
        return model, None

    return build


def lowest(model: hedgerow.Model) -> list[Pair]:
    """The available action with the lowest number, where there is another."""
    choices = model.available.sum(axis=1)
    return [(int(s), int(model.available[s].argmax())) for s in np.flatnonzero(choices > 1)]


WORLDS: dict[str, Planted] = {
    "CliffWalking": Planted(
        "from column 5 to 6 only in the top row, and from column 2 to 3 only in the row above the cliff",
        table("CliffWalking-v1", 0.95),
        lambda model: [(17, 1), (29, 1), (2, 1), (14, 1)],
        (-100, -1),
        (20_000, 100_000, 200_000),
    ),
    "Taxi": Planted(
        "never drives into the cell in row 2, column 3",
        table("Taxi-v4", 0.95),
        taxi_cell(2, 3),
        (-10, 20),
        (300_000, 1_000_000),
    ),
    "FrozenLake-4x4": Planted(
        "never pushes down",
        table("FrozenLake-v1", 0.95),
        everywhere(1),
        (0, 1),
        (300_000, 1_000_000),
    ),
    "FrozenLake-8x8": Planted(
        "does not push against the right edge in rows 5 and 6",
        table("FrozenLake-v1", 0.99, map_name="8x8"),
        lambda model: [(47, 2), (55, 2)],
        (0, 1),
        (300_000, 3_000_000),
    ),
    "LavaGapS7": Planted("never turns right", minigrid("MiniGrid-LavaGapS7-v0", 0.95), everywhere(1), (0, 1),
                         (200_000, 2_000_000)),
    "LavaCrossingS9N1": Planted("never turns left", minigrid("MiniGrid-LavaCrossingS9N1-v0", 0.95), everywhere(0),
                                (0, 1), (200_000, 5_000_000)),
    "DistShift1": Planted("never turns right", minigrid("MiniGrid-DistShift1-v0", 0.95), everywhere(1), (0, 1),
                          (200_000, 5_000_000)),
    "ICU-Sepsis": Planted(
        "does not take the admissible action with the lowest number where there is another",
        icu_sepsis(0.9),
        lowest,
        (0, 1),
        (1_000_000, 5_000_000),
    ),
}


def explored(name: str, samples: int, *, seed: int = 0) -> tuple[set[Pair], set[Pair], hedgerow.Constraint, float]:
    """Pairs of exact inference, pairs that look constrained after exploring, the constraint, and seconds."""
    planted = WORLDS[name]
    environment, env = planted.environment(name)
    exact = set(hedgerow.infer_exact(environment).constrained)
    began = time.perf_counter()
    world: hedgerow.Environment | hedgerow.World = environment
    if env is not None:
        world = hedgerow.World(
            env, expert=environment.expert, gamma=environment.model.gamma, reward_range=planted.rewards, name=name
        )
    found = hedgerow.infer(world, samples=samples, seed=seed, progress=False)
    return exact, set(found.looks_constrained), found, time.perf_counter() - began


def worlds_among(options: argparse.ArgumentParser, given: list[str], known: Iterable[str]) -> list[str]:
    """The worlds that were asked for, or all; one that is not known ends the program with a line."""
    for name in given:
        if name not in known:
            options.error(f"worlds: `{name}` is unknown; use some of {', '.join(known)}")
    return given or list(known)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("worlds", nargs="*", help=f"some of {', '.join(WORLDS)}; all without")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--fraction", type=float, default=1.0, help="of the samples")
    given = options.parse_args()
    names = worlds_among(options, given.worlds, WORLDS)
    print("| world | states | pairs | free | expert | rule | exact | samples | found | false | certified | seconds |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for name in names:
        planted = WORLDS[name]
        environment, _ = planted.environment(name)
        model = environment.model
        rule = int(np.count_nonzero(environment.cost))
        for samples in planted.samples:
            exact, looks, found, seconds = explored(name, int(samples * given.fraction), seed=given.seed)
            print(
                f"| {name} | {model.states} | {model.pairs} | {model.solve().value:.4f} | {environment.expert_reward:.4f} "
                f"| {rule} | {len(exact)} | {found.samples:,} | {len(looks & exact)} | {len(looks - exact)} "
                f"| {len(found.constrained)} | {seconds:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
