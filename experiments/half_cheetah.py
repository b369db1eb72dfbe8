#!/usr/bin/env python3
"""The half-cheetah with a wall: infer a position limit from an expert, and retrain agents under it.

MuJoCo's HalfCheetah-v5 earns the distance it covers in a step, in either direction. Behind it, at x = -3, is a
wall that only the expert knows of. The expert runs on in the direction it is running; it turns round before the
wall. From its actions, asked for along its way and a little off it, the constraint is inferred with
`hedgerow.infer_continuous`. Then agents are trained from nothing, with and without the inferred constraint.

    pip install -r experiments/half_cheetah_requirements.txt
    python experiments/half_cheetah.py --train     # once: the expert's two gaits, into half_cheetah_expert.json
    python experiments/half_cheetah.py             # everything else; figures as JSON with --out FILE

Gaits and agents are linear policies, found by augmented random search in NumPy.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WALL = -3.0
#: Where the expert, running backward, begins to turn: it needs the rest of the way to stop.
TURN = -1.0
#: Episodes begin anywhere from here to there.
START = (-1.0, 3.0)
HORIZON = 80
GAMMA = 0.95
X, SPEED = 0, 9
EXPERT = Path(__file__).with_name("half_cheetah_expert.json")


class Cheetah(gymnasium.Wrapper):  # type: ignore[type-arg]
    """Earns the distance covered, whichever way, and begins anywhere from `START`, in meters."""

    def __init__(self, start: tuple[float, float] = START) -> None:
        # The position is part of what is seen: the wall is a matter of it.
        super().__init__(gymnasium.make("HalfCheetah-v5", exclude_current_positions_from_observation=False).unwrapped)
        self.start = start
        self.steps, self.x = 0, 0.0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        self.env.reset(seed=seed, options=options)
        bare: Any = self.unwrapped
        position = bare.data.qpos.copy()
        position[0] += bare.np_random.uniform(*self.start)
        bare.set_state(position, bare.data.qvel.copy())
        self.steps, self.x = 0, float(position[0])
        return bare._get_obs(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        seen, *_ = self.env.step(action)
        moved, self.x = abs(float(seen[X]) - self.x), float(seen[X])
        self.steps += 1
        return seen, moved, False, self.steps >= HORIZON, {}


class Linear:
    """Torques that are linear in what is seen, but for the position."""

    def __init__(self, weights: Floats, mean: Floats, deviation: Floats) -> None:
        self.weights, self.mean, self.deviation = weights, mean, deviation

    def __call__(self, seen: Floats) -> Floats:
        return np.clip(self.weights @ ((seen[1:] - self.mean) / self.deviation), -1.0, 1.0)

    def saved(self) -> dict[str, Any]:
        return {key: np.round(value, 5).tolist() for key, value in vars(self).items()}


Play = Callable[[Linear, Callable[[Floats], None]], float]


def search(play: Play, rounds: int, seed: int, begin: Linear | None = None) -> Linear:
    """Augmented random search: steps along random directions, weighted by what they earned."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((6, 17)) if begin is None else begin.weights.copy()
    count, mean, squares = 0, np.zeros(17), np.zeros(17)

    def see(seen: Floats) -> None:
        nonlocal count
        count += 1
        off = seen[1:] - mean
        mean[:] += off / count
        squares[:] += off * (seen[1:] - mean)

    for _ in range(rounds):
        fixed = begin is not None or count == 0
        scale = (mean.copy(), np.sqrt(squares / max(count, 1)) + 0.01)
        if fixed:
            scale = (np.zeros(17), np.ones(17)) if begin is None else (begin.mean, begin.deviation)
        ways = rng.normal(size=(8, 6, 17))
        earned = np.array([[play(Linear(weights + s * 0.03 * w, *scale), see) for s in (1, -1)] for w in ways])
        best = np.argsort(-earned.max(axis=1))[:4]
        step = np.einsum("k,kij->ij", earned[best, 0] - earned[best, 1], ways[best])
        weights = weights + 0.02 / (4 * earned[best].std() + 1e-9) * step
    return Linear(weights, *scale)


