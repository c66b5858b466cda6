"""Tables without rules that drop columns on a narrow terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

UNBOUNDED_CELLS = 10_000


def table(
    columns: Mapping[str, Column], rows: Sequence[Mapping[str, Text]], console: Console, optional: Sequence[str] = ()
) -> Table:
    """Build a table of `rows`, whose cells are given by column name.

    Columns in `optional` are dropped, from the first on, until the table fits the width of `console`.
    """
    for dropped in range(len(optional) + 1):
        names = [name for name in columns if name not in optional[:dropped]]
        result = Table(*(columns[name].copy() for name in names), box=None, pad_edge=False, header_style="bold")
        for row in rows:
            result.add_row(*(row[name] for name in names))
        width = Measurement.get(console, console.options.update(max_width=UNBOUNDED_CELLS), result).maximum
        if width <= console.width:
            break
    return result
