"""Plot of a soak test: the memory of each part by minute, one small chart each, all from zero.

python -m benchmarks.soak_plot [out/soak.csv [docs/soak.svg]]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from .processes import PARTS
from .soak_figures import read, trend, warm

MEMORY, TREND, WORK = "#0072b2", "#d55e00", "#009e73"  # safe for colour-blind readers (Okabe and Ito)
TEXT, QUIET, SHADE = "#24292f", "#6e7781", "#eef1f4"
STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: small, sharp and searchable
    "svg.hashsalt": "soak",  # the same figures give the same file
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": TEXT,
    "axes.edgecolor": "#c8ced4",
    "axes.labelcolor": QUIET,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#e6e9ec",
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
}


def draw(rows: list[dict[str, float]], path: Path) -> None:
    """Draw the rows of a soak into an SVG or PNG file, by the suffix of `path`."""
    with mpl.rc_context(STYLE):
        layout = ConstrainedLayoutEngine(h_pad=0.09, w_pad=0.09, rect=(0, 0, 1, 0.905))
        figure = Figure(figsize=(9.0, 8.4), facecolor="white", layout=layout)
        axes = figure.subplots(4, 2, sharex=True)
        for part, area in zip(PARTS, axes.flat, strict=False):
            _memory(area, rows, part)
        _turns(axes.flat[-1], rows)
        for area in axes.flat:
            area.axvspan(0, warm(rows) / 60, color=SHADE, lw=0)
            area.grid(axis="y")
            area.set_xlim(0, rows[-1]["seconds"] / 60)
        for area in axes[-1]:
            area.set_xlabel("minutes")
        _head(figure, axes.flat[0], rows)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=160)


def _memory(area: Axes, rows: list[dict[str, float]], part: str) -> None:
    minutes, memory = _minutes(rows), [row[f"{part} pss"] for row in rows]
    start, slope = trend(rows, part)
    begin, end = warm(rows) / 60, minutes[-1]
    area.plot(minutes, memory, color=MEMORY, lw=1.5, label="memory (PSS)")
    after = start + slope * (end - begin) / 60
    area.plot([begin, end], [start, after], color=TREND, lw=1.4, ls=(0, (4, 2)), label="trend after warm-up")
    area.set_ylim(0, 1.25 * max(memory))
    area.set_ylabel("MB")
    _title(area, part, f"{start:.0f} → {after:.0f} MB")


def _turns(area: Axes, rows: list[dict[str, float]]) -> None:
    """Draw the turns of the last minute, at each sample."""
    rates, first = [], 0
    for row in rows:
        while row["seconds"] - rows[first]["seconds"] > 60:
            first += 1
        passed = row["seconds"] - rows[first]["seconds"]
        rates.append(60 * (row["turns"] - rows[first]["turns"]) / passed if passed >= 30 else None)
    area.plot(_minutes(rows), [float("nan") if rate is None else rate for rate in rates], color=WORK, lw=1.5)
    area.set_ylim(0, 1.25 * max((rate for rate in rates if rate is not None), default=1.0))
    area.set_ylabel("turns a minute")
    _title(area, "work done", f"{rows[-1]['turns']:.0f} turns, {rows[-1]['failed']:.0f} failed")


def _head(figure: Figure, first: Axes, rows: list[dict[str, float]]) -> None:
    figure.text(0.012, 0.972, f"{rows[-1]['seconds'] / 60:.0f} minutes of mixed work", fontsize=14, weight="bold")
    figure.text(
        0.012,
        0.945,
        "Sentences, sheets, pictures, changes, undo, questions, previews and exports; each service in its own process.",
        color=QUIET,
    )
    handles, labels = first.get_legend_handles_labels()
    shade = mpl.patches.Patch(color=SHADE)
    figure.legend(
        [*handles, shade],
        [*labels, f"warm-up, {warm(rows) / 60:.1g} minutes"],
        loc="upper left",
        bbox_to_anchor=(0.004, 0.941),
        ncols=3,
        frameon=False,
        handlelength=1.8,
    )


def _title(area: Axes, left: str, right: str) -> None:
    area.set_title(left, loc="left", weight="bold", fontsize=10)
    area.set_title(right, loc="right", fontsize=9, color=QUIET)


def _minutes(rows: list[dict[str, float]]) -> list[float]:
    return [row["seconds"] / 60 for row in rows]


if __name__ == "__main__":
    paths = [Path(one) for one in sys.argv[1:]]
    source, target = [*paths, *(Path("out/soak.csv"), Path("docs/soak.svg"))[len(paths) :]]
    draw(read(source), target)
