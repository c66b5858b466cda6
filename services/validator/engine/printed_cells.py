"""The texts of a filled report as cells, and their way from the worker: a line each, with what many share in a table.

A report of 100,000 rows has half a million cells of a few dozen styles. Neither side holds them as JSON objects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from bandsmith.shared.model.filling import lines_of


class PrintedCell(NamedTuple):
    """A text or a filled area of a report that was filled without page breaks."""

    key: str | None
    band: str
    """The section that it was printed in: ``title``, ``detail``, ``groupHeader`` and so on."""
    group: str | None
    box: tuple[int, int, int, int]
    """x, y, width and height in points, from the left margin and the top of the first page."""
    fill: str | None
    """Colour behind the text, as six hexadecimal digits; None where it is transparent."""
    text: str | None = None
    """None: a filled area without a text."""
    number: str | None = None
    """The value, where it is a number, with all of its digits."""
    date: str | None = None
    """The value, where it is a date, in ISO format."""
    pattern: str | None = None
    """The Java pattern by which the value is formatted."""
    colour: str | None = None
    bold: bool = False
    italic: bool = False
    size: float = 10.0
    align: str = "Left"


_OWN = ("box", "text", "number", "date")
"""What each cell has of its own, in the order of its line."""
_SHARED = tuple(name for name in PrintedCell._fields if name not in _OWN)


class CellWriter:
    """Writes cells as lines of JSON; ``styles`` has what they share."""

    def __init__(self) -> None:
        self.lines = bytearray()
        self._numbers: dict[tuple[object, ...], int] = {}

    @property
    def styles(self) -> list[tuple[object, ...]]:
        return list(self._numbers)

    def add(self, cell: Mapping[str, Any]) -> None:
        style = tuple(cell.get(name, PrintedCell._field_defaults.get(name)) for name in _SHARED)
        number = self._numbers.setdefault(style, len(self._numbers))
        if self.lines:
            self.lines += b"\n"
        self.lines += orjson.dumps([number, *(cell.get(name) for name in _OWN)])


def read_cells(styles: Sequence[Sequence[Any]], lines: bytes) -> list[PrintedCell]:
    """Return the cells that a ``CellWriter`` wrote."""
    shared = [dict(zip(_SHARED, style, strict=True)) for style in styles]
    cells = []
    for line in lines_of(lines) if lines else ():
        number, box, text, value, date = orjson.loads(line)
        cells.append(PrintedCell(**shared[number], box=tuple(box), text=text, number=value, date=date))
    return cells
