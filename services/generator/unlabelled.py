"""Name the values that have no label: after wording that stands near them, else after what kind of value they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.fields.value_types import DATE, DECIMAL, INTEGER, LONG
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout

MAX_GAP_PT = 90.0
"""Wording to the left of a value, in its line, names it up to this distance."""
MAX_LINES_ABOVE = 1.6
"""Wording above a value names it up to this distance, in heights of the value's line."""
MAX_LABEL_WORDS, MAX_LABEL_CHARACTERS = 4, 8
"""Longer wording is a sentence: words of a language with spaces, characters of one without."""

_TIME = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?", re.IGNORECASE)
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("email", re.compile(r"[^@\s]+@[^@\s]+\.[a-z]{2,}", re.IGNORECASE)),
    ("website", re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)),
    ("phone", re.compile(r"\+?[\d() ]{2,6}[-. ]\d{2,4}[-. ]?\d{3,8}|\d{3,4}-\d{7,8}|1[3-9]\d{9}")),
    ("code", re.compile(r"(?=.*\d)(?=.*[A-Z])[A-Z\d][A-Z\d/-]{2,}")),
    ("address", re.compile(r"\d+\w?,? .*\b(?:street|road|rd|lane|avenue|ave|drive|square)\b.*", re.IGNORECASE)),
    ("address", re.compile(r".*?[市区县路街][^\d市区县路街]*+\d++\s?+号.*")),
    ("address", re.compile(r"[^\W\d].*\s[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}")),  # a British postcode at the end
    ("address", re.compile(r"[^\W\d][^,]*,\s[A-Z]{2}\s\d{5}(?:-\d{4})?|(?:[A-Z]{1,2}-)?\d{4,5}\s[A-Z][^\W\d][^\d]*+")),
    ("company", re.compile(r".+(?:公司|集团|事务所|[,\s](?:Ltd|LLC|Inc|GmbH|AG|Corp|Co|Limited|PLC|B\.?V|S\.?A)\.?)")),
)  # fmt: skip
"""Kinds of texts by what their last line looks like."""
_BY_SECTION = {"title": "heading", "pageHeader": "heading", "columnHeader": "heading", "detail": "description",
               "summary": "remark", "pageFooter": "footer_note"}  # fmt: skip


def nearby_labels(layout: Layout) -> dict[str, str]:
    """Return, for the blocks of values without a label, the wording left of them or above them, by block id."""
    fixed = [block for block in layout.blocks if block.role == "fixed" and _is_label(block.text)]
    found = {}
    for block in layout.blocks:
        if block.role == "value" and not block.label:
            label = _left_of(block, fixed, layout.blocks) or _above(block, fixed)
            if label is not None:
                found[block.id] = label.text.strip()
    return found


def stem_of(texts: Sequence[str | None], java_class: str, section: str) -> str:
    """Return a name for values after their kind, or for any other text after the section that prints it."""
    present = [text.strip() for text in texts if text and text.strip()]
    if java_class == DATE:
        return "time" if present and all(map(_TIME.fullmatch, present)) else "date"
    if java_class == DECIMAL:
        return "amount"
    if java_class in (INTEGER, LONG):
        return "count"
    last_lines = [text.rsplit("\n", 1)[-1] for text in present]
    for kind, pattern in _KINDS:
        if present and all(map(pattern.fullmatch, last_lines)):
            return kind
    return _BY_SECTION.get(section, "note")


def _is_label(text: str) -> bool:
    """Whether wording is short enough to name something, and no number."""
    words = text.split()
    characters = sum(map(is_cjk, text))
    return any(char.isalpha() for char in text) and len(words) <= MAX_LABEL_WORDS and characters <= MAX_LABEL_CHARACTERS


def _left_of(block: Block, fixed: Sequence[Block], blocks: Sequence[Block]) -> Block | None:
    """Return the wording left of a block in its line, with nothing between."""
    beside = [one for one in blocks if one.box.right <= block.box.x + 1 and _share(one.box, block.box) > 0.5]
    nearest = max(beside, key=lambda one: one.box.right, default=None)
    is_near = nearest is not None and block.box.x - nearest.box.right <= MAX_GAP_PT
    return nearest if nearest in fixed and is_near else None


def _above(block: Block, fixed: Sequence[Block]) -> Block | None:
    """Return the wording right above a block."""
    height = block.box.height
    over = [
        one
        for one in fixed
        if 0 <= block.box.y - one.box.bottom <= MAX_LINES_ABOVE * height
        and min(one.box.right, block.box.right) - max(one.box.x, block.box.x)
        > 0.5 * min(one.box.width, block.box.width)
    ]
    return max(over, key=lambda one: one.box.bottom, default=None)


def _share(one: Box, other: Box) -> float:
    return (min(one.bottom, other.bottom) - max(one.y, other.y)) / max(1.0, min(one.height, other.height))
