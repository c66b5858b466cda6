"""The figures of a soak test, one row every few seconds: kept in a CSV file, and how memory develops over them."""

from __future__ import annotations

import csv
import statistics
from pathlib import Path

WARM_UP_MINUTES = 5.0
"""After it, memory should be flat. For a soak of less than half an hour, a sixth of it."""


def warm(rows: list[dict[str, float]]) -> float:
    """Return the second from which memory should be flat."""
    return min(60 * WARM_UP_MINUTES, rows[-1]["seconds"] / 6)


def trend(rows: list[dict[str, float]], part: str) -> tuple[float, float]:
    """Return the megabytes at the end of the warm-up and the megabytes an hour from there, by least squares."""
    after = [row for row in rows if row["seconds"] >= warm(rows)]
    hours = [(row["seconds"] - warm(rows)) / 3600 for row in after]
    slope, start = statistics.linear_regression(hours, [row[f"{part} pss"] for row in after])
    return start, slope


def write(rows: list[dict[str, float]], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows({name: f"{value:.1f}" for name, value in row.items()} for row in rows)


def read(path: Path) -> list[dict[str, float]]:
    with path.open(newline="") as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
