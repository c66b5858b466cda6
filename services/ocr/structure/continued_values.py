"""Find the lines that continue a value, such as an address below the name of a customer.

What stands below a named value, at its left edge and a line apart, was filled in with it, unless it is wording that
forms print, or names something itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.layout import Block

from .text_classifier import ends_like_label, is_label, is_statement, is_total, split_prefix, text_kind

MAX_LINES = 6
"""Lines of one value."""
MAX_WORDS = 8
"""A line of more words is a sentence that the form prints."""
EDGE_TOLERANCE_PT, MAX_GAP, SIZE_TOLERANCE_PT = 2.5, 0.9, 1.5
"""Lines of one value begin at one edge, with no more than this many sizes of type between, in about one size."""


def with_continued_values(blocks: Sequence[Block], known: Collection[str]) -> list[Block]:
    """Return the blocks; fixed ones that continue a value are values. Those in `known` have a part of their own."""
    found: dict[str, Block] = {}
    for first in blocks:
        if first.role != "value" or not first.label or first.id in known or not _may_continue(first):
            continue
        for number, block in enumerate(_lines_below(first, blocks, known), 2):
            if block.role == "fixed" or not block.label:
                found[block.id] = block.model_copy(update={"role": "value", "label": f"{first.label} line {number}"})
    return [found.get(block.id, block) for block in blocks]


def _may_continue(block: Block) -> bool:
    """Whether a value may have further lines: it is text beside nothing, below a label that is not Chinese."""
    return (
        text_kind(block.text) == "text" and not split_prefix(block.text)[0] and not any(map(is_cjk, block.label or ""))
    )


def _lines_below(first: Block, blocks: Sequence[Block], known: Collection[str]) -> list[Block]:
    lines, last = list[Block](), first
    while len(lines) < MAX_LINES - 1:
        below = next((block for block in blocks if _continues(block, last)), None)
        if below is None or below.id in known or not _is_filled_in(below) or _has_neighbour(below, blocks):
            break
        lines.append(below)
        last = below
    return lines


def _continues(block: Block, above: Block) -> bool:
    gap = block.box.y - above.box.bottom
    return (
        abs(block.box.x - above.box.x) <= EDGE_TOLERANCE_PT
        and -1 <= gap <= MAX_GAP * above.style.size
        and abs(block.style.size - above.style.size) <= SIZE_TOLERANCE_PT
    )


def _is_filled_in(block: Block) -> bool:
    text = block.text
    is_wording = is_label(text) or is_total(text) or ends_like_label(text) or is_statement(text)
    return not is_wording and not split_prefix(text)[0] and len(text.split()) <= MAX_WORDS


def _has_neighbour(block: Block, blocks: Sequence[Block]) -> bool:
    """Whether something that this text may name begins shortly to its right."""
    size = block.style.size
    return any(
        0 <= other.box.x - block.box.right <= 4 * size and abs(other.box.middle[1] - block.box.middle[1]) < 0.5 * size
        for other in blocks
        if other is not block
    )
