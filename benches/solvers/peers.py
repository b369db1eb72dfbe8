"""Solves a model that `bench` wrote with other programs, and prints one line of JSON for each.

Every answer is checked alike: with `T` the Bellman operator, `max |T V - V| / (1 - gamma)` bounds how
far `V` is from the optimum. Times are those of solving, not of handing the model over.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sparse

TOLERANCE = 1e-6


class Model:
    """Pairs by state, transitions by pair."""

    def __init__(self, folder, gamma):
        def read(name, kind):
            return np.fromfile(folder / f"{name}.bin", dtype=kind)

        self.gamma = gamma
        self.folder = folder
        self.state = read("state", "<u4").astype(np.int64)
        self.action = read("action", "<u4").astype(np.int64)
        self.reward = read("reward", "<f8")
        ends = read("ends", "<u8").astype(np.int64)
        self.start = np.concatenate([[0], ends])
        self.next = read("next", "<u4").astype(np.int32)
        self.prob = read("prob", "<f8")
        self.states = max(int(self.state.max()), int(self.next.max())) + 1
        # State s has the pairs first[s] .. first[s + 1]; a terminal state has none.
        self.first = np.searchsorted(self.state, np.arange(self.states + 1))
        shape = (len(self.state), self.states)
        self.rows = sparse.csr_matrix((self.prob, self.next, self.start), shape=shape)

    def error(self, values):
        """The certified error of values."""
        q = self.reward + self.gamma * (self.rows @ values)
        best = np.zeros(self.states)
        live = self.first[:-1] < self.first[1:]
        best[live] = np.maximum.reduceat(q, self.first[:-1][live])
        return float(np.abs(best - values).max() / (1 - self.gamma))


def scipy_mpi(model):
    """Modified policy iteration in some twenty lines of SciPy."""
    gamma, first = model.gamma, model.first
    live = np.flatnonzero(first[:-1] < first[1:])
    values = np.zeros(model.states)
    while True:
        q = model.reward + gamma * (model.rows @ values)
        best = np.zeros(model.states)
        best[live] = np.maximum.reduceat(q, first[:-1][live])
        change = best - values
        low, high = change.min(), change.max()
        values = best
        if max(high, -low) * gamma / (1 - gamma) <= TOLERANCE:
            return values
        # Where no episode ends, all values may lack the same: bounds of MacQueen.
        if len(live) == model.states and (high - low) * gamma / (1 - gamma) <= TOLERANCE:
            return values + 0.5 * (high + low) * gamma / (1 - gamma)
        chosen = np.flatnonzero(q >= best[model.state])
        _, at = np.unique(model.state[chosen], return_index=True)
        chosen = chosen[at]
        policy, earned = model.rows[chosen], model.reward[chosen]
        for _ in range(20):
            values[live] = earned + gamma * (policy @ values)


def quantecon(model):
    from quantecon.markov import DiscreteDP

    # It has no terminal states: one becomes a pair that stays for nothing.
    ended = np.flatnonzero(model.first[:-1] == model.first[1:])
    stay = sparse.csr_matrix(
        (np.ones(len(ended)), (np.arange(len(ended)), ended)), shape=(len(ended), model.states)
    )
    rows = sparse.vstack([model.rows, stay]).tocsr()
    reward = np.concatenate([model.reward, np.zeros(len(ended))])
    state = np.concatenate([model.state, ended])
    action = np.concatenate([model.action, np.zeros(len(ended), dtype=np.int64)])
    solved = lambda ddp: ddp.solve(method="mpi", epsilon=TOLERANCE, max_iter=1_000_000)
    # Its loops are compiled when they are first used: on a model with one state, which is not timed.
    solved(DiscreteDP(reward[:1], sparse.csr_matrix([[1.0]]), model.gamma, state[:1], action[:1]))
    ddp = DiscreteDP(reward, rows, model.gamma, state, action)
    begin = time.perf_counter()
    found = solved(ddp)
    return found.v, time.perf_counter() - begin


def mdpsolver(model, parallel):
    import mdpsolver as package

    probs, columns, rewards = [], [], []
    for s in range(model.states):
        pairs = range(model.first[s], model.first[s + 1])
        if not pairs:
            probs.append([[1.0]])
            columns.append([[s]])
            rewards.append([0.0])
            continue
        spans = [slice(model.start[p], model.start[p + 1]) for p in pairs]
        probs.append([model.prob[span].tolist() for span in spans])
        columns.append([model.next[span].tolist() for span in spans])
        rewards.append([float(model.reward[p]) for p in pairs])
    # A fresh object for every measurement: it keeps its last answer.
    mdp = package.model()
    mdp.mdp(discount=model.gamma, rewards=rewards, tranMatProbs=probs, tranMatColumns=columns)
    begin = time.perf_counter()
    mdp.solve(
        algorithm="mpi",
        tolerance=TOLERANCE,
        parallel=parallel,
        postProcessing=False,
        makeFinalCheck=False,
    )
    seconds = time.perf_counter() - begin
    return np.array(mdp.getValueVector()), seconds


def storm(model):
    import stormpy
    from stormpy.environments import Environment, MinMaxMethod
    from stormpy.io import UmbImportOptions

    options = UmbImportOptions()
    options.build_state_valuations = False
    built = stormpy.build_model_from_umb(str(model.folder / "model.umb"), options=options)
    environment = Environment()
    solver = environment.solver().min_max()
    solver.method = MinMaxMethod.VALUE_ITERATION
    # It stops on the change of a sweep.
    limit = TOLERANCE * (1 - model.gamma) / 2
    solver.precision = stormpy.Rational(f"{limit:.20f}")
    solver.relative_termination_criterion = False
    formula = stormpy.parse_property(f"Rmax=? [ Cdiscount={model.gamma!r} ]")
    begin = time.perf_counter()
    found = stormpy.model_checking(built, formula, environment=environment)
    seconds = time.perf_counter() - begin
    return np.array(found.get_value_vector()), seconds


def timed(solver, model):
    begin = time.perf_counter()
    values = solver(model)
    return values, time.perf_counter() - begin


PEERS = {
    "scipy": lambda m: timed(scipy_mpi, m),
    "quantecon": quantecon,
    "mdpsolver": lambda m: mdpsolver(m, False),
    "mdpsolver-parallel": lambda m: mdpsolver(m, True),
    "storm": storm,
}


def main():
    folder, gamma, names = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3].split(",")
    model = Model(folder, gamma)
    for name in ["modified", "value"]:
        values = np.fromfile(folder / f"values-{name}.bin", dtype="<f8")
        print(json.dumps({"what": f"{name}-checked", "error": model.error(values)}), flush=True)
    for name in names:
        try:
            values, seconds = PEERS[name](model)
            line = {"what": name, "seconds": seconds, "error": model.error(values)}
        except Exception as e:  # A peer that fails is a result, too.
            line = {"what": name, "failed": f"{type(e).__name__}: {e}"[:200]}
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
