"""Keep the borders of a row intact when its columns move: its ends keep the pens of its ends."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lxml import etree

from .clone_style import border_pen, set_border_pen
from .dom import child
from .draft import Draft
from .tables import DetailTable, RowColumn

_Row = Callable[[RowColumn], etree._Element | None]
_ROWS: tuple[_Row, ...] = (lambda column: column.header, lambda column: column.cell)


@dataclass(frozen=True)
class CellBorders:
    """The borders of one row of cells: the pens of its two ends, and the pen between its cells."""

    row: _Row
    first: etree._Element
    last: etree._Element
    left: etree._Element | None
    right: etree._Element | None
    between: etree._Element | None


def borders_of(table: DetailTable) -> list[CellBorders]:
    """Return the borders of the header row and of the detail row, as far as they have any."""
    found = []
    for row in _ROWS:
        nodes = [node for column in table.columns if (node := row(column)) is not None]
        if len(nodes) > 1 and any(border_pen(node, side) is not None for node in nodes for side in ("left", "right")):
            first, last = nodes[0], nodes[-1]
            between = border_pen(first, "right")
            between = between if between is not None else border_pen(nodes[1], "left")
            pens = [copy.deepcopy(one) for one in (border_pen(first, "left"), border_pen(last, "right"), between)]
            found.append(CellBorders(row, first, last, *pens))
    return found


def reborder(borders: Sequence[CellBorders], order: Sequence[RowColumn]) -> None:
    """Give the new ends of each row the pens of its ends, and the former ends the pen between cells."""
    for one in borders:
        nodes = [node for column in order if (node := one.row(column)) is not None]
        for node in nodes:
            if node is nodes[0]:
                set_border_pen(node, "left", one.left)
            elif node is one.first:
                set_border_pen(node, "left", one.between)
            if node is nodes[-1]:
                set_border_pen(node, "right", one.right)
            elif node is one.last:
                set_border_pen(node, "right", one.between)


def keep_border_colours(draft: Draft, node: etree._Element) -> None:
    """Write down the colour of an element's borders before its text gets another one.

    The engine draws a border without a colour in the colour of the text.
    """
    box = child(node, "box")
    if box is not None:
        for pen in box:
            pen.set("lineColor", pen.get("lineColor") or draft.style_of(node).style.colour)