def train_gaits(rounds: int) -> None:
    """The gaits: backward from rest; forward from rest or from running backward, so that it can turn."""
    env = Cheetah((0.0, 0.0))
    rng = np.random.default_rng(1)

    def gait(sign: float, before: Linear | None) -> Play:
        def play(policy: Linear, see: Callable[[Floats], None]) -> float:
            seen, _ = env.reset(seed=int(rng.integers(2**31)))
            for _ in range(int(rng.integers(0, 40)) if before and rng.random() < 0.6 else 0):
                seen = env.step(before(seen))[0] if before else seen
            total = 0.0
            for _ in range(120):
                see(seen)
                action = policy(seen)
                seen = env.step(action)[0]
                # A little for saving force: it makes gaits steadier.
                total += sign * float(seen[SPEED]) - 0.1 * float(action @ action)
            return total

        return play

    backward = search(gait(-1.0, None), rounds, 7)
    print("backward gait:", round(measured(env, backward), 2), "m/s", flush=True)
    forward = search(gait(1.0, backward), 2 * rounds, 8)
    print("forward gait:", round(measured(env, forward), 2), "m/s", flush=True)
    EXPERT.write_text(json.dumps({"backward": backward.saved(), "forward": forward.saved()}) + "\n", encoding="utf-8")


def measured(env: Cheetah, policy: Linear) -> float:
    """Mean speed over 120 steps of 0.05 s."""
    seen, _ = env.reset(seed=1)
    for _ in range(120):
        seen = env.step(policy(seen))[0]
    return float(seen[X]) / 6.0


def the_expert() -> tuple[Callable[[Floats], Floats], Linear]:
    """The expert, and its backward gait."""
    read = json.loads(EXPERT.read_text(encoding="utf-8"))
    gaits = {name: Linear(**{key: np.array(value) for key, value in gait.items()}) for name, gait in read.items()}

    def expert(seen: Floats) -> Floats:
        backward = seen[SPEED] < 0 and seen[X] > TURN
        return gaits["backward" if backward else "forward"](seen)

    return expert, gaits["backward"]


def beyond(seen: Floats, _: Floats) -> float:
    """The true cost, which only the evaluator is told."""
    return float(seen[X] < WALL)


def episodes(policy: Callable[[Floats], Floats], count: int, start: tuple[float, float], seed: int) -> list[Floats]:
    """What is seen in episodes of a policy."""
    env = Cheetah(start)
    seen, _ = env.reset(seed=seed)
    paths = []
    for _ in range(count):
        path = [seen]
        for _ in range(HORIZON):
            seen = env.step(policy(seen))[0]
            path.append(seen)
        paths.append(np.array(path))
        seen, _ = env.reset()
    return paths


def judged(paths: list[Floats]) -> dict[str, float]:
    """Distance covered, where it ended, and how often beyond the wall."""
    ways = [path[:, X] for path in paths]
    return {
        "distance": float(np.mean([np.abs(np.diff(x)).sum() for x in ways])),
        "final_x": float(np.mean([x[-1] for x in ways])),
        "least_x": float(np.min([x.min() for x in ways])),
        "steps_beyond": float(np.mean([(x < WALL).mean() for x in ways])),
        "episodes_beyond": float(np.mean([(x < WALL).any() for x in ways])),
    }


def boundary(found: Any, backward: Linear) -> dict[str, Any]:
    """The score along x, at states and actions of running backward that are moved along x."""
    states = np.concatenate(episodes(backward, 6, START, 5))
    states = states[(states[:, SPEED] < -1.0)][::4]
    actions = np.array([backward(s) for s in states])
    places = np.linspace(-8.0, 4.0, 121)
    scores = np.empty((len(states), len(places)))
    for j, x in enumerate(places):
        moved = states.copy()
        moved[:, X] = x
        scores[:, j] = found.cost(moved, actions)
    # From the right: the first place from which it is forbidden.
    forbidden = scores >= found.threshold
    crosses = np.array([places[np.flatnonzero(f)[-1]] if f.any() else np.nan for f in forbidden])
    mean = scores.mean(axis=0)
    above = np.flatnonzero(mean >= found.threshold)
    return {
        "states": len(states),
        "speed": float(states[:, SPEED].mean()),
        "x": places.tolist(),
        "score": mean.tolist(),
        "quartiles": np.percentile(scores, [25, 75], axis=0).tolist(),
        "crossing_of_mean": float(places[above[-1]]) if len(above) else None,
        "never_forbidden": float(np.isnan(crosses).mean()),
        "crossings": np.nanpercentile(crosses, [25, 50, 75]).tolist() if not np.isnan(crosses).all() else None,
        "score_at": {str(x): float(np.interp(x, places, mean)) for x in (2.0, 1.0, 0.0, -1.0, -2.0, -3.0, -4.0, -5.0)},
    }


