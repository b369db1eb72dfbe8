#!/usr/bin/env python3
"""The half-cheetah with a wall: infer a position limit from an expert, and retrain agents under it.

MuJoCo's HalfCheetah-v5 earns the distance it covers, in either direction. Behind it, at x = -3, is a wall that
only the expert knows of. A decision chooses one of two gaits, backward or forward, for 0.2 s; all 18 numbers of
position and velocity are observed. The expert runs on in the direction it is running, and turns round before the
wall. From its choices, asked for along its way and a little off it, the constraint is inferred with
`hedgerow.infer_continuous`. Then agents are trained from nothing, with and without the inferred constraint.
With `--torques` decisions are the six torques of a step instead.

    pip install -r experiments/half_cheetah_requirements.txt
    python experiments/half_cheetah.py --train     # once: the expert's two gaits, into half_cheetah_expert.json
    python experiments/half_cheetah.py             # everything else; figures as JSON with --out FILE

Gaits and agents are linear policies, found by augmented random search in NumPy.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WALL = -3.0
#: The expert cannot stop at once: running backward, it turns so many seconds and meters before the wall.
AHEAD, ROOM = 0.5, 1.5
#: Episodes begin anywhere from here to there, at any speed from here to there.
START, BEGIN_SPEED = (-1.0, 3.0), (-3.0, 1.0)
#: Steps of 0.05 s of an episode, and how many of them a choice of a gait lasts.
STEPS, HOLD = 80, 4
X, SPEED = 0, 9
EXPERT = Path(__file__).with_name("half_cheetah_expert.json")


class Cheetah(gymnasium.Wrapper):  # type: ignore[type-arg]
    """Earns the distance covered, whichever way, and begins anywhere and at any speed of some ranges."""

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
        velocity = bare.data.qvel.copy()
        velocity[0] += bare.np_random.uniform(*BEGIN_SPEED)
        bare.set_state(position, velocity)
        self.steps, self.x = 0, float(position[0])
        return bare._get_obs(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        seen, *_ = self.env.step(action)
        moved, self.x = abs(float(seen[X]) - self.x), float(seen[X])
        self.steps += 1
        return seen, moved, False, self.steps >= STEPS, {}


class Linear:
    """Torques that are linear in what is seen, but for the position."""

    def __init__(self, weights: Floats, mean: Floats, deviation: Floats) -> None:
        self.weights, self.mean, self.deviation = weights, mean, deviation

    def __call__(self, seen: Floats) -> Floats:
        return np.clip(self.weights @ ((seen[1:] - self.mean) / self.deviation), -1.0, 1.0)

    def saved(self) -> dict[str, Any]:
        return {key: np.round(value, 5).tolist() for key, value in vars(self).items()}


class Gaits(gymnasium.Wrapper):  # type: ignore[type-arg]
    """The cheetah, moved by choosing a gait for some steps: 0 backward, 1 forward."""

    def __init__(self, gaits: Sequence[Linear], start: tuple[float, float] = START) -> None:
        super().__init__(Cheetah(start))
        self.action_space = gymnasium.spaces.Discrete(len(gaits))
        self.gaits = gaits
        self.seen: Any = None

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        self.seen, info = self.env.reset(seed=seed, options=options)
        return self.seen, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        total, done, between = 0.0, False, []
        for _ in range(HOLD):
            self.seen, reward, _, done, _ = self.env.step(self.gaits[int(action)](self.seen))
            between.append(self.seen)
            total += float(reward)
        return self.seen, total, False, done, {"seen": between}


class Chooser:
    """An agent: the gait by a linear score of everything that is seen."""

    def __init__(self, weights: Floats, mean: Floats, deviation: Floats) -> None:
        self.weights, self.mean, self.deviation = weights, mean, deviation

    def __call__(self, seen: Floats) -> int:
        score = self.weights[0, 0] + self.weights[0, 1:] @ ((seen - self.mean) / self.deviation)
        return int(score > 0)


Play = Callable[[Any, Callable[[Floats], None]], float]


def search(play: Play, kind: type, shape: tuple[int, int], rounds: int, seed: int) -> Any:
    """Augmented random search: steps along random directions, weighted by what they earned."""
    rng = np.random.default_rng(seed)
    weights, inputs = np.zeros(shape), 18 if kind is Chooser else 17
    count, mean, squares = 0, np.zeros(inputs), np.zeros(inputs)

    def see(seen: Floats) -> None:
        nonlocal count
        count += 1
        off = seen[-inputs:] - mean
        mean[:] += off / count
        squares[:] += off * (seen[-inputs:] - mean)

    scale = (np.zeros(inputs), np.ones(inputs))
    for _ in range(rounds):
        ways = rng.normal(size=(8, *shape))
        earned = np.array([[play(kind(weights + s * 0.03 * w, *scale), see) for s in (1, -1)] for w in ways])
        best = np.argsort(-earned.max(axis=1))[:4]
        step = np.einsum("k,kij->ij", earned[best, 0] - earned[best, 1], ways[best])
        weights = weights + 0.02 / (4 * earned[best].std() + 1e-9) * step
        last, scale = scale, (mean.copy(), np.sqrt(squares / count) + 0.01)
    return kind(weights, *last)


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

    backward = search(gait(-1.0, None), Linear, (6, 17), rounds, 7)
    print("backward gait:", round(measured(env, backward), 2), "m/s", flush=True)
    forward = search(gait(1.0, backward), Linear, (6, 17), 2 * rounds, 8)
    print("forward gait:", round(measured(env, forward), 2), "m/s", flush=True)
    EXPERT.write_text(json.dumps({"backward": backward.saved(), "forward": forward.saved()}) + "\n", encoding="utf-8")


def measured(env: Cheetah, policy: Linear) -> float:
    """Mean speed over 120 steps of 0.05 s."""
    seen, _ = env.reset(seed=1)
    for _ in range(120):
        seen = env.step(policy(seen))[0]
    return float(seen[X]) / 6.0


def the_gaits() -> list[Linear]:
    """Backward and forward."""
    read = json.loads(EXPERT.read_text(encoding="utf-8"))
    return [Linear(**{key: np.array(value) for key, value in read[name].items()}) for name in ("backward", "forward")]


def expert(seen: Floats) -> int:
    """It runs on as it is running, and turns round before the wall."""
    return int(not (seen[SPEED] < 0 and seen[X] + AHEAD * seen[SPEED] > WALL + ROOM))


def beyond(seen: Floats, _: Floats) -> float:
    """The true cost, which only the evaluator is told."""
    return float(seen[X] < WALL)


def episodes(choose: Callable[[Floats], int], count: int, start: tuple[float, float], seed: int) -> list[Floats]:
    """What is seen at every step of episodes of a policy."""
    env = Gaits(the_gaits(), start)
    seen, _ = env.reset(seed=seed)
    paths = []
    for _ in range(count):
        path = [seen]
        for _ in range(STEPS // HOLD):
            seen, *_, told = env.step(choose(seen))
            path += told["seen"]
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


def boundary(found: Any, torques: bool) -> dict[str, Any]:
    """The score of running on backward along x: states of running backward, moved along x."""
    states = np.concatenate(episodes(lambda seen: 0, 20, START, 5))
    states = states[states[:, SPEED] < -1.0][::HOLD]
    backward = the_gaits()[0]
    actions = np.array([backward(s) for s in states]) if torques else np.zeros((len(states), 1))
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
        # Of states at this speed.
        "expert_turns": float(WALL + ROOM - AHEAD * states[:, SPEED].mean()),
        "x": places.tolist(),
        "score": mean.tolist(),
        "quartiles": np.percentile(scores, [25, 75], axis=0).tolist(),
        "crossing_of_mean": float(places[above[-1]]) if len(above) else None,
        "never_forbidden": float(np.isnan(crosses).mean()),
        "crossings": np.nanpercentile(crosses, [25, 50, 75]).tolist() if not np.isnan(crosses).all() else None,
        "score_at": {str(x): float(np.interp(x, places, mean)) for x in (2.0, 1.0, 0.0, -1.0, -2.0, -3.0, -4.0, -5.0)},
    }


def charged(found: Any) -> dict[str, float]:
    """What is charged along the expert's way: its own choices, and the other gait, by what the expert does."""
    states = np.concatenate([path[::HOLD] for path in episodes(expert, 50, START, 6)])
    own = np.array([[expert(s)] for s in states])
    back = own[:, 0] == 0
    other = found.forbidden(states, 1 - own)
    return {
        "own": float(found.forbidden(states, own).mean()),
        "forward_where_it_runs_backward": float(other[back].mean()),
        "backward_where_it_turns": float(other[~back & (states[:, SPEED] < -1.0)].mean()),
        "backward_where_it_runs_forward": float(other[~back & (states[:, SPEED] > 1.0)].mean()),
    }


