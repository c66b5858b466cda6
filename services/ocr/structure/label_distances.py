"""How far a text is from a label to its left on the same line, or above it, in points."""

from __future__ import annotations

import math

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block

from .text_classifier import ends_like_label, text_kind

ABOVE_PENALTY_PT = 40
"""Added to the distance of a label above, so that one beside is preferred."""
MAX_LABEL_DISTANCE_PT = 260
"""Maximum distance of a text to the right of its label, with nothing between them. A figure may be further away."""
MAX_CELL_LINES = 5.0
"""Height of a cell, in lines of its text, up to which a label beside it names the text wherever that stands in it."""
ALIGNMENT_TOLERANCE_PT = 4.0
"""Difference in left edge, right edge or middle up to which two texts are aligned."""
MAX_DROP = 1.6
"""Maximum distance of a label or heading from what it names below, in its font sizes, unless rules connect the two."""
MIN_LEVEL, MIN_COLON_LEVEL = 0.5, 0.3
"""Share of the lower of two texts that is level with the other on one line, and behind a label that ends in a colon."""


def distance_beside(label: Block, block: Block, blocks: list[Block]) -> float | None:
    """Return the distance of a label to the left on the same line; None if it is elsewhere or something is between."""
    a, b = _place(label), _place(block)
    gap = b.x - a.right
    farthest = MAX_LABEL_DISTANCE_PT if text_kind(block.text) == "text" else math.inf
    is_level = a.level_share(b) > (MIN_COLON_LEVEL if ends_like_label(label.text) else MIN_LEVEL)
    if not -2 <= gap < farthest or label.box.x >= block.box.x or not is_level:
        return None
    between = Box.between(a.right, max(a.y, b.y), max(b.x, a.right), min(a.bottom, b.bottom))
    others = (o for o in blocks if o is not label and o is not block and has_letters(o.text))
    blocked = any(between.holds(*o.box.middle) for o in others)
    return None if blocked else max(gap, 0.0)


def _place(block: Block) -> Box:
    """Return the cell of a text, in whose height it stands somewhere; only its own place in one of many lines."""
    is_low = block.room is not None and block.room.height <= MAX_CELL_LINES * block.style.size * len(block.lines)
    return block.room if block.room is not None and is_low else block.box


def has_letters(text: str) -> bool:
    """Whether this is more than punctuation, such as a colon in a column of its own."""
    return any(char.isalnum() for char in text)


def are_on_one_line(a: Box, b: Box) -> bool:
    return a.level_share(b) > MIN_LEVEL


def is_right_below(block: Block, label: Block) -> bool:
    """Whether a text begins below the left edge of a label, at the distance of the next line."""
    gap = block.box.y - label.box.bottom
    return abs(block.box.x - label.box.x) < ALIGNMENT_TOLERANCE_PT and -1 <= gap < MAX_DROP * label.style.size


def distance_above(label: Block, block: Block) -> float | None:
    """Return the distance of a label above, aligned with the block, plus the penalty for not being beside it."""
    gap = block.box.y - label.box.bottom
    size = max(label.style.size, block.style.size)
    in_line = (
        abs(label.box.x - block.box.x) < 4
        or abs(label.box.middle[0] - block.box.middle[0]) < 4
        or abs(label.box.right - block.box.right) < 4
    )
    apart = (
        label.style.bold != block.style.bold or label.style.colour != block.style.colour or label.style != block.style
    )
    return gap + ABOVE_PENALTY_PT if in_line and apart and -1 <= gap < 1.6 * size else None
