#!/usr/bin/env python3
"""Samples of searches for verdicts, over maps and seeds, as a table of medians.

    cargo build --release
    experiments/searches.py                             nothing declared
    experiments/searches.py --know successors           or classes, dynamics
    experiments/searches.py --goal explain --seeds 0..5

Each search is `hedgerow infer MAP --seed SEED --json`. A search that is not done after its samples counts as
never done. Needs the command in target/release, or another one named by --hedgerow.
"""

import argparse
import json
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAPS = ["gridworld-1", "gridworld-2", "gridworld-3", "gridworld-4"]


def search(program, name, seed, options):
    words = [str(program), "infer", name, "--seed", str(seed), "--json", "--quiet", *options]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr.strip() or f"{words[0]} failed")
    found = json.loads(done.stdout)
    ended = found["source"]["stop"] in ("decided", "explained")
    return (
        found["source"]["samples"] if ended else float("inf"),
        found.get("samples_until_constrained", float("inf")),
        found["constrained"],
    )


def median(numbers):
    middle = statistics.median(numbers)
    return "never" if middle == float("inf") else f"{middle:,.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--maps", default=",".join(MAPS))
    parser.add_argument("--seeds", default="0..20", help="FROM..TO, the last one left out")
    parser.add_argument("--know", choices=["successors", "classes", "dynamics"])
    parser.add_argument("--goal", choices=["verdicts", "explain"], default="verdicts")
    parser.add_argument("--confidence", default="0.95")
    parser.add_argument("--hedgerow", default=ROOT / "target/release/hedgerow")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    first, last = map(int, asked.seeds.split(".."))
    options = ["--goal", asked.goal, "--confidence", asked.confidence]
    if asked.know:
        options += ["--know", asked.know]
    maps = asked.maps.split(",")
    jobs = [(name, seed) for name in maps for seed in range(first, last)]
    with ThreadPoolExecutor(asked.jobs) as pool:
        found = list(pool.map(lambda job: search(asked.hedgerow, *job, options), jobs))
    print("| map | done after, median | least | most | last constrained pair, median | most | constrained pairs |")
    print("|---|---|---|---|---|---|---|")
    for name in maps:
        rows = [f for job, f in zip(jobs, found) if job[0] == name]
        done, constrained, pairs = zip(*rows)
        pairs = f"{min(pairs)}" if min(pairs) == max(pairs) else f"{min(pairs)} to {max(pairs)}"
        cells = [name, median(done), f"{min(done):,}", f"{max(done):,}"]
        cells += [median(constrained), f"{max(constrained):,}", pairs]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
