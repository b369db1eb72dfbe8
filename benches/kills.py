#!/usr/bin/env python3
"""Kills a sweep at random moments, over and over, and compares its results with those of one that was left alone.

    benches/maps.py 63 target/maps --shapes 3
    benches/kills.py target/release/hedgerow 300 --folder target/kills -- \\
        run --env target/maps/gridworld-3-63.toml --strategy pcse,eps-greedy --seeds 0..2 --iterations 1500

Every start is killed (SIGKILL) after a random part of the time that the whole took, until there were as many kills as asked
for; a sweep that ends before its kill begins anew in another folder. All files but timings.csv have to be the same bytes.
"""

import argparse
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time


def files(folder):
    """Relative paths and contents of all results."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file() and name not in ("timings.csv", ".lock"):
            found[name] = path.read_bytes()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("kills", type=int)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--longest", type=float, help="seconds before a kill, at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("arguments", nargs="+", help="of the sweep, without --out")
    asked = parser.parse_args()
    if shutil.which(asked.program) is None:
        parser.error(f"`{asked.program}` is no program; build it with `cargo build --release --bin hedgerow`")
    shutil.rmtree(asked.folder, ignore_errors=True)
    whole, broken = asked.folder / "whole", asked.folder / "broken"
    command = [asked.program, *asked.arguments, "--quiet", "--checkpoint-every", "0", "--out"]
    began = time.time()
    subprocess.run([*command, whole], check=True, stdout=subprocess.DEVNULL)
    took = time.time() - began
    expected = files(whole)
    longest = asked.longest or took
    chance = random.Random(asked.seed)
    kills = ends = within = 0
    while kills < asked.kills or ends == 0:
        sweep = subprocess.Popen([*command, broken], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            if kills >= asked.kills:
                sweep.wait()
            else:
                sweep.wait(timeout=chance.uniform(0, longest))
        except subprocess.TimeoutExpired:
            sweep.send_signal(signal.SIGKILL)
            sweep.wait()
            kills += 1
            within += any(broken.rglob("*.checkpoint.json"))
            continue
        if sweep.returncode != 0:
            sys.exit(f"the sweep ended with {sweep.returncode} after {kills} kills")
        found = files(broken)
        for name in sorted(expected.keys() | found.keys()):
            if expected.get(name) != found.get(name):
                sys.exit(f"{name} differs after {kills} kills")
        ends += 1
        shutil.rmtree(broken)
    print(f"{kills} kills, {within} with a checkpoint there; {ends} sweeps ended with the same bytes in "
          f"{len(expected)} files; one alone took {took:.1f} s")


if __name__ == "__main__":
    main()
