"""Tables and figure of what was measured: `report.py FOUND.json PART FOLDER`."""

import json
import math
import re
import sys
from pathlib import Path

OURS = ["modified", "value"]
NAMES = {
    "modified": "Hedgerow, modified policy iteration",
    "value": "Hedgerow, value iteration",
    "scipy": "SciPy, 20 lines",
    "quantecon": "quantecon",
    "mdpsolver": "mdpsolver",
    "mdpsolver-parallel": "mdpsolver, parallel",
    "storm": "Storm",
}
TOLERANCE = 1e-6


def table(header, rows):
    out = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in out)


def seconds(line):
    if line is None:
        return ""
    if "failed" in line:
        return "failed"
    if "longer" in line:
        return f"> {line['longer']}"
    text = f"{line['seconds']:.3g}"
    return text if line["error"] <= TOLERANCE else f"({text})"


def solvers(found):
    names = [n for n in NAMES if any(n in row["found"] for row in found["solvers"])]
    rows = []
    for row in found["solvers"]:
        of = row["found"]
        right = [n for n in names if n not in OURS and of.get(n, {}).get("error", 1) <= TOLERANCE]
        best = min((of[n]["seconds"] for n in right), default=None)
        ratio = f"{best / of['modified']['seconds']:.1f}" if best else ""
        rows.append(
            [row["family"], f"{row['states']:,}", row["gamma"]]
            + [seconds(of.get(n)) for n in names]
            + [ratio]
        )
    return table(["model", "states", "discount", *[NAMES[n] for n in names], "best other / ours"], rows)


def memory(found):
    rows = []
    for row in of_memory(found):
        size = row["found"]["size"]
        rows.append(
            [
                row["family"],
                f"{row['states']:,}",
                size["row_bytes_per_transition"],
                f"{size['model_bytes'] / size['transitions']:.1f}",
                f"{size['peak_bytes'] / size['transitions']:.1f}",
            ]
        )
    header = ["model", "states", "bytes of rows per transition", "of the model", "peak while building"]
    return table(header, rows)


def of_memory(found):
    return [row for row in found["solvers"] if row["gamma"] == 0.99]


def sweeps(found):
    """A sweep of value iteration beside a plain loop, a bare gather and copying."""
    copy = max(line["bytes_per_second"] for line in found["copy"])
    rows = []
    for row in of_memory(found):
        of = row["found"]
        value, loops = of["value"], of["loops"]
        # Two sweeps more than counted: the certificate and the best pairs read all rows as well.
        seconds = value["seconds"] / (value["sweeps"] + 2)
        share = lambda bytes, seconds: f"{100 * bytes / seconds / copy:.0f} %"
        plain = loops["plain_bytes"]
        rows.append(
            [
                row["family"],
                f"{row['states']:,}",
                f"{1e3 * seconds:.3g}",
                f"{1e3 * loops['plain']:.3g}",
                f"{1e3 * loops['gather']:.3g}",
                share(value["sweep_bytes"], seconds),
                share(plain, seconds),
                share(plain, loops["plain"]),
                share(plain, loops["gather"]),
            ]
        )
    header = ["model", "states", "ms of a sweep", "of a plain loop", "of a bare gather"]
    header += ["bytes read, of copying", "as plain rows, of copying", "the plain loop", "the bare gather"]
    said = f"Copying moves {copy / 1e9:.1f} GB/s with two threads, reads and writes counted."
    return f"{table(header, rows)}\n\n{said}"


def constrained(found):
    rows = []
    for row in found["constrained"]:
        of = row["found"]
        ours = of["lagrangian"]
        cells = [f"{row['states']:,}", f"{ours['budget']:.4g}", f"{ours['cost']:.4g}"]
        cells.append(f"{ours['price']:.3g}")
        for name in ["lagrangian", "program", "highs"]:
            line = of.get(name)
            cells.append(f"{line['seconds']:.3g}" if line else "")
        apart = ""
        if "highs" in of:
            apart = f"{abs(of['highs']['reward'] / ours['reward'] - 1):.1e}"
        rows.append([*cells, apart])
    header = ["states", "budget", "cost", "price", "Lagrangian", "interior point", "HiGHS"]
    return table([*header, "difference in reward"], rows)


