"""Tables without rules, that leave columns out where the terminal is narrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

UNBOUNDED = 10_000


def table(
    columns: Mapping[str, Column], rows: Sequence[Mapping[str, Text]], console: Console, less: Sequence[str] = ()
) -> Table:
    """The rows' cells in the columns' order, by the columns' names; without as many of `less`, from its first on, as
    the width of `console` has no room for."""
    for left_out in range(len(less) + 1):
        names = [name for name in columns if name not in less[:left_out]]
        made = Table(*(columns[name].copy() for name in names), box=None, pad_edge=False, header_style="bold")
        for row in rows:
            made.add_row(*(row[name] for name in names))
        if Measurement.get(console, console.options.update(max_width=UNBOUNDED), made).maximum <= console.width:
            break
    return made
