"""Runs all measurements one after the other, and writes tables and figure."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

GAMMAS = [0.9, 0.99, 0.999]
SIZES = {"full": [10**4, 10**5, 10**6], "quick": [10**4, 10**5, 10**6], "smoke": [1000]}
ROUNDS = {"full": 3, "quick": 1, "smoke": 1}
PEERS = ["scipy", "quantecon", "mdpsolver", "mdpsolver-parallel", "storm"]
# Lists of Python for a million states take it some 30 GB.
SMALL_ONLY = {"mdpsolver": 10**5, "mdpsolver-parallel": 10**5}
# What it takes minutes to solve is left out of a quick measurement.
QUICK_ONLY = {"quantecon": 10**5, "storm": 10**5}
SIDES = {"full": [7, 31, 127, 301, 1000], "quick": [7, 31, 127], "smoke": [7]}
RUNS = {"full": 10_000, "quick": 200, "smoke": 4}
STRATEGIES = ["pcse", "undecided", "bear", "max-entropy", "eps-greedy", "ucb", "random"]


def lines(command):
    """What a program prints, one object for each line."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def clocked(command):
    """Processor seconds, wall seconds and largest memory of a program."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    if status != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed")
    return {
        "processor": used.ru_utime + used.ru_stime,
        "wall": wall,
        "peak": 1024 * used.ru_maxrss,
    }


def solvers(size, work, bench):
    rows = []
    for family in ["random", "grid"]:
        for states in SIZES[size]:
            for gamma in GAMMAS:
                best = {}
                for _ in range(ROUNDS[size]):
                    folder = work / "model"
                    found = lines([bench, "solve", family, str(states), str(gamma), str(folder)])
                    peers = [p for p in PEERS if states <= SMALL_ONLY.get(p, states)]
                    if size != "full":
                        peers = [p for p in peers if states <= QUICK_ONLY.get(p, states)]
                    command = [sys.executable, "benches/solvers/peers.py", folder, str(gamma)]
                    found += lines([*map(str, command), ",".join(peers)])
                    for line in found:
                        old = best.get(line["what"])
                        if old is None or line.get("seconds", 0) < old.get("seconds", 0):
                            best[line["what"]] = line
                row = {"family": family, "states": states, "gamma": gamma, "found": best}
                rows.append(row)
                print(json.dumps(row), flush=True)
    return rows


def constrained(size, work, bench):
    rows = []
    for states in {"full": [400, 2500, 10**4, 10**5], "quick": [400, 2500, 10**4]}.get(size, [400]):
        folder = work / "constrained"
        found = lines([bench, "constrained", str(states), "0.9", str(folder)])
        command = [sys.executable, "benches/solvers/program.py", str(folder), "0.9"]
        if states <= 10**4:
            found += lines(command)
        row = {"states": states, "found": {line["what"]: line for line in found}}
        rows.append(row)
        print(json.dumps(row), flush=True)
    return rows


def world(path, side, gamma):
    """A map with a constrained wall that leaves a gap at the right."""
    cells = [["."] * side for _ in range(side)]
    for column in range(side * 5 // 7):
        cells[side // 2][column] = "x"
    cells[0][0], cells[-1][0] = "S", "G"
    text = "\n".join(" ".join(line) for line in reversed(cells))
    path.write_text(f'gamma = {gamma}\nmap = """\n{text}\n"""\n')
    return str(path)


def commands(size, work, hedgerow):
    """Commands on maps of growing size."""
    rows = []
    for side in {"full": [101, 251, 501, 1000], "quick": [101, 501, 1000]}.get(size, [11]):
        for gamma in [0.7, 0.99]:
            path = world(work / f"map-{side}.toml", side, gamma)
            for name, command in {
                "solve": ["solve", path],
                "infer --exact": ["infer", path, "--exact"],
            }.items():
                row = {"side": side, "gamma": gamma, "command": name}
                rows.append(row | clocked([hedgerow, *command]))
                print(json.dumps(rows[-1]), flush=True)
    return rows


def strategies(size, work, hedgerow):
    """One iteration of every strategy, early: 50 samples each."""
    rows = []
    for side in SIDES[size]:
        path = world(work / f"run-{side}.toml", side, 1 - 2.1 / side if side > 7 else 0.7)
        for strategy in STRATEGIES:
            run = [hedgerow, "run", "--env", path, "--strategy", strategy, "--seeds", "0..1"]
            times = {}
            for iterations in [1, 21]:
                out = work / "runs"
                command = [*run, "--iterations", str(iterations), "--fresh", "--quiet"]
                times[iterations] = clocked([*command, "--out", str(out)])
            each = (times[21]["processor"] - times[1]["processor"]) / 20
            rows.append({"side": side, "strategy": strategy, "seconds": max(each, 0.0)})
            print(json.dumps(rows[-1]), flush=True)
    return rows


def sweep(size, work, bench, hedgerow):
    """Many short runs, certified inference, and rules that sum up verdicts."""
    runs = RUNS[size]
    command = [hedgerow, "run", "--env", "gridworld-1", "--strategy", "random", "--quiet", "--fresh"]
    command += ["--iterations", "10", "--seeds", f"0..{runs}", "--out", str(work / "sweep")]
    rows = [{"what": f"sweep of {runs} runs"} | clocked(command)]
    rows.append({"what": "infer gridworld-3"} | clocked([hedgerow, "infer", "gridworld-3"]))
    side = 1000 if size != "smoke" else 20
    what = f"rules of {side * side * 4:,} pairs"
    rows.append({"what": what} | clocked([bench, "rules", str(side)]))
    return rows


PARTS = {
    "solvers": lambda size, work, bench, _: solvers(size, work, bench),
    "constrained": lambda size, work, bench, _: constrained(size, work, bench),
    "commands": lambda size, work, _, hedgerow: commands(size, work, hedgerow),
    "strategies": lambda size, work, _, hedgerow: strategies(size, work, hedgerow),
    "sweep": sweep,
}


def version():
    """The commit that is measured, marked if the files are not those of it."""
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude", "*"], stdout=subprocess.PIPE, text=True
    )
    return said.stdout.strip() or "unknown"


def main():
    size, work, bench, hedgerow = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    parts = sys.argv[5:] or list(PARTS)
    for part in parts:
        by = f"`benches/run.sh {size} {part}`, commit {version()}, {os.cpu_count()} processors"
        found = {"measured": by}
        if part == "solvers":
            found["copy"] = lines([bench, "copy", "400000000" if size != "smoke" else "1000000"])
        found[part] = PARTS[part](size, work, bench, hedgerow)
        path = work / f"found-{part}.json"
        path.write_text(json.dumps(found, indent=1))
        # What is measured stays, whatever becomes of the rest. A process of its own, since the memory of
        # this one counts as that of the programs it starts.
        folder = "docs" if size != "smoke" else work
        command = [sys.executable, "benches/solvers/report.py", path, part, folder]
        subprocess.run(list(map(str, command)), check=True)


if __name__ == "__main__":
    main()