def commands(found):
    rows = [
        [
            f"{r['side']} x {r['side']}",
            r["gamma"],
            f"`{r['command']}`",
            f"{r['processor']:.2f}",
            f"{r['wall']:.2f}",
            f"{r['peak'] / 1e6:.0f}",
        ]
        for r in found["commands"]
    ]
    return table(["map", "discount", "command", "processor s", "wall s", "peak MB"], rows)


def of_kind(found, what):
    return [r for r in found["strategies"] if r["what"] == what]


def names_of(rows):
    return list(dict.fromkeys(r["strategy"] for r in rows))


def strategies(found):
    rows = of_kind(found, "early")
    sides = sorted({r["side"] for r in rows})
    by = {(r["strategy"], r["side"]): r["total"] for r in rows}
    cell = lambda n, s: f"{by[n, s]:.2f}" if (n, s) in by else ""
    lines = [[f"`{n}`", *[cell(n, s) for s in sides]] for n in names_of(rows)]
    peak = {r["side"]: r["peak"] for r in rows}
    lines.append(["peak MB, all together", *[f"{peak[s] / 1e6:.0f}" for s in sides]])
    return table(["ms an iteration", *[f"{s} x {s}" for s in sides]], lines)


def covered(found):
    rows = of_kind(found, "covered")
    maps = sorted({(r["side"], r["shape"]) for r in rows})
    by = {(r["strategy"], r["side"], r["shape"]): r for r in rows}
    lines = []
    for side in sorted({s for s, _ in maps}):
        shapes = [shape for s, shape in maps if s == side]
        for name in names_of(rows):
            found_here = [by[name, side, shape] for shape in shapes]
            told = [
                f"{r['plan']:.3g} + {r['accuracy']:.3g} + {r['rest']:.3g} = {r['total']:.3g}"
                for r in found_here
            ]
            lines.append([f"{side} x {side}", f"`{name}`", *told])
    shapes = sorted({shape for _, shape in maps})
    return table(["map", "strategy", *[f"gridworld-{shape}" for shape in shapes]], lines)


def slope_of(rows):
    """The slope of log cost against log seen pairs, by least squares over medians of equal steps of the log,
    so that late iterations, which are many, count no more than early ones."""
    bins = {}
    for r in rows:
        bins.setdefault(int(4 * math.log2(r["seen"])), []).append(r)
    middle = lambda values: sorted(values)[len(values) // 2]
    points = [
        (math.log(middle([r["seen"] for r in of])), math.log(middle([r["total"] for r in of])))
        for of in bins.values()
    ]
    if len(points) < 2:
        return math.nan
    x, y = (sum(p[i] for p in points) / len(points) for i in (0, 1))
    along = sum((p[0] - x) * (p[1] - y) for p in points)
    return along / sum((p[0] - x) ** 2 for p in points)


def slope(found):
    rows = [r for r in of_kind(found, "growing") if r["total"] > 0]
    lines = []
    for name in names_of(rows):
        own = [r for r in rows if r["strategy"] == name]
        first, last = own[0], own[-1]
        seen = f"{first['seen']:,.0f} to {last['seen']:,.0f}"
        cost = f"{first['total']:.3g} to {last['total']:.3g}"
        lines.append([f"`{name}`", seen, cost, f"{slope_of(own):.2f}"])
    return table(["strategy", "pairs seen", "ms an iteration", "slope"], lines)


def sweep(found):
    rows = [
        [r["what"], f"{r['processor']:.2f}", f"{r['wall']:.2f}", f"{r['peak'] / 1e6:.0f}"]
        for r in found["sweep"]
    ]
    return table(["", "processor s", "wall s", "peak MB"], rows)


COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000"]
MARKERS = ["o", "s", "^", "v", "D", "P", "X"]


def plotting():
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "benchmarks"
    import matplotlib.pyplot as plt

    return plt


def figure(found, path):
    plt = plotting()
    # One look for each program in all panels: Okabe and Ito's colours, and markers for those who see none.
    looks = dict(zip(NAMES, zip(COLORS, MARKERS, strict=True), strict=True))
    families = list(dict.fromkeys(r["family"] for r in found["solvers"]))
    gammas = sorted({r["gamma"] for r in found["solvers"]})
    shape = (len(families), len(gammas))
    figure, axes = plt.subplots(*shape, figsize=(10, 5.5), sharex=True, sharey=True, squeeze=False)
    for line, family in zip(axes, families):
        for axis, gamma in zip(line, gammas):
            rows = [r for r in found["solvers"] if (r["family"], r["gamma"]) == (family, gamma)]
            for name, label in NAMES.items():
                points = [(r["states"], r["found"][name]) for r in rows if name in r["found"]]
                points = [(s, p["seconds"]) for s, p in points if p.get("error", 1) <= TOLERANCE]
                if points:
                    style = {"linewidth": 2.2} if name in OURS else {"linestyle": "--"}
                    color, marker = looks[name]
                    style |= {"color": color, "marker": marker, "markersize": 5}
                    axis.plot(*zip(*points), label=label, **style)
            axis.set(xscale="log", yscale="log", title=f"{family}, discount {gamma}")
            axis.grid(alpha=0.3)
    for axis in axes[-1]:
        axis.set_xlabel("states")
    for line in axes:
        line[0].set_ylabel("seconds")
    handles = {}
    for axis in axes.flat:
        handles |= dict(zip(*reversed(axis.get_legend_handles_labels())))
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncol=4, frameon=False)
    figure.tight_layout(rect=(0, 0.1, 1, 1))
    figure.savefig(path, metadata={"Date": None})


