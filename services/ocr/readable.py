"""Tell a page of a form from a picture in which a recogniser sees letters."""

from __future__ import annotations

from bandsmith.shared.errors import BadInput
from bandsmith.shared.fonts import is_cjk

from .page import Page
from .page_marks import PageMarks

_CLEAR_CONFIDENCE = 0.85
"""A word read with this confidence is text; on textures, bent and turned text it is mostly 0.3 to 0.8."""
_MIN_CLEAR_LETTERS, _MIN_CLEAR_SHARE = 4, 0.65
"""Number of letters, and share of all, that belong to clear words on a page of a form; real forms reach 0.74 to 1."""
_MIN_FEW_SHARE = 0.25
"""The share that a page has at least of which some was read: beside handwriting, or in letters that are not known."""


def check_readable(page: Page, marks: PageMarks) -> None:
    """Raise ``BadInput`` unless most letters of a page belong to words that were read with confidence.

    A page whose words are known, or on which tables were found, is readable.
    """
    if page.words is not None or marks.grids:
        return
    clear = every = 0
    for line in marks.lines:
        letters = sum(char.isalnum() for char in line.text)
        every += letters
        # A single letter is soon seen in a crack; a Chinese word of two counts as much as three letters.
        is_word = letters + sum(is_cjk(char) for char in line.text) >= 3
        clear += letters if is_word and line.confidence >= _CLEAR_CONFIDENCE else 0
    if clear < max(_MIN_CLEAR_LETTERS, _MIN_FEW_SHARE * every):
        raise BadInput.of("documents.unreadable", code="unreadable")
    if clear < _MIN_CLEAR_SHARE * every:
        raise BadInput.of("documents.mostly_unreadable", code="unreadable")
