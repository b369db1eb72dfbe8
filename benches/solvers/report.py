"""Tables and figure of what was measured: `report.py FOUND.json PART FOLDER`."""

import json
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
    copy = max(line["bytes_per_second"] for line in found["copy"])
    rows = []
    for row in found["solvers"]:
        if row["gamma"] != 0.99:
            continue
        of, size = row["found"], row["found"]["size"]
        value = of["value"]
        # Two sweeps more than counted: the certificate and the choice read all rows as well.
        speed = value["sweep_bytes"] * (value["sweeps"] + 2) / value["seconds"]
        rows.append(
            [
                row["family"],
                f"{row['states']:,}",
                size["row_bytes_per_transition"],
                f"{size['model_bytes'] / size['transitions']:.1f}",
                f"{size['peak_bytes'] / size['transitions']:.1f}",
                f"{speed / 1e9:.1f}",
                f"{100 * speed / copy:.0f} %",
            ]
        )
    header = [
        "model",
        "states",
        "bytes of rows per transition",
        "of the model",
        "peak while building",
        "GB/s of a sweep",
        "of copying",
    ]
    return table(header, rows)


def constrained(found):
    rows = []
    for row in found["constrained"]:
        of = row["found"]
        cells = [f"{row['states']:,}"]
        for name in ["lagrangian", "program", "highs"]:
            line = of.get(name)
            cells.append(f"{line['seconds']:.3g}" if line and "seconds" in line else "")
        apart = ""
        if "highs" in of and "reward" in of.get("lagrangian", {}):
            apart = f"{abs(of['highs']['reward'] - of['lagrangian']['reward']):.1e}"
        rows.append([*cells, apart])
    return table(["states", "Lagrangian", "interior point", "HiGHS", "difference in reward"], rows)


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


def strategies(found):
    sides = sorted({r["side"] for r in found["strategies"]})
    by = {(r["strategy"], r["side"]): r["seconds"] for r in found["strategies"]}
    names = list(dict.fromkeys(r["strategy"] for r in found["strategies"]))
    rows = [[f"`{n}`", *[f"{1000 * by[n, s]:.2f}" for s in sides]] for n in names]
    return table(["ms an iteration", *[f"{s} x {s}" for s in sides]], rows)


def sweep(found):
    rows = [
        [r["what"], f"{r['processor']:.2f}", f"{r['wall']:.2f}", f"{r['peak'] / 1e6:.0f}"]
        for r in found["sweep"]
    ]
    return table(["", "processor s", "wall s", "peak MB"], rows)


COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000"]
MARKERS = ["o", "s", "^", "v", "D", "P", "X"]


def figure(found, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "benchmarks"
    import matplotlib.pyplot as plt

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


# The tables of every part.
TABLES = {"solvers": ["solvers", "memory"]}


def write(found, part, folder):
    """Writes the tables of one part, and the figure of the solvers."""
    path = folder / "benchmarks.md"
    text = path.read_text() if path.exists() else ""
    for name in TABLES.get(part, [part]):
        body = f"{globals()[name](found)}\n\nMeasured by {found['measured']}."
        new = f"<!-- table {name} -->\n{body}\n<!-- end {name} -->"
        pattern = re.compile(f"<!-- table {name} -->.*?<!-- end {name} -->", re.S)
        text = pattern.sub(lambda _: new, text) if pattern.search(text) else f"{text}\n{new}\n"
    path.write_text(text)
    if part == "solvers":
        figures = folder / "figures"
        figures.mkdir(exist_ok=True)
        figure(found, figures / "benchmarks.svg")


if __name__ == "__main__":
    write(json.loads(Path(sys.argv[1]).read_text()), sys.argv[2], Path(sys.argv[3]))
