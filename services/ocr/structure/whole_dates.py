"""Join the parts of a date that were cut where columns meet above and below it: ``Tue, Mar`` and ``19, 2024``."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.model.layout import TextLine

from ..page_marks import PageMarks
from .parted_cells import joined
from .ruled_cells import cell_at
from .table_model import are_beside
from .text_classifier import text_kind

MAX_GAP = 1.0
"""Largest space between the parts, in font sizes."""


def with_whole_dates(marks: PageMarks) -> PageMarks:
    """Return the marks with one line for two neighbours that are a date only together."""
    wholes: dict[str, TextLine] = {}
    absorbed = set[str]()
    for line in marks.lines:
        if line.id not in absorbed and (rest := _rest_of_date(line, marks)) is not None:
            wholes[line.id] = joined([line, rest])
            absorbed.add(rest.id)
    if not wholes:
        return marks
    return marks.with_lines([wholes.get(line.id, line) for line in marks.lines if line.id not in absorbed])


def _rest_of_date(line: TextLine, marks: PageMarks) -> TextLine | None:
    """Return the text to the right that makes a date of a text which is none."""
    if text_kind(line.text) != "text":
        return None
    rest = _next_beside(line, marks.lines)
    if rest is None or text_kind(rest.text) == "date" or text_kind(f"{line.text} {rest.text}") != "date":
        return None
    is_parted = cell_at(line.box.middle, marks.grids) != cell_at(rest.box.middle, marks.grids)
    return None if is_parted else rest


def _next_beside(line: TextLine, lines: Sequence[TextLine]) -> TextLine | None:
    """Return the text that follows on the same line of print, as close as a word."""
    limit = MAX_GAP * line.style.size
    near = [other for other in lines if 0 <= other.box.x - line.box.right <= limit and are_beside(line, other)]
    return min(near, key=lambda other: other.box.x, default=None)
