"""Rich display in notebooks: maps, verdicts, curves. SVG and HTML, without scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .constraint import Constraint
    from .environment import Environment
    from .results import Results
    from .running import Run

#: Pairs listed in a notebook.
LISTED = 20


def drawn_map(environment: Environment) -> str:
    """An environment: its map with the true constraint, and what it is."""
    text = f"<p>{escape(repr(environment)[1:-1])}</p>"
    layout = environment.layout
    if layout is None:
        return text
    forbidden = environment.cost.sum(axis=1) > 0
    charged = {tuple(c) for c, bad in zip(layout["cells"], forbidden, strict=True) if c is not None and bad}
    side = max(8, min(26, 300 // max(layout["rows"], layout["columns"])))
    parts = []
    for row, line in enumerate(layout["map"]):
        for column, symbol in enumerate(line):
            here = (layout["rows"] - 1 - row, column)
            fill = "#4d4d4d" if symbol == "#" else "#f6d5d9" if here in charged else "#ffffff"
            x, y = 1 + column * side, 1 + row * side
            parts.append(
                f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{fill}" stroke="#9a9a9a" stroke-width="0.5"/>'
            )
            letter = "" if symbol in ".#" else symbol
            if letter:
                parts.append(
                    f'<text x="{x + side / 2}" y="{y + 0.7 * side}" font-size="{0.6 * side}" '
                    f'text-anchor="middle" fill="#222">{escape(letter)}</text>'
                )
    width, height = layout["columns"] * side + 2, layout["rows"] * side + 2
    return (
        f'{text}<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" '
        f'aria-label="map of {escape(environment.name)}" font-family="sans-serif" '
        f'style="background:#ffffff">{"".join(parts)}</svg>'
    )


def table_html(header: list[str], rows: list[list[str]]) -> str:
    """A small table."""
    head = "".join(f'<th style="padding:0 0.6em">{escape(h)}</th>' for h in header)
    body = "".join("<tr>" + "".join(f'<td style="padding:0 0.6em">{escape(c)}</td>' for c in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def constraint_html(constraint: Constraint) -> str:
    """A constraint: what is promised, its map, and the constrained pairs."""
    text = f"<p>{escape(repr(constraint)[1:-1])}</p><p><em>{escape(constraint.promise)}</em></p>"
    text += "".join(f"<p>Warning: {escape(w)}</p>" for w in constraint.warnings)
    text += f'<div style="max-width:24em;background:#ffffff">{constraint.svg}</div>' if constraint.svg else ""
    pairs = constraint.pairs
    verdict = np.asarray(pairs["verdict"])
    marked = np.flatnonzero((verdict == "constrained") | ((verdict == "undecided") & pairs["looks_constrained"]))
    chosen = sorted(marked, key=lambda i: (verdict[i] != "constrained", -float(np.nan_to_num(pairs["estimate"][i]))))
    rows = [
        [
            pairs["state_name"][i],
            pairs["action_name"][i],
            "constrained" if verdict[i] == "constrained" else "looks constrained",
            f"{pairs['estimate'][i]:.4g}",
            f"{pairs['low'][i]:.4g} to {pairs['high'][i]:.4g}",
            str(pairs["visits"][i]),
        ]
        for i in chosen[:LISTED]
    ]
    if rows:
        text += table_html(["state", "action", "verdict", "advantage over expert", "interval", "samples"], rows)
    if len(chosen) > LISTED:
        text += f"<p>and {len(chosen) - LISTED} more</p>"
    return text


def curve_svg(x: Any, y: Any, *, label: str, level: float | None = None) -> str:
    """One curve, with the expert's level as a dashed line."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    width, height, left, below = 360, 160, 52, 28
    low = float(min(np.nanmin(y), level if level is not None else np.inf))
    high = float(max(np.nanmax(y), level if level is not None else -np.inf))
    if high <= low:
        low, high = low - 0.5, high + 0.5
    span = max(float(x[-1] - x[0]), 1e-12)
    px = left + (x - x[0]) / span * (width - left - 8)
    py = 8 + (high - y) / (high - low) * (height - below - 8)
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(px, py, strict=True))
    dashed = ""
    if level is not None:
        at = 8 + (high - level) / (high - low) * (height - below - 8)
        dashed = (
            f'<line x1="{left}" x2="{width - 8}" y1="{at:.1f}" y2="{at:.1f}" stroke="#777" stroke-dasharray="4 3"/>'
            f'<text x="{width - 8}" y="{at - 3:.1f}" text-anchor="end" font-size="10" fill="#555">expert</text>'
        )
    axis = (
        f'<path d="M{left} 8 V{height - below} H{width - 8}" fill="none" stroke="#333"/>'
        f'<text x="{left - 4}" y="14" text-anchor="end" font-size="10">{high:.3g}</text>'
        f'<text x="{left - 4}" y="{height - below}" text-anchor="end" font-size="10">{low:.3g}</text>'
        f'<text x="{width - 8}" y="{height - below + 12}" text-anchor="end" font-size="10">{x[-1]:,.0f}</text>'
        f'<text x="{(left + width) / 2}" y="{height - 4}" text-anchor="middle" font-size="10">samples</text>'
        f'<text x="12" y="{height / 2}" font-size="10" text-anchor="middle" '
        f'transform="rotate(-90 12 {height / 2})">{escape(label)}</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(label)} against samples" font-family="sans-serif" style="background:#ffffff">'
        f'{axis}{dashed}<polyline points="{points}" fill="none" stroke="#0072b2" stroke-width="1.5"/></svg>'
    )


def run_html(run: Run) -> str:
    """A run: its reward and cost against samples."""
    text = f"<p>{escape(f'{run.strategy} in {run.env}, seed {run.seed}: stopped on {run.stop}')}</p>"
    x = run.history["samples"]
    text += curve_svg(x, run.history["reward"], label="reward", level=run.expert_reward)
    return text + curve_svg(x, run.history["cost"], label="cost", level=run.expert_cost)


def results_html(results: Results) -> str:
    """Results: the summary and the first figure."""
    from . import _native

    summary = results.summary
    rows = [
        [
            summary["env"][i],
            summary["strategy"][i],
            f"{summary['final_reward'][i]:.6g}",
            f"{summary['final_cost'][i]:.6g}",
            f"{summary['final_wgiou'][i]:.3f}",
            f"{summary['converged'][i]:.0%}",
        ]
        for i in range(len(summary))
    ]
    text = f"<p>{escape(repr(results)[1:-1])}</p>"
    text += table_html(["environment", "strategy", "reward", "cost", "WGIoU", "converged"], rows)
    figures = _native.figures(results._native)
    if figures:
        _, _, caption, svg = next((f for f in figures if "curves" in f[0]), figures[0])
        text += f'<figure style="background:#ffffff">{svg}<figcaption style="color:#222222">{escape(caption)}</figcaption></figure>'
    return text
