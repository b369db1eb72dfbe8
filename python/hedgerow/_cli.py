"""``hedgerow run --backend``: a sweep from the command line, on Ray or here."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from . import _native
from ._errors import HedgerowError, Interrupted
from .running import Experiment, sweep

#: What a shell expects of a program ended by Ctrl-C.
INTERRUPTED = 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hedgerow run", description="Compare strategies over environments and seeds.")
    parser.add_argument("experiment", nargs="?", help="an experiment file")
    parser.add_argument("--env", metavar="A,B", help="environments, by name or file")
    parser.add_argument("--strategy", metavar="X,Y", help="strategies")
    parser.add_argument("--seeds", help="seeds, like 1,2,7 or 0..20 (0 to 19)")
    parser.add_argument("--iterations", metavar="N", help="iterations per run")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], help="a parameter")
    parser.add_argument("--out", metavar="DIR", default="results", help="folder for the results")
    parser.add_argument("--fresh", action="store_true", help="remove the results in the folder first")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.add_argument("--backend", choices=["local", "ray"], default="local", help="who does the runs")
    parser.add_argument("--address", help="address of a Ray cluster; `auto` for the one of this machine")
    parser.add_argument("--shards", type=int, help="parts of the sweep; one for every run if left out")
    parser.add_argument("--num-cpus", type=int, default=1, help="processors of a part")
    return parser


def run_on_backend(words: Sequence[str]) -> int:
    """Does the sweep that the words ask for and prints its summary."""
    given = _parser().parse_args(words)
    settings: dict[str, str | int | float | bool] = {}
    for text in given.set:
        key, sign, value = text.partition("=")
        if not sign:
            return _refuse(f"{text}: it is not KEY=VALUE; write for example --set delta=0.05")
        settings[key] = value
    if given.iterations is not None:
        settings["iterations"] = given.iterations
    experiment = Experiment(
        env=given.env.split(",") if given.env else None,
        strategy=given.strategy.split(",") if given.strategy else None,
        seeds=given.seeds,
        settings=settings,
        file=given.experiment,
    )
    options = {}
    if given.backend == "ray":
        options = {"address": given.address, "shards": given.shards, "num_cpus": given.num_cpus}
    try:
        sweep(
            experiment,
            out=Path(given.out),
            backend=given.backend,
            fresh=given.fresh,
            progress=False if given.quiet else None,
            **options,
        )
    except Interrupted as error:
        print(error, file=sys.stderr)
        return INTERRUPTED
    except HedgerowError as error:
        return _refuse(str(error))
    return _native.command(["hedgerow", "show", given.out])


def _refuse(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return 1
