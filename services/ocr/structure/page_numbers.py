"""Join a page number with the number of pages beside it, which a document may print as texts of their own."""

from __future__ import annotations

import re

from bandsmith.shared.model.layout import TextLine

from ..page_marks import PageMarks
from .parted_cells import joined
from .table_model import are_beside

MAX_GAP = 1.5
"""Distance between the two, in font sizes."""
_OPEN = re.compile(r"(?:page|seite|página|pagina)\s?:?\s?\d{1,3}\s?(?:of|/|von|de|di)", re.IGNORECASE)
_PAGES = re.compile(r"\d{1,3}")


def with_whole_page_numbers(marks: PageMarks) -> PageMarks:
    """Return the marks with ``Page 1 of`` and the ``7`` to its right as one line."""
    wholes: dict[str, TextLine] = {}
    absorbed = set[str]()
    for line in marks.lines:
        if _OPEN.fullmatch(line.text.strip()) and (pages := _pages_beside(line, marks.lines)):
            wholes[line.id] = joined([line, pages])
            absorbed.add(pages.id)
    if not wholes:
        return marks
    return marks.with_lines([wholes.get(line.id, line) for line in marks.lines if line.id not in absorbed])


def _pages_beside(line: TextLine, lines: list[TextLine]) -> TextLine | None:
    limit = MAX_GAP * line.style.size
    near = (other for other in lines if 0 <= other.box.x - line.box.right <= limit and are_beside(line, other))
    return next((other for other in near if _PAGES.fullmatch(other.text.strip())), None)