def iterations(found, path):
    """Early iterations against the size of the map, and the cost of an iteration against what was seen."""
    plt = plotting()
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2))
    early, growing = of_kind(found, "early"), of_kind(found, "growing")
    looks = dict(zip(names_of(early), zip(COLORS, MARKERS)))
    for name, (color, marker) in looks.items():
        rows = [r for r in early if r["strategy"] == name]
        points = [(r["side"] ** 2, r["total"]) for r in rows]
        left.plot(*zip(*points), color=color, marker=marker, markersize=5, label=name)
        rows = [r for r in growing if r["strategy"] == name and r["total"] > 0]
        if rows:
            points = [(r["seen"], r["total"]) for r in rows]
            style = {"linestyle": "", "marker": marker, "markersize": 4, "alpha": 0.7}
            right.plot(*zip(*points), color=color, **style)
    left.set(xlabel="states of the map", ylabel="ms an iteration", title="early, 50 samples each")
    side = growing[0]["side"]
    right.set(xlabel="pairs seen", title=f"as more of {side} x {side} is seen")
    for axis in (left, right):
        axis.set(xscale="log", yscale="log")
        axis.grid(alpha=0.3)
    figure.legend(*left.get_legend_handles_labels(), loc="lower center", ncol=7, frameon=False)
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    figure.savefig(path, metadata={"Date": None})


# The figure of a part that has one.
FIGURES = {"solvers": (figure, "benchmarks.svg"), "strategies": (iterations, "iterations.svg")}

# The tables of every part.
TABLES = {"solvers": ["solvers", "memory", "sweeps"], "strategies": ["strategies", "covered", "slope"]}


def write(found, part, folder):
    """Writes the tables of one part, and its figure if it has one."""
    path = folder / "benchmarks.md"
    text = path.read_text() if path.exists() else ""
    for name in TABLES.get(part, [part]):
        body = f"{globals()[name](found)}\n\nMeasured by {found['measured']}."
        new = f"<!-- table {name} -->\n{body}\n<!-- end {name} -->"
        pattern = re.compile(f"<!-- table {name} -->.*?<!-- end {name} -->", re.S)
        text = pattern.sub(lambda _: new, text) if pattern.search(text) else f"{text}\n{new}\n"
    path.write_text(text)
    if part in FIGURES:
        draw, name = FIGURES[part]
        figures = folder / "figures"
        figures.mkdir(exist_ok=True)
        draw(found, figures / name)


if __name__ == "__main__":
    write(json.loads(Path(sys.argv[1]).read_text()), sys.argv[2], Path(sys.argv[3]))