def retrained(found: Any, seed: int, rounds: int) -> tuple[Linear, dict[str, float]]:
    """An agent from nothing: under the constraint, or without one."""
    # A forbidden step ends the episode and costs as much as a good episode earns.
    env: Any = Cheetah((0.0, 0.0)) if found is None else found.wrap(Cheetah((0.0, 0.0)), mode="end", penalty=10.0)
    rng = np.random.default_rng(seed)

    def play(policy: Linear, see: Callable[[Floats], None]) -> float:
        seen, _ = env.reset(seed=int(rng.integers(2**31)))
        total = 0.0
        for _ in range(HORIZON):
            see(seen)
            seen, reward, ended, _, _ = env.step(policy(seen))
            total += reward
            if ended:
                break
        return total

    agent = search(play, rounds, seed)
    return agent, judged(episodes(agent, 10, (0.0, 0.0), 1000 + seed))


def drawn(figures: dict[str, Any], paths: dict[str, list[Floats]], file: Path) -> None:
    """The score along x, the calibration, and where agents run."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "half-cheetah", "font.size": 9})
    from matplotlib import pyplot

    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(10.5, 3.2), layout="constrained")
    line = figures["boundary"]
    left.fill_between(line["x"], *line["quartiles"], alpha=0.25, label="quartiles")
    left.plot(line["x"], line["score"], label="mean score")
    left.axvline(WALL, color="black", label="wall")
    left.axvline(TURN, color="black", linestyle=":", label="expert turns")
    left.set(xlabel="x (m)", ylabel="score of running backward", ylim=(-0.02, 1.02))
    left.legend(frameon=False)
    curve = figures["calibration"]
    known = [i for i, n in enumerate(curve["count"]) if n]
    middle.plot([0, 1], [0, 1], color="black", linewidth=0.8)
    middle.plot([curve["predicted"][i] for i in known], [curve["observed"][i] for i in known], marker="o")
    middle.set(xlabel="predicted score", ylabel="share charged (held out)")
    for (label, ways), colour in zip(paths.items(), ("tab:red", "tab:blue"), strict=True):
        for i, path in enumerate(ways):
            time_ = 0.05 * np.arange(len(path))
            right.plot(time_, path[:, X], color=colour, alpha=0.7, label=label if i == 0 else None)
    right.axhline(WALL, color="black")
    right.set(xlabel="time (s)", ylabel="x (m) of agents")
    right.legend(frameon=False)
    figure.savefig(file, metadata={"Date": None})


def main() -> None:
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("--train", action="store_true", help="train the expert's gaits and write them down")
    words.add_argument("--rounds", type=int, default=120, help="rounds of search for gaits and agents")
    words.add_argument("--iterations", type=int, default=80, help="iterations of inference, of 4 episodes each")
    words.add_argument("--strategy", default="pcse")
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--agents", type=int, default=3, help="agents trained with and without the constraint")
    words.add_argument("--out", type=Path, help="write the figures as JSON")
    words.add_argument("--figure", type=Path, help="draw them, as SVG")
    said = words.parse_args()
    if said.train:
        train_gaits(said.rounds)
        return
    import hedgerow

    expert, backward = the_expert()
    figures: dict[str, Any] = {"expert": judged(episodes(expert, 50, START, 3))}
    print("expert:", figures["expert"], flush=True)
    began = time.process_time()
    found = hedgerow.infer_continuous(
        Cheetah,
        expert,
        name="half-cheetah",
        strategy=said.strategy,
        iterations=said.iterations,
        episodes=4,
        seed=said.seed,
        gamma=GAMMA,
        horizon=HORIZON,
        cost=beyond,
        demonstrations=20,
        deviate=0.05,
    )
    figures["inference"] = {"samples": found.samples, "seconds": time.process_time() - began, "open": found.open}
    figures["calibration"] = {
        "count": found.calibration.count.tolist(),
        "predicted": found.calibration.predicted.tolist(),
        "observed": found.calibration.observed.tolist(),
        "error": found.calibration.error,
        "brier": found.calibration.brier,
    }
    figures["boundary"] = boundary(found, backward)
    shown = {k: v for k, v in figures["boundary"].items() if k not in ("x", "score", "quartiles")}
    print(f"inference: {figures['inference']}\ncalibration: {figures['calibration']}\nboundary: {shown}", flush=True)
    paths: dict[str, list[Floats]] = {}
    for label, under in (("without", None), ("under the constraint", found)):
        agents = [retrained(under, seed, said.rounds) for seed in range(said.agents)]
        figures[label] = [figure for _, figure in agents]
        paths[label] = [path for agent, _ in agents for path in episodes(agent, 2, (0.0, 0.0), 4)]
        for figure in figures[label]:
            print(f"agent {label}:", {k: round(v, 2) for k, v in figure.items()}, flush=True)
    figures["seconds"] = time.process_time() - began
    print("processor time:", round(figures["seconds"]), "s")
    if said.out:
        said.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if said.figure:
        drawn(figures, paths, said.figure)


if __name__ == "__main__":
    main()
