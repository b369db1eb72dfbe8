"""What an iteration of every strategy takes, by the example `iteration_cost`."""

import math
import os
import subprocess
import sys

STRATEGIES = ["pcse", "undecided", "bear", "max-entropy", "eps-greedy", "ucb", "random"]
# Those that plan with what was seen in every iteration, and for which there are limits.
PLANNING = ["pcse", "undecided", "bear"]

EARLY = {"full": [7, 31, 63, 127, 301, 1000], "quick": [7, 31, 63, 127, 301, 1000], "smoke": [7]}
COVERED = {"full": [31, 63, 127, 301], "quick": [31, 63, 127], "smoke": [7]}
SHAPES = {"full": [1, 2, 3, 4], "quick": [1, 2, 3, 4], "smoke": [1]}
# Opening so large a map takes long, and in a quick measurement only those with a limit pay for it.
FEW_FROM = {"full": math.inf, "quick": 1000, "smoke": math.inf}
ITERATIONS = {"full": 100, "quick": 50, "smoke": 4}
# Side, iterations and steps of the run whose cost is followed while more and more is seen.
GROWING = {"full": (1000, 150, 8000), "quick": (301, 60, 2500), "smoke": (13, 8, 20)}
# Samples of an early iteration, and of every pair of a covered map.
SAMPLES, EACH = 50, 50


def drawn(work, side, shape):
    """One of the four shapes at this size."""
    command = [sys.executable, "benches/maps.py", str(side), str(work / "maps")]
    command += ["--shapes", str(shape)]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return told.strip()


def iterations(program, path, strategies, count, *settings):
    """One row for every iteration, and the largest memory of all of it."""
    command = [str(program), path, ",".join(strategies), str(count), *settings]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    head, *lines = process.stdout.read().splitlines()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)} failed")
    names = head.split(",")
    rows = [dict(zip(names, line.split(","), strict=True)) for line in lines]
    for row in rows:
        row |= {name: float(row[name]) for name in names if name != "strategy"}
    return rows, 1024 * used.ru_maxrss


def mean(rows, strategy, first, last):
    """Mean milliseconds of the iterations from `first` to `last`, by phase."""
    rows = [r for r in rows if r["strategy"] == strategy and first <= r["iteration"] <= last]
    return {of: sum(r[of] for r in rows) / len(rows) for of in ["plan", "accuracy", "rest", "total"]}


def early(size, work, program):
    """The first iterations of a run but for the very first, and but for the last, which is compared with
    the truth."""
    count = ITERATIONS[size]
    for side in EARLY[size]:
        names = STRATEGIES if side < FEW_FROM[size] else PLANNING
        settings = ["0", f"horizon={SAMPLES}", "judge-every=1000000"]
        rows, peak = iterations(program, drawn(work, side, 1), names, count, *settings)
        for name in names:
            row = {"what": "early", "side": side, "strategy": name, "peak": peak}
            yield row | mean(rows, name, 2, count - 1)


def covered(size, work, program):
    """Iterations 2 to 8 of a run that begins with samples of every pair, comparison with the truth included."""
    for side in COVERED[size]:
        for shape in SHAPES[size]:
            path = drawn(work, side, shape)
            rows, _ = iterations(program, path, STRATEGIES, 8, str(EACH))
            for name in STRATEGIES:
                row = {"what": "covered", "side": side, "shape": shape, "strategy": name}
                yield row | mean(rows, name, 2, 8)


def growing(size, work, program):
    """Every iteration of a run that sees more and more of a large map."""
    side, count, steps = GROWING[size]
    settings = ["0", f"horizon={steps}", "judge-every=1000000"]
    rows, _ = iterations(program, drawn(work, side, 1), PLANNING, count, *settings)
    for row in rows:
        if 2 <= row["iteration"] < count:
            of = {name: row[name] for name in ["strategy", "iteration", "seen", "total"]}
            yield {"what": "growing", "side": side, "steps": steps} | of


def measured(size, work, program):
    for part in [early, covered, growing]:
        yield from part(size, work, program)
