"""Join the parts of a text in a table's cell that were found as texts of their own: ``1 x`` and ``$ 9.95``.

Words of one text have ordinary spaces between them. Texts that stand further apart are left as they are: they may
belong to a column that has no heading.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextLine

from ..page_marks import PageMarks
from .table_choice import best_table
from .table_model import are_beside
from .text_classifier import text_kind

MAX_SPACE = 1.2
"""Largest space between the parts of one text, in font sizes; a typewriter's is as wide as a letter."""
MAX_SIZE_RATIO = 1.5
MIN_SPREAD_LINES = 3
"""Lines of print that reach from one edge to another, from which on their words are spread between these."""
EDGE_TOLERANCE_PT = 3.0
"""Distance from an edge up to which a line of print reaches it."""


def with_joined_cells(marks: PageMarks) -> PageMarks:
    """Return the marks with one line for the parts of a text that stand beside each other in a cell of the table."""
    table, _ = best_table(marks.lines, marks.grids, marks.rules)
    if table is None:
        return marks
    wholes = list[list[TextLine]]()
    for column in table.filled_columns:
        cells = [record.cells[column] for record in table.records if column in record.cells]
        edges = _edges_of_justified(cells)
        wholes += [text for cell in cells for text in _texts(cell, edges) if len(text) > 1]
    if not wholes:
        return marks
    by_first = {parts[0].id: joined(parts) for parts in wholes}
    absorbed = {line.id for parts in wholes for line in parts[1:]}
    return marks.with_lines([by_first.get(line.id, line) for line in marks.lines if line.id not in absorbed])


def _edges_of_justified(cells: Sequence[Sequence[TextLine]]) -> tuple[float, float] | None:
    """Return the x's between which the words of a column are spread; None unless several lines of print reach both."""
    rows = [row for cell in cells for row in _print_lines(cell)]
    edges = min(row[0].box.x for row in rows), max(row[-1].box.right for row in rows)
    spread = [row for row in rows if _reaches_over(row, edges)]
    # Two columns of texts below one heading are parted in the same place in all lines.
    places = {round(line.box.x / EDGE_TOLERANCE_PT) for row in spread for line in row[1:]}
    return edges if len(spread) >= MIN_SPREAD_LINES and len(places) >= MIN_SPREAD_LINES else None


def _reaches_over(row: Sequence[TextLine], edges: tuple[float, float]) -> bool:
    gaps = (row[0].box.x - edges[0], edges[1] - row[-1].box.right)
    return max(gaps) <= EDGE_TOLERANCE_PT and not any(text_kind(line.text) == "number" for line in row[1:])


def _print_lines(cell: Iterable[TextLine]) -> list[list[TextLine]]:
    """Return the lines of a cell by the line of print that they stand on, each from left to right."""
    rows: list[list[TextLine]] = []
    for line in sorted(cell, key=lambda n: n.box.x):
        row = next((row for row in rows if are_beside(row[-1], line)), None)
        if row is None:
            rows.append([line])
        else:
            row.append(line)
    return rows


def _texts(cell: Iterable[TextLine], edges: tuple[float, float] | None = None) -> list[list[TextLine]]:
    """Return the texts of a cell: lines that follow each other on one line of print, or are spread between `edges`."""
    texts: list[list[TextLine]] = []
    for row in _print_lines(cell):
        if edges and _reaches_over(row, edges):
            texts.append(row)
            continue
        texts.append(row[:1])
        for before, line in pairwise(row):
            if _follows(before, line):
                texts[-1].append(line)
            else:
                texts.append([line])
    return texts


def _follows(one: TextLine, other: TextLine) -> bool:
    low, high = sorted((one.style.size, other.style.size))
    gap = other.box.x - one.box.right
    return are_beside(one, other) and -0.5 * low <= gap <= MAX_SPACE * low and high <= MAX_SIZE_RATIO * low


def joined(parts: Sequence[TextLine]) -> TextLine:
    """Return the parts of a text, from left to right, as one line."""
    text = parts[0].text
    for before, part in pairwise(parts):
        is_close = part.box.x - before.box.right < 0.1 * part.style.size
        touching = is_close and (is_cjk(text[-1]) or is_cjk(part.text[0]))
        text += part.text if touching else " " + part.text
    return parts[0].model_copy(
        update={
            "text": text,
            "box": Box.around(part.box for part in parts),
            "style": max(parts, key=lambda part: part.box.width).style,
            "confidence": min(part.confidence for part in parts),
        }
    )
