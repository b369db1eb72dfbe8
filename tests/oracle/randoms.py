"""Random models of every kind that the command takes."""

import numpy as np

from model import Model

GAMMAS = [0.0, 0.3, 0.9, 0.99, 0.999, 0.9999, 0.99999]


def outcomes_of(rng, s, a, states, ends):
    """One to three outcomes of a pair; some given twice, some ending the episode."""
    width = rng.integers(1, min(3, states) + 1)
    following = rng.choice(states, size=width, replace=False)
    share = rng.uniform(0.05, 1.0, size=width)
    share /= share.sum()
    paid = rng.random() < 0.5
    for n, p in zip(following, share):
        reward = float(rng.normal()) if paid else 0.0
        ending = bool(ends and rng.random() < 0.2)
        if rng.random() < 0.1:
            # The same transition in two halves, as tables of other programs have it.
            yield (s, a, int(n), float(p) / 2, reward, ending)
            yield (s, a, int(n), float(p) / 2, reward, ending)
        else:
            yield (s, a, int(n), float(p), reward, ending)


def random_model(rng, states=(2, 12), gammas=GAMMAS, signs=True):
    """A model with pair rewards and transition rewards of both signs, terminals and endings."""
    n = int(rng.integers(states[0], states[1] + 1))
    terminal = {n - 1} if n > 2 and rng.random() < 0.5 else set()
    live = n - len(terminal)
    ends = rng.random() < 0.5
    outcomes, rewards, cost = [], {}, {}
    for s in range(live):
        actions = rng.choice(3, size=rng.integers(1, 4), replace=False)
        for a in sorted(int(a) for a in actions):
            outcomes += outcomes_of(rng, s, a, n, ends)
            if rng.random() < 0.7:
                r = rng.normal()
                rewards[s, a] = float(r if signs else abs(r))
            if rng.random() < 0.5:
                cost[s, a] = float(rng.uniform(0.05, 1.0))
    starts = rng.choice(live, size=rng.integers(1, min(3, live) + 1), replace=False)
    share = rng.uniform(0.1, 1.0, size=len(starts))
    share /= share.sum()
    start = {int(s): float(p) for s, p in zip(starts, share)}
    gamma = float(rng.choice(gammas))
    return Model(n, ["a", "b", "c"], gamma, start, outcomes, terminal, rewards, cost)


def seeded(seed, number):
    """The generator of the n-th model of a test."""
    return np.random.default_rng([seed, number])
