"""The running head of a document: what its later pages have above a table, where the first page has another head."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.model.layout import RunningHead, TextLine

from ..page_marks import PageMarks
from .text_classifier import is_page_number

PLACE_TOLERANCE_PT = 6.0
"""Distance up to which texts of two pages stand at the same place."""


def running_head(first: Sequence[TextLine], pages: Sequence[tuple[PageMarks, float]]) -> RunningHead | None:
    """Return the texts above the table's headings on all later pages; None where there are none.

    `first` are the texts of page 1. `pages` has each later page with the height at which the headings begin there. A
    text is part of the head where all these pages have it, apart from the number of the page. Of a single one the
    figures have to stand on page 1, too: another figure may be an amount that is carried forward.
    """
    page, bottom = pages[0]
    known = {figure for line in first for figure in _figures(line.text)}
    lines = [
        line
        for line in page.lines
        if line.box.bottom <= bottom and all(_is_on(line, other, end) for other, end in pages[1:])
    ]
    if len(pages) == 1:
        lines = [line for line in lines if is_page_number(line.text) or set(_figures(line.text)) <= known]
    return RunningHead(lines=lines, bottom=bottom) if lines else None


def _figures(text: str) -> list[str]:
    return re.findall(r"\d+", text)


def _is_on(line: TextLine, page: PageMarks, bottom: float) -> bool:
    """Whether another page has the same text in its head, or the number of a page at its place."""
    return any(
        abs(other.box.x - line.box.x) <= PLACE_TOLERANCE_PT
        and abs(other.box.y - line.box.y) <= PLACE_TOLERANCE_PT
        and (other.text == line.text or (is_page_number(other.text) and is_page_number(line.text)))
        for other in page.lines
        if other.box.bottom <= bottom
    )
