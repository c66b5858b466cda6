"""Find the blanks in light boxes that a form fills with colour to write on, each with its label to the left."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.colours import channels
from bandsmith.shared.fields.identifiers import plain_label
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Fill, Repeat

from .text_classifier import split_prefix, text_kind

MIN_BOXES = 3
"""Boxes with a label to their left, from which on they are places to write on; fewer may be a mere ornament."""
MIN_WIDTH_PT = 24.0
MIN_HEIGHT, MAX_HEIGHT = 1.0, 4.0
"""Height of a box to write on, in font sizes of its label."""
MAX_GAP = 1.5
"""Distance of a box from its label, in the label's font sizes."""
MIN_LIGHT = 200
"""Darkest channel, of 255, of a colour to write on."""
MAX_LABEL_CHARS = 40
MAX_SHARED = 0.5
"""Share of a box that another one may cover; forms draw the edge and the inside of one box as two."""


def find_boxed_blanks(blocks: Sequence[Block], fills: Sequence[Fill], tables: Sequence[Repeat]) -> list[Blank]:
    """Return the blanks in coloured boxes without a text, from top to bottom. `blocks` have their roles."""
    labels = [block for block in blocks if _may_be_label(block)]
    found: list[tuple[Box, Block]] = []
    for box in _boxes(blocks, fills, tables):
        near = [block for block in labels if _stands_before(block, box)]
        if near and not any(box.overlap(other) > MAX_SHARED * min(box.area, other.area) for other, _ in found):
            found.append((box, max(near, key=lambda block: block.box.right)))
    if len(found) < MIN_BOXES:
        return []
    return [
        Blank(
            id=f"boxed{number}",
            label=plain_label(label.text),
            box=box,
            style=label.style.model_copy(update={"bold": False}),
        )
        for number, (box, label) in enumerate(found, 1)
    ]


def _boxes(blocks: Sequence[Block], fills: Sequence[Fill], tables: Sequence[Repeat]) -> list[Box]:
    """Return the light areas outside the rows in which no text stands, from top to bottom."""
    boxes = [fill.box for fill in fills if _is_light(fill.colour) and fill.box.width >= MIN_WIDTH_PT]
    texts = [block.box for block in blocks]
    rows = [table.box for table in tables]
    free = [box for box in boxes if not any(box.overlap(other) for other in (*texts, *rows))]
    return sorted(free, key=lambda box: (box.y, box.x))


def _is_light(colour: str) -> bool:
    return min(channels(colour)) >= MIN_LIGHT


def _stands_before(label: Block, box: Box) -> bool:
    size = label.style.size
    is_level = box.y <= label.box.middle[1] <= box.bottom
    is_near = -2 <= box.x - label.box.right <= MAX_GAP * size
    return is_level and is_near and MIN_HEIGHT * size <= box.height <= MAX_HEIGHT * size


def _may_be_label(block: Block) -> bool:
    text = block.text.strip()
    is_wording = text_kind(text) == "text" and any(map(str.isalpha, text))
    return block.role == "fixed" and is_wording and len(text) <= MAX_LABEL_CHARS and not split_prefix(text)[0]