def retrained(found: Any, seed: int, rounds: int) -> tuple[Chooser, dict[str, float]]:
    """An agent from nothing: under the constraint, or without one."""
    env: Any = Gaits(the_gaits(), (0.0, 0.0))
    if found is not None:
        # A forbidden step ends the episode and costs as much as a good episode earns.
        env = found.wrap(env, mode="end", penalty=10.0)
    rng = np.random.default_rng(seed)

    def play(policy: Chooser, see: Callable[[Floats], None]) -> float:
        seen, _ = env.reset(seed=int(rng.integers(2**31)))
        total = 0.0
        for _ in range(STEPS // HOLD):
            see(seen)
            seen, reward, ended, _, _ = env.step(policy(seen))
            total += reward
            if ended:
                break
        return total

    agent = search(play, Chooser, (1, 19), rounds, seed)
    return agent, judged(episodes(agent, 20, (0.0, 0.0), 1000 + seed))


def drawn(figures: dict[str, Any], paths: dict[str, list[Floats]], file: Path) -> None:
    """The score along x, the calibration, and where agents run."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "half-cheetah", "font.size": 9})
    from matplotlib import pyplot

    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(10.5, 3.6), layout="constrained")
    line = figures["boundary"]
    left.fill_between(line["x"], *line["quartiles"], alpha=0.25, label="quartiles")
    left.plot(line["x"], line["score"], label="mean score")
    left.axvline(WALL, color="black", label="wall")
    left.axvline(line["expert_turns"], color="black", linestyle=":", label="expert turns")
    left.set(xlabel="x (m)", ylabel="score of running backward", ylim=(-0.02, 1.02))
    # Below the axes: within them it would lie over the curves.
    below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.2), "ncols": 2, "frameon": False}
    left.legend(**below)
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
    right.legend(**below)
    figure.savefig(file, metadata={"Date": None})


def main() -> None:
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("--train", action="store_true", help="train the expert's gaits and write them down")
    words.add_argument("--rounds", type=int, default=120, help="rounds of search for gaits and agents")
    words.add_argument("--iterations", type=int, default=250, help="iterations of inference, of 4 episodes each")
    words.add_argument("--strategy", default="pcse")
    words.add_argument("--deviate", type=float, default=0.4, help="longest deviation from the expert, of an episode")
    words.add_argument("--margin", type=float, default=0.03, help="advantages up to this share of their spread are no evidence")
    words.add_argument("--torques", action="store_true", help="decide on torques; infers only")
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--agents", type=int, default=3, help="agents trained with and without the constraint")
    words.add_argument("--out", type=Path, help="write the figures as JSON")
    words.add_argument("--figure", type=Path, help="draw them, as SVG")
    said = words.parse_args()
    if said.train:
        train_gaits(said.rounds)
        return
    import hedgerow

    figures: dict[str, Any] = {"expert": judged(episodes(expert, 50, START, 3))}
    figures["expert where agents begin"] = judged(episodes(expert, 50, (0.0, 0.0), 3))
    figures["always forward"] = judged(episodes(lambda seen: 1, 50, (0.0, 0.0), 3))
    for label, figure in figures.items():
        print(f"{label}:", {k: round(v, 2) for k, v in figure.items()}, flush=True)
    began = time.process_time()
    gaits = the_gaits()
    per = 1 if said.torques else HOLD
    found = hedgerow.infer_continuous(
        Cheetah if said.torques else lambda: Gaits(gaits),
        (lambda seen: gaits[expert(seen)](seen)) if said.torques else expert,
        name="half-cheetah",
        strategy=said.strategy,
        iterations=said.iterations,
        episodes=4,
        seed=said.seed,
        gamma=0.95**per,
        horizon=STEPS // per,
        cost=beyond,
        demonstrations=20,
        deviate=said.deviate,
        margin=said.margin,
    )
    figures["inference"] = {"samples": found.samples, "seconds": time.process_time() - began, "open": found.open}
    figures["calibration"] = {
        "count": found.calibration.count.tolist(),
        "predicted": found.calibration.predicted.tolist(),
        "observed": found.calibration.observed.tolist(),
        "error": found.calibration.error,
        "brier": found.calibration.brier,
    }
    figures["boundary"] = boundary(found, said.torques)
    shown = {k: v for k, v in figures["boundary"].items() if k not in ("x", "score", "quartiles")}
    print(f"inference: {figures['inference']}\ncalibration: {figures['calibration']}\nboundary: {shown}", flush=True)
    if said.torques:
        return
    figures["charged"] = charged(found)
    print("charged:", {k: round(v, 3) for k, v in figures["charged"].items()}, flush=True)
    paths: dict[str, list[Floats]] = {}
    for label, under in (("without", None), ("under the constraint", found)):
        agents = [retrained(under, seed, said.rounds // 2) for seed in range(said.agents)]
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
