"""Figures with matplotlib, from a results folder in two lines:

>>> import hedgerow
>>> figure = hedgerow.Results("results").plot("reward")   # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Floats
from ._errors import invalid, missing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .results import Results

__all__ = ["cost_map", "curves"]

LABELS = {
    "reward": "discounted reward",
    "cost": "discounted cost",
    "wgiou": "WGIoU",
    "giou": "GIoU",
    "iou": "IoU",
    "accuracy": "accuracy (error bound)",
    "constrained": "constrained pairs",
    "unseen": "pairs never tried",
    "rollout_reward": "reward of sampled episodes",
    "rollout_cost": "cost of sampled episodes",
}

#: Colours that differ for all kinds of sight (after Okabe and Ito), and lines that differ without.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#8c6d1f", "#7f3c8d"]
LINES = ["-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (7, 2)), (0, (2, 2))]


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise missing("matplotlib", "figures") from error
    return pyplot


def curves(
    results: Results, metric: str = "reward", *, env: Sequence[str] | None = None, against: str = "samples"
) -> Figure:
    """Curves of a metric, one panel for every environment and one line for every strategy: the mean
    over seeds, with a band of two standard errors."""
    if metric not in LABELS:
        raise invalid("metric", f"`{metric}` is unknown", f"use one of {', '.join(LABELS)}")
    if against not in ("samples", "iteration"):
        raise invalid("against", f"`{against}` is unknown", "use samples or iteration")
    pyplot = _pyplot()
    envs = list(env or results.env_names)
    unknown = [e for e in envs if e not in results.env_names]
    if unknown:
        raise invalid("env", f"`{unknown[0]}` is not in these results", f"use some of {', '.join(results.env_names)}")
    columns = min(len(envs), 2)
    rows = -(-len(envs) // columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(4.2 * columns, 3.0 * rows), squeeze=False, layout="constrained")
    history = _columns(results, metric, against)
    for panel, name in zip(axes.flat, envs, strict=False):
        ends = []
        for i, strategy in enumerate(results.strategy_names):
            x, mean, error = _band(history, name, strategy)
            if len(x) == 0:
                continue
            ends.append(x[-1])
            colour, line = COLOURS[i % len(COLOURS)], LINES[i % len(LINES)]
            panel.plot(x, mean, color=colour, linestyle=line, linewidth=1.4, label=strategy)
            panel.fill_between(x, mean - 2 * error, mean + 2 * error, color=colour, alpha=0.15, linewidth=0)
        level = results.environment(name).get(f"expert_{metric}")
        if level is not None:
            panel.axhline(level, color="#777777", linewidth=1, linestyle=(0, (4, 3)), label="expert")
        # One strategy that samples far more than the others would leave them no room.
        if ends and max(ends) > 3 * np.median(ends) > 0:
            panel.set_xlim(-0.03 * np.median(ends), 1.1 * np.median(ends))
        panel.set_title(name)
        panel.set_xlabel("samples" if against == "samples" else "iteration")
        panel.set_ylabel(LABELS[metric])
        panel.spines[["top", "right"]].set_visible(False)
    for panel in list(axes.flat)[len(envs) :]:
        panel.set_visible(False)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(len(labels), 4), frameon=False,
                  title="mean over seeds; band: two standard errors")
    made: Figure = figure
    return made


def _columns(results: Results, metric: str, against: str) -> dict[str, Any]:
    history = results.history
    return {
        "env": np.asarray(history["env"]),
        "strategy": np.asarray(history["strategy"]),
        "seed": np.asarray(history["seed"]),
        "x": np.asarray(history[against], dtype=float),
        "y": np.asarray(history[metric], dtype=float),
    }


def _band(history: dict[str, Any], env: str, strategy: str) -> tuple[Floats, Floats, Floats]:
    """Mean and standard error over seeds, at moments that all seeds have reached. A curve keeps its
    last value until the next one."""
    mine = (history["env"] == env) & (history["strategy"] == strategy)
    seeds = np.unique(history["seed"][mine])
    runs = [(history["x"][mine & (history["seed"] == s)], history["y"][mine & (history["seed"] == s)]) for s in seeds]
    if not runs:
        nothing = np.zeros(0)
        return nothing, nothing, nothing
    x = np.linspace(0.0, min(float(r[0][-1]) for r in runs), 200)
    values = np.array([y[np.searchsorted(t, x, side="right") - 1] for t, y in runs])
    error = values.std(axis=0, ddof=1) / np.sqrt(len(runs)) if len(runs) > 1 else np.zeros(len(x))
    return x, values.mean(axis=0), error


def cost_map(results: Results, env: str, strategy: str, *, seed: int | None = None) -> Figure:
    """The inferred cost on the map beside the true one; the mean over seeds unless one is given."""
    file = results.environment(env)
    layout = file.get("layout")
    if layout is None:
        raise invalid("env", f"the states of {env} lie on no grid", "choose an environment with a map")
    runs = results.runs
    chosen = [
        int(s)
        for e, t, s in zip(runs["env"], runs["strategy"], runs["seed"], strict=True)
        if e == env and t == strategy and (seed is None or s == seed)
    ]
    if not chosen:
        raise invalid("run", f"there is no finished run of {strategy} in {env}", "choose one that `results.runs` lists")
    inferred = np.mean([results.inferred(env, strategy, s) for s in chosen], axis=0)
    truth = np.zeros(len(inferred))
    for state, value in file.get("true_cells") or []:
        truth[state] = value
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(1, 2, figsize=(7.0, 3.4), layout="constrained")
    of_seeds = f"seed {seed}" if seed is not None else f"mean of {len(chosen)} seeds"
    for panel, cost, title in zip(axes, (truth, inferred), ("true", f"inferred by {strategy}\n({of_seeds})"), strict=True):
        _draw(panel, layout, cost)
        panel.set_title(title, fontsize=10)
    made: Figure = figure
    return made


def _draw(panel: Any, layout: dict[str, Any], cost: Floats) -> None:
    grid = np.zeros((layout["rows"], layout["columns"]))
    for cell, value in zip(layout["cells"], cost, strict=False):
        if cell is not None:
            grid[cell[0], cell[1]] = max(grid[cell[0], cell[1]], value)
    top = grid.max() or 1.0
    image = panel.imshow(grid, origin="lower", cmap="Reds", vmin=0, vmax=top)
    for row, line in enumerate(layout["map"]):
        for column, symbol in enumerate(line):
            at = (column, layout["rows"] - 1 - row)
            if symbol == "#":
                panel.add_patch(_pyplot().Rectangle((at[0] - 0.5, at[1] - 0.5), 1, 1, color="#4d4d4d"))
            elif symbol not in ".x":
                panel.text(*at, symbol, ha="center", va="center")
    panel.set_xlabel("column")
    panel.set_ylabel("row")
    panel.figure.colorbar(image, ax=panel, label="cost", shrink=0.85)
