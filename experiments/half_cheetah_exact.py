#!/usr/bin/env python3
"""The half-cheetah with a wall: what exact inference would charge, and what agents do under it.

The simulator can be set back, so the true advantage of a decision is found by playing on from the same state: the
decision and then the expert, against the expert at once. How often the other gait earns more than the
expert's, along the expert's way, says how much of what is charged is the wall and how much the expert's own
mistakes. Agents trained under the true advantages show the best that inference from this expert can do.

    pip install -r experiments/half_cheetah_requirements.txt
    python experiments/half_cheetah_exact.py --states 2000 --thresholds 0.02,0.2
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from half_cheetah import HOLD, SPEED, START, STEPS, Chooser, Floats, Gaits, episodes, expert, judged, search, the_gaits

GAMMA = 0.95**HOLD


class Forked(Gaits):
    """Gaits that can be tried and taken back."""

    def value(self, action: int, decisions: int) -> float:
        """What a decision and then the expert earn; nothing has happened afterwards."""
        bare: Any = self.unwrapped
        inner: Any = self.env
        data = bare.data
        kept = data.qpos.copy(), data.qvel.copy(), data.qacc_warmstart.copy(), inner.x, inner.steps, self.seen.copy()
        inner.steps = 0
        total, discount = 0.0, 1.0
        for _ in range(decisions):
            seen, reward, *_ = self.step(action)
            total += discount * reward
            discount *= GAMMA
            action = expert(seen)
        bare.set_state(kept[0], kept[1])
        data.qacc_warmstart[:] = kept[2]
        inner.x, inner.steps, self.seen = kept[3:]
        return total

    def gain(self, action: int, decisions: int) -> float:
        """The advantage of a decision over the expert's."""
        own = expert(self.seen)
        return self.value(action, decisions) - self.value(own, decisions) if action != own else 0.0


def along(count: int) -> None:
    """The advantages of the other gait along the expert's way, a little off it."""
    env, rng = Forked(the_gaits(), START), np.random.default_rng(5)
    seen, _ = env.reset(seed=77)
    states, gains = [], []
    while len(states) < count:
        own = expert(seen)
        states.append((own, seen[SPEED]))
        gains.append(env.gain(1 - own, 25))
        seen, *_ = env.step(own if rng.random() < 0.85 else 1 - own)
        if len(states) % (STEPS // HOLD) == 0:
            seen, _ = env.reset()
    own, speed, gain = np.array(states)[:, 0], np.array(states)[:, 1], np.array(gains)
    print(f"deviation of advantages: {gain.std():.2f}")
    for label, chosen in {
        "forward where it runs backward": own == 0,
        "backward where it turns": (own == 1) & (speed < -1),
        "backward where it runs forward": (own == 1) & (speed > 1),
    }.items():
        some = np.percentile(gain[chosen], [10, 50, 90])
        above = {t: round(float((gain[chosen] > t).mean()), 2) for t in (0.02, 0.2)}
        print(f"{label}: {chosen.sum()} states, 10, 50, 90 % {np.round(some, 2)}, share above {above}", flush=True)


def retrained(threshold: float, seed: int, rounds: int) -> dict[str, float]:
    """An agent from nothing; a decision that earns more than the expert by more than the threshold ends the episode."""
    env, rng = Forked(the_gaits(), (0.0, 0.0)), np.random.default_rng(seed)

    def play(policy: Chooser, see: Callable[[Floats], None]) -> float:
        seen, _ = env.reset(seed=int(rng.integers(2**31)))
        total = 0.0
        for _ in range(STEPS // HOLD):
            see(seen)
            action = policy(seen)
            if env.gain(action, 12) > threshold:
                return total - 10.0
            seen, reward, *_ = env.step(action)
            total += reward
        return total

    return judged(episodes(search(play, Chooser, (1, 19), rounds, seed), 20, (0.0, 0.0), 1000 + seed))


def main() -> None:
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("--states", type=int, default=2000, help="states along the expert's way")
    words.add_argument("--thresholds", default="0.02,0.2", help="advantages above which agents may not decide so")
    words.add_argument("--agents", type=int, default=3, help="agents for each of them")
    words.add_argument("--rounds", type=int, default=60, help="rounds of search for agents")
    said = words.parse_args()
    along(said.states)
    for threshold in map(float, filter(None, said.thresholds.split(","))):
        for seed in range(said.agents):
            found = retrained(threshold, seed, said.rounds)
            print(f"threshold {threshold}, agent {seed}:", {k: round(v, 2) for k, v in found.items()}, flush=True)


if __name__ == "__main__":
    main()
