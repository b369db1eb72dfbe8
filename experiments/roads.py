"""The tables of docs/continuous.md about the roads, from the files of sweeps.

    python experiments/roads.py FOLDER...          # what every strategy inferred, a table in Markdown
    python experiments/roads.py FOLDER... --bear   # what `bear` gathered, with `objective-episodes`
    python experiments/roads.py FOLDER... --along  # the same runs after 10, 20, ... iterations

It needs nothing but Python.
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path

#: A run is at the level with so much of the expert's reward, so much of its cost and more, and this IoU.
SHARE, FACTOR, COST, IOU = 0.1, 1.25, 0.05, 0.5


class Run:
    """One run: its file and the history beside it."""

    def __init__(self, path: Path) -> None:
        kept = json.loads(path.read_text())
        with path.with_suffix(".csv").open() as file:
            self.rows = list(csv.DictReader(file))
        self.world, self.strategy = path.parts[-3:-1]
        self.seed = int(path.stem)
        self.summary, self.payload = kept["summary"], kept["payload"]

    def is_at_level(self, row: dict[str, str]) -> bool:
        expert, cost = self.summary["expert_reward"], self.summary["expert_cost"]
        return (
            abs(float(row["reward"]) - expert) <= SHARE * abs(expert)
            and float(row["cost"]) <= FACTOR * cost + COST
            and float(row["iou"]) >= IOU
        )


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def head(*names: str) -> None:
    print("| " + " | ".join(names) + " |")
    print("|" + "---|" * len(names))


def row(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |")


def groups(runs: list[Run]) -> list[tuple[str, str, list[Run]]]:
    """Worlds, and in each the strategies, those with the larger IoU first."""
    keys = sorted({(r.world, r.strategy) for r in runs})
    found = [(w, s, [r for r in runs if (r.world, r.strategy) == (w, s)]) for w, s in keys]

    def order(group: tuple[str, str, list[Run]]) -> tuple[bool, float]:
        world, _, members = group
        return world != "car-speed", -mean([float(r.rows[-1]["iou"]) for r in members])

    return sorted(found, key=order)


def inferred(runs: list[Run]) -> None:
    head(
        "world", "strategy", "at the expert's level", "IoU", "weight on free pairs", "free charged",
        "paying ones missed", "agent's reward", "agent's cost", "value at the start, fitted over true",
        "calibration error, held out", "against the truth",
    )  # fmt: skip
    for world, strategy, members in groups(runs):
        last = [r.rows[-1] for r in members]
        compared = [r.payload["comparison"] for r in members]
        costs = [float(x["cost"]) for x in last]
        values = [a / b for a, b in (r.payload["value_at_start"] for r in members)]
        row(
            f"`{world}`",
            f"`{strategy}`",
            f"{sum(r.is_at_level(x) for r, x in zip(members, last))} of {len(members)}",
            f"{mean([c['iou'] for c in compared]):.3f}",
            f"{mean([c['false_weight'] for c in compared]):.3f}",
            f"{mean([c['false_positives'] for c in compared]):.3f}",
            f"{mean([c['missed_paying'] for c in compared]):.3f}",
            f"{mean([float(x['reward']) for x in last]):.2f}",
            f"{mean(costs):.2f} ({min(costs):.2f} to {max(costs):.2f})",
            f"{min(values):.3f} to {max(values):.3f}",
            f"{mean([r.payload['held_out']['error'] for r in members]):.3f}",
            f"{mean([c['reliability']['error'] for c in compared]):.3f}",
        )


def gathered(runs: list[Run]) -> None:
    head("world", "before training", "after", "rose in", "the most at once", "gained in")
    for world, strategy, members in groups(runs):
        if strategy != "bear":
            continue
        pairs = [p for r in members for p in r.payload["objectives"]]
        at_once = [x for r in members for x in r.payload["at_once"]]
        rose = sum(after > before for before, after in pairs)
        gained = sum(after > x for (_, after), x in zip(pairs, at_once))
        row(
            f"`{world}`",
            f"{mean([p[0] for p in pairs]):.3f}",
            f"{mean([p[1] for p in pairs]):.3f}",
            f"{rose} of {len(pairs)}",
            f"{mean(at_once):.3f}",
            f"{gained} of {len(pairs)}",
        )


def along(runs: list[Run]) -> None:
    head("world", "strategy", "iterations", "samples", "at the expert's level", "IoU", "agent's reward", "agent's cost")
    for world, strategy, members in groups(runs):
        for i in range(10, len(members[0].rows), 10):
            rows = [r.rows[i] for r in members]
            costs = [float(x["cost"]) for x in rows]
            row(
                f"`{world}`",
                f"`{strategy}`",
                rows[0]["iteration"],
                f"{mean([float(x['samples']) for x in rows]):.0f}",
                f"{sum(r.is_at_level(x) for r, x in zip(members, rows))} of {len(members)}",
                f"{mean([float(x['iou']) for x in rows]):.3f}",
                f"{mean([float(x['reward']) for x in rows]):.2f}",
                f"{mean(costs):.2f} ({min(costs):.2f} to {max(costs):.2f})",
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--bear", action="store_true", help="what bear gathered")
    parser.add_argument("--along", action="store_true", help="the runs after 10, 20, ... iterations")
    asked = parser.parse_args()
    runs = []
    for folder in asked.folders:
        found = sorted(folder.glob("runs/car-*/*/*.json"))
        if not found:
            parser.error(f"{folder} has no runs on roads; `hedgerow run` makes them")
        runs += [Run(path) for path in found]
    if asked.bear:
        gathered(runs)
    elif asked.along:
        along(runs)
    else:
        inferred(runs)


if __name__ == "__main__":
    main()
