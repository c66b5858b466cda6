"""How wide the columns of a table are: what each needs, and how they share the width of the table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lxml import etree

from .declarations import DATE_CLASSES, NUMBER_CLASSES, STRING_CLASS
from .dom import content_of, local_name
from .draft import Draft
from .expressions import SCOPES, references
from .tables import RowColumn

MIN_COLUMN_WIDTH_PT = 8
"""The width that a column keeps in any case."""


def distribute(widths: Sequence[int], minima: Sequence[int], ends: Sequence[int]) -> list[int]:
    """Return the edges of columns that fill the span from ``ends[0]`` to ``ends[-1]``.

    Each gets a share of the span in proportion to its width, but its minimum at least, if all minima fit_text.
    """
    total = ends[-1] - ends[0]
    if sum(minima) > total:
        minima = [0] * len(widths)
    shares = [float(width) for width in widths]
    at_minimum: set[int] = set()
    while True:
        available = total - sum(minima[n] for n in at_minimum)
        flexible = sum(widths[n] for n in range(len(widths)) if n not in at_minimum) or 1
        shares = [minima[n] if n in at_minimum else widths[n] * available / flexible for n in range(len(widths))]
        too_narrow = {n for n in range(len(widths)) if n not in at_minimum and shares[n] < minima[n]}
        if not too_narrow:
            return column_edges(ends[0], shares)
        at_minimum |= too_narrow


def column_edges(start: int, widths: Sequence[float]) -> list[int]:
    """Return the edges, in whole points, of columns with these widths."""
    return [start + round(sum(widths[:n])) for n in range(len(widths) + 1)]


def widths_between(edges: Sequence[int]) -> list[int]:
    return [right - left for left, right in pairwise(edges)]


def min_width(draft: Draft, column: RowColumn) -> int:
    """Return how narrow a column may become so that its header, and its values as far as is known, stay unbroken."""
    width = MIN_COLUMN_WIDTH_PT
    if column.header is not None and local_name(column.header) == "staticText":
        width = draft.style_of(column.header).width_of(content_of(column.header))
    cell = column.cell
    if local_name(cell) == "textField":
        classes = cell_classes(draft, cell)
        if classes and classes <= NUMBER_CLASSES | DATE_CLASSES:
            width = max(width, draft.style_of(cell).width_of(sample_value(classes.pop(), cell.get("pattern"))))
    return min(width, column.width)


def sample_value(java_class: str, pattern: str | None) -> str:
    """Return a value of usual length as it would be printed."""
    if java_class in DATE_CLASSES:
        return (pattern or "yyyy-MM-dd").replace("'", "").replace("yyyy", "8888")
    if java_class in NUMBER_CLASSES:
        prefix = re.sub(r"[#0,.;'%].*", "", pattern or "")
        return prefix + ("88,888.88" if pattern and "." in pattern else "8,888")
    return "8888888888"


def cell_classes(draft: Draft, cell: etree._Element) -> set[str]:
    """Return the classes of the fields and variables that a cell prints."""
    nodes = (draft.declared(SCOPES[scope], name) for scope, name in references(content_of(cell)) if scope in "FV")
    return {node.get("class") or STRING_CLASS for node in nodes if node is not None}


def is_number_column(draft: Draft, column: RowColumn) -> bool:
    return bool(cell_classes(draft, column.cell) & NUMBER_CLASSES)
