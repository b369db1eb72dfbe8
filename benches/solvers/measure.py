"""Runs all measurements one after the other, and writes tables and figure."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import iterations

GAMMAS = [0.9, 0.99, 0.999]
SIZES = {"full": [10**4, 10**5, 10**6], "quick": [10**4, 10**5, 10**6], "smoke": [1000]}
ROUNDS = {"full": 3, "quick": 1, "smoke": 1}
PEERS = ["scipy", "quantecon", "mdpsolver", "mdpsolver-parallel", "storm"]
# Lists of Python for a million states take it some 30 GB.
SMALL_ONLY = {"mdpsolver": 10**5, "mdpsolver-parallel": 10**5}
# Seconds that another program may take for one model, reading it included.
LONGEST = {"full": 3600, "quick": 120, "smoke": 120}
RUNS = {"full": 10_000, "quick": 10_000, "smoke": 4}
# The discount of models with a budget, with which the goal can be seen from the start of all of them, and how
# far apart two answers may be, relative to the reward.
CONSTRAINED, APART = 0.99, 1e-6


def lines(command, longest=None):
    """What a program prints, one object for each line."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=longest)
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
                    for peer in PEERS:
                        if states <= SMALL_ONLY.get(peer, states):
                            found += solved_by(peer, folder, gamma, LONGEST[size])
                    for line in found:
                        old = best.get(line["what"])
                        if old is None or line.get("seconds", 0) < old.get("seconds", 0):
                            best[line["what"]] = line
                row = {"family": family, "states": states, "gamma": gamma, "found": best}
                rows.append(row)
                print(json.dumps(row), flush=True)
    return rows


def solved_by(peer, folder, gamma, longest):
    """What another program finds, in a process of its own that is ended when it takes too long."""
    command = [sys.executable, "benches/solvers/peers.py", str(folder), str(gamma), peer]
    try:
        return lines(command, longest)
    except subprocess.TimeoutExpired:
        return [{"what": peer, "longer": longest}]


def constrained(size, work, bench):
    rows = []
    for states in {"full": [400, 2500, 10**4, 10**5], "quick": [400, 2500, 10**4]}.get(size, [400]):
        folder = work / "constrained"
        found = lines([bench, "constrained", str(states), str(CONSTRAINED), str(folder)])
        command = [sys.executable, "benches/solvers/program.py", str(folder), str(CONSTRAINED)]
        if states <= 10**4:
            found += lines(command)
        row = {"states": states, "found": {line["what"]: line for line in found}}
        rows.append(row)
        print(json.dumps(row), flush=True)
        rewards = [line["reward"] for line in found]
        if max(rewards) - min(rewards) > APART * max(map(abs, rewards)):
            raise SystemExit(f"the solvers do not agree with {states} states")
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


def strategies(size, work, program):
    """What an iteration of every strategy takes."""
    rows = []
    for row in iterations.measured(size, work, program):
        rows.append(row)
        print(json.dumps(row), flush=True)
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
    "solvers": lambda size, work, of: solvers(size, work, of / "examples/bench"),
    "constrained": lambda size, work, of: constrained(size, work, of / "examples/bench"),
    "commands": lambda size, work, of: commands(size, work, of / "hedgerow"),
    "strategies": lambda size, work, of: strategies(size, work, of / "examples/iteration_cost"),
    "sweep": lambda size, work, of: sweep(size, work, of / "examples/bench", of / "hedgerow"),
}


def version():
    """The commit that is measured, marked if the files are not those of it."""
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude", "*"], stdout=subprocess.PIPE, text=True
    )
    return said.stdout.strip() or "unknown"


def main():
    size, work, programs = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    parts = sys.argv[4:] or list(PARTS)
    # Asked once: the table of the first part changes a file.
    commit = version()
    for part in parts:
        by = f"`benches/run.sh {size} {part}`, commit {commit}, {os.cpu_count()} processors"
        found = {"measured": by}
        if part == "solvers":
            bench = programs / "examples/bench"
            found["copy"] = lines([bench, "copy", "400000000" if size != "smoke" else "1000000"])
        found[part] = PARTS[part](size, work, programs)
        path = work / f"found-{part}.json"
        path.write_text(json.dumps(found, indent=1))
        # What is measured stays, whatever becomes of the rest. A process of its own, since the memory of
        # this one counts as that of the programs it starts.
        folder = "docs" if size != "smoke" else work
        command = [sys.executable, "benches/solvers/report.py", path, part, folder]
        subprocess.run(list(map(str, command)), check=True)


if __name__ == "__main__":
    main()
