"""The running head of a document: what its later pages have above a table, where the first page has another head."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.model.layout import RunningHead, TextLine

from ..page_marks import PageMarks
from .label_distances import are_on_one_line
from .text_classifier import is_label, is_page_number, split_prefix

PLACE_TOLERANCE_PT = 6.0
"""Distance up to which texts of two pages stand at the same place."""


def running_head(first: Sequence[TextLine], pages: Sequence[tuple[PageMarks, float]]) -> RunningHead | None:
    """Return the texts above the table's headings on all later pages; None where there are none.

    `first` are the texts of page 1. `pages` has each later page with the height at which the headings begin there. A
    text is part of the head where all these pages have it, apart from the number of the page. Of a single one only what
    page 1 has, too: another text may be a value of this copy, such as a name or an amount that is carried forward.
    """
    page, bottom = pages[0]
    lines = [
        line
        for line in page.lines
        if line.box.bottom <= bottom and all(_is_on(line, other, end) for other, end in pages[1:])
    ]
    if len(pages) == 1:
        lines = _known_lines(lines, first)
    return RunningHead(lines=lines, bottom=bottom) if lines else None


def _known_lines(lines: Sequence[TextLine], first: Sequence[TextLine]) -> list[TextLine]:
    """Return page numbers, texts and values that page 1 has, too, and the labels beside these."""
    known = {_plain(text) for line in first for text in (line.text, split_prefix(line.text)[1])}
    kept = [
        line
        for line in lines
        if is_page_number(line.text) or not known.isdisjoint(map(_plain, (line.text, split_prefix(line.text)[1])))
    ]
    return [line for line in lines if line in kept or (is_label(line.text) and _next(line, lines) in kept)]


def _plain(text: str) -> str:
    """Return the words of a text, however they are separated."""
    return " ".join("".join(char if char.isalnum() else " " for char in text).split())


def _next(line: TextLine, lines: Sequence[TextLine]) -> TextLine | None:
    """Return the text to the right of another on its line."""
    right = (one for one in lines if one.box.x > line.box.x and are_on_one_line(line.box, one.box))
    return min(right, key=lambda one: one.box.x, default=None)


def _is_on(line: TextLine, page: PageMarks, bottom: float) -> bool:
    """Whether another page has the same text in its head, or the number of a page at its place."""
    return any(
        abs(other.box.x - line.box.x) <= PLACE_TOLERANCE_PT
        and abs(other.box.y - line.box.y) <= PLACE_TOLERANCE_PT
        and (other.text == line.text or (is_page_number(other.text) and is_page_number(line.text)))
        for other in page.lines
        if other.box.bottom <= bottom
    )
