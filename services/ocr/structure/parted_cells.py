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

MAX_SPACE = 1.2
"""Largest space between the parts of one text, in font sizes; a typewriter's is as wide as a letter."""
MAX_SIZE_RATIO = 1.5


def with_joined_cells(marks: PageMarks) -> PageMarks:
    """Return the marks with one line for the parts of a text that stand beside each other in a cell of the table."""
    table, _ = best_table(marks.lines, marks.grids, marks.rules)
    if table is None:
        return marks
    cells = [cell for record in table.records for cell in record.cells.values() if len(cell) > 1]
    wholes = [part for cell in cells for part in _texts(cell) if len(part) > 1]
    if not wholes:
        return marks
    by_first = {parts[0].id: joined(parts) for parts in wholes}
    absorbed = {line.id for parts in wholes for line in parts[1:]}
    return marks.with_lines([by_first.get(line.id, line) for line in marks.lines if line.id not in absorbed])


def _texts(cell: Iterable[TextLine]) -> list[list[TextLine]]:
    """Return the texts of a cell: lines that follow each other on one line of print are one."""
    texts: list[list[TextLine]] = []
    for line in sorted(cell, key=lambda n: n.box.x):
        before = next((text for text in texts if _follows(text[-1], line)), None)
        if before is None:
            texts.append([line])
        else:
            before.append(line)
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
