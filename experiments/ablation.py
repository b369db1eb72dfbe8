"""Samples of every strategy and variant of a sweep relative to random, with intervals over the seeds.

    python3 experiments/ablation.py ablation              # the table, in Markdown
    python3 experiments/ablation.py ablation --svg FILE   # and a figure
    python3 experiments/ablation.py ablation --against pcse   # relative to another one

The number of a strategy is the geometric mean over the environments of its median samples, divided by
that of `random`, or of another one (`--against`). A run that never got there counts as infinite; where the median does, so does the
number (`-`). The interval has the middle 95 % of
the same number over 2000 bootstrap samples of the seeds, the same seeds for both; seeded, so that it
repeats. `--map` asks for a right map of cells too (samples_to_map). Python's standard library only.
"""

import argparse
import json
import math
import random
from pathlib import Path

RESAMPLES = 2000
INFINITE = math.inf

# Blue and orange are told apart by all common kinds of colour vision; the shape differs too.
SHARED, FIRST = "#0072b2", "#d55e00"


def read(folder: Path, key: str, against: str) -> dict[str, dict[str, dict[int, float]]]:
    """Samples by strategy, environment and seed, in the order of the manifest."""
    manifest = json.loads((folder / "manifest.json").read_text())
    found: dict[str, dict[str, dict[int, float]]] = {}
    for environment in manifest["environments"]:
        env = environment["name"]
        for strategy in environment["strategies"]:
            runs = found.setdefault(strategy, {}).setdefault(env, {})
            for seed in manifest["seeds"]:
                path = folder / "runs" / env / strategy / f"{seed}.json"
                if not path.exists():
                    raise SystemExit(f"{path}: this run is missing; finish the sweep first")
                summary = json.loads(path.read_text())["summary"]
                needed = summary.get(key)
                runs[seed] = INFINITE if needed is None else float(needed)
    if against not in found:
        raise SystemExit(f"{folder}: no runs of `{against}` to compare with; add it to the sweep")
    return found


def median(values: list[float]) -> float:
    """The median as summary.csv has it: the lower of the middle two where the upper is infinite."""
    ordered = sorted(values)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return low if high == INFINITE else (low + high) / 2


def ratio(runs: dict, reference: dict, seeds: list[int]) -> float:
    """The geometric mean over environments of medians relative to those of the reference."""
    total = 0.0
    for env in runs:
        ours = median([runs[env][s] for s in seeds])
        theirs = median([reference[env][s] for s in seeds])
        if ours == INFINITE:
            return INFINITE
        if theirs == INFINITE:
            return 0.0
        total += math.log(ours / theirs)
    return math.exp(total / len(runs))


def rows(found: dict, against: str) -> list[tuple]:
    """Strategy, medians, number, interval and share of runs that got there, the best first."""
    reference = found[against]
    seeds = list(next(iter(reference.values())))
    table = []
    for strategy, runs in found.items():
        dice = random.Random(0)
        drawn = [ratio(runs, reference, dice.choices(seeds, k=len(seeds))) for _ in range(RESAMPLES)]
        drawn.sort()
        low, high = drawn[round(0.025 * RESAMPLES)], drawn[round(0.975 * RESAMPLES) - 1]
        medians = [median(list(own.values())) for own in runs.values()]
        reached = [x < INFINITE for own in runs.values() for x in own.values()]
        table.append(
            (strategy, medians, ratio(runs, reference, seeds), low, high, sum(reached) / len(reached))
        )
    return sorted(table, key=lambda row: (row[2] if row[2] > 0 else INFINITE, -row[5]))


def text(x: float, digits: int) -> str:
    """A number, unless a median that it is made of is infinite."""
    return f"{x:.{digits}f}" if 0 < x < INFINITE else "-"


def markdown(table: list[tuple], environments: list[str], against: str) -> str:
    lines = [
        f"| strategy | {' | '.join(environments)} | relative to {against} | 95 % interval | got there |",
        "|---|" + "---|" * (len(environments) + 3),
    ]
    for strategy, medians, number, low, high, reached in table:
        samples = " | ".join(text(m, 0) for m in medians)
        lines.append(
            f"| `{strategy}` | {samples} | {text(number, 3)} | {text(low, 3)} to {text(high, 3)} "
            f"| {100 * reached:.1f} % |"
        )
    return "\n".join(lines)


def svg(table: list[tuple], title: str, against: str) -> str:
    """A dot with its interval for every strategy, the best at the top, on a logarithmic axis."""
    table = [row for row in table if row[3] > 0 and row[4] < INFINITE]
    left, top, width, step = 190, 64, 460, 20
    height = top + step * len(table) + 52
    least = min(row[3] for row in table) * 0.94
    most = max(row[4] for row in table) * 1.06

    def x(v: float) -> float:
        return left + width * math.log(v / least) / math.log(most / least)

    bottom = top + step * len(table)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 30} {height}" '
        'font-family="sans-serif" font-size="12" role="img">',
        f"<title>{title}</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="20" font-size="14">{title}</text>',
    ]
    for i, (colour, said) in enumerate([(SHARED, "ties shared"), (FIRST, "first of the ties")]):
        parts.append(mark(left + 8 + 130 * i, 40, colour, i == 1))
        parts.append(f'<text x="{left + 20 + 130 * i}" y="44">{said}</text>')
    for tick in (0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5):
        if least <= tick <= most:
            strong = "#888" if tick == 1 else "#ddd"
            parts.append(
                f'<path d="M{x(tick):.1f} {top - 6}V{bottom}" stroke="{strong}"/>'
                f'<text x="{x(tick):.1f}" y="{bottom + 18}" text-anchor="middle">{tick:g}</text>'
            )
    parts.append(
        f'<text x="{left + width / 2}" y="{bottom + 38}" text-anchor="middle">'
        f"samples relative to {against} (95 % interval over seeds)</text>"
    )
    for i, (strategy, _, number, low, high, _) in enumerate(table):
        y = top + step * i + 8
        first = "first" in strategy.split("-")
        colour = "#555" if strategy == against else FIRST if first else SHARED
        parts.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{strategy}</text>')
        parts.append(f'<path d="M{x(low):.1f} {y}H{x(high):.1f}" stroke="{colour}" stroke-width="2"/>')
        parts.append(mark(x(number), y, colour, first))
    return "\n".join(parts) + "\n</svg>\n"


def mark(x: float, y: float, colour: str, square: bool) -> str:
    if square:
        return f'<rect x="{x - 4:.1f}" y="{y - 4}" width="8" height="8" fill="{colour}"/>'
    return f'<circle cx="{x:.1f}" cy="{y}" r="4.5" fill="{colour}"/>'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="a results folder of `hedgerow run`")
    parser.add_argument("--map", action="store_true", help="ask for a right map of cells too")
    parser.add_argument("--against", default="random", metavar="NAME", help="compare with this one")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write a figure there")
    options = parser.parse_args()
    against = options.against
    found = read(options.folder, "samples_to_map" if options.map else "samples_to_expert", against)
    table = rows(found, against)
    print(markdown(table, list(found[against]), against))
    if options.svg:
        goal = "a right map" if options.map else "the expert's level"
        title = f"Samples to {goal}: strategies and their choices"
        options.svg.write_text(svg(table, title, against))


if __name__ == "__main__":
    main()
