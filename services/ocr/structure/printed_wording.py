"""Tell wording that a form prints from values, where it has figures: options, numbered headings, marks of footnotes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.model.layout import Block

from .text_classifier import text_kind

_ANSWER = "(?:yes|no|n/?a|ja|nein|oui|non|s[ií]|male|female|m|f|mr|mrs|ms|是|否|有|无|男|女)"
_OPTIONS = re.compile(rf"[(（]?{_ANSWER}(?:\s?[/|／]\s?{_ANSWER}){{1,3}}[)）]?", re.IGNORECASE)
"""Answers to choose from, of which one is crossed out or circled: ``Yes / No``, 是/否"""
_NUMBERED_HEADING = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,2}[.)]\s+(?=\D)([^\d]+)")
"""``2. Details of the parents``: a figure that counts the parts of a form, and wording without any."""
_LAST_NUMBER = re.compile(r"(.*[^\W\d_])\s(\d)")
"""Wording that ends in a single figure: ``Contact 1``"""
MAX_MARK_RATIO = 0.75
"""Size of a footnote's mark at most, in sizes of the text that it stands at."""
MAX_MARK_GAP = 0.3
"""Distance of such a mark from that text, in its font sizes."""


def is_choice(text: str) -> bool:
    """Whether a text only lists answers to choose from."""
    return bool(_OPTIONS.fullmatch(text.strip()))


def is_numbered_heading(text: str) -> bool:
    """Whether the only figure of a wording is the number of its part of the form."""
    found = _NUMBERED_HEADING.fullmatch(text.strip())
    return found is not None and text_kind(found[1]) == "text" and any(map(str.isalpha, found[1]))


def is_one_of_a_count(block: Block, blocks: Sequence[Block]) -> bool:
    """Whether a wording differs from another one by its last figure only: ``Contact 1`` above, ``Contact 2`` below."""
    own = _LAST_NUMBER.fullmatch(block.text.strip())
    if own is None:
        return False
    others = (_LAST_NUMBER.fullmatch(other.text.strip()) for other in blocks if other is not block)
    return any(other is not None and other[1] == own[1] and other[2] != own[2] for other in others)


def is_footnote_mark(block: Block, blocks: Sequence[Block]) -> bool:
    """Whether a figure is a small raised one at the end of a text, which leads to a note below."""
    if not re.fullmatch(r"\d{1,2}", block.text.strip()):
        return False
    return any(
        block.style.size <= MAX_MARK_RATIO * other.style.size
        and block.box.bottom < other.box.bottom - 0.1 * other.style.size
        and block.box.bottom > other.box.y
        and -MAX_MARK_GAP * other.style.size <= block.box.x - other.box.right <= MAX_MARK_GAP * other.style.size
        for other in blocks
        if other is not block and any(map(str.isalpha, other.text))
    )
