"""Solves the occupancy program of a model with one budget with HiGHS."""

import json
import sys
import time
from pathlib import Path

import highspy
import numpy as np
import scipy.sparse as sparse
from peers import Model


def main():
    folder, gamma = Path(sys.argv[1]), float(sys.argv[2])
    model = Model(folder, gamma)
    cost = np.fromfile(folder / "cost.bin", dtype="<f8")
    budget = float(np.fromfile(folder / "budget.bin", dtype="<f8")[0])
    pairs, states = len(model.state), model.states
    ones = (np.ones(pairs), (model.state, np.arange(pairs)))
    flow = sparse.csr_matrix(ones, shape=(states, pairs)) - gamma * model.rows.T
    live = model.first[:-1] < model.first[1:]
    matrix = sparse.vstack([flow.tocsr()[live], sparse.csr_matrix(cost)]).tocsr()
    start = np.zeros(states)
    start[0] = 1.0
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = pairs, matrix.shape[0]
    program.col_cost_ = -model.reward
    program.col_lower_, program.col_upper_ = np.zeros(pairs), np.full(pairs, highspy.kHighsInf)
    program.row_lower_ = np.concatenate([start[live], [-highspy.kHighsInf]])
    program.row_upper_ = np.concatenate([start[live], [budget]])
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = matrix.indptr
    program.a_matrix_.index_ = matrix.indices
    program.a_matrix_.value_ = matrix.data
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.passModel(program)
    begin = time.perf_counter()
    solver.run()
    seconds = time.perf_counter() - begin
    reward = -solver.getInfo().objective_function_value
    print(json.dumps({"what": "highs", "seconds": seconds, "reward": reward}))


if __name__ == "__main__":
    main()
