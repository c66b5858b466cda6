"""Find the lines that continue a value, such as an address below the name of a customer.

What stands below a named value, at its left edge and a line apart, was filled in with it, unless it is wording that
forms print, or names something itself. Below a value behind its label, that is the rest of one that reaches as far
right as anything on the page. And what a form repeats further down, such as a name to sign below, is the same value.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block

from .text_classifier import ends_like_label, is_label, is_statement, is_total, split_prefix, text_kind

MAX_LINES = 6
"""Lines of one value."""
MAX_WORDS = 8
"""A line of more words is a sentence that the form prints."""
MIN_REPEATED_LETTERS = 12
"""Letters, of which a Chinese character counts as two, that a text needs to be the same value once more."""
MAX_ROOM = 2.0
"""Sizes of type that a line leaves free at the right where its text goes on below."""
EDGE_TOLERANCE_PT, MAX_GAP, SIZE_TOLERANCE_PT = 2.5, 0.9, 1.5
"""Lines of one value begin at one edge, with no more than this many sizes of type between, in about one size."""


def with_continued_values(blocks: Sequence[Block], known: Collection[str]) -> list[Block]:
    """Return the blocks; what continues or repeats a value is a value. Those in `known` have a part of their own."""
    found = {**_repeated(blocks, known), **_wrapped(blocks, known)}
    for first in blocks:
        if first.role != "value" or not first.label or first.id in known or not _may_continue(first):
            continue
        for number, block in enumerate(_lines_below(first, blocks, known), 2):
            if block.role == "fixed" or not block.label:
                found[block.id] = block.model_copy(update={"role": "value", "label": f"{first.label} line {number}"})
    return [found.get(block.id, block) for block in blocks]


def _repeated(blocks: Sequence[Block], known: Collection[str]) -> dict[str, Block]:
    """Return the fixed texts that say once more what a named value above them is, as values with its label."""
    named = [block for block in blocks if block.role == "value" and block.label and block.id not in known]
    values = {_own_text(block): block for block in reversed(named)}
    found = dict[str, Block]()
    for block in blocks:
        value = values.get(block.text.strip()) if block.role == "fixed" and block.id not in known else None
        if value is not None and value.box.bottom < block.box.y and _is_name_like(block.text):
            found[block.id] = block.model_copy(update={"role": "value", "label": value.label})
    return found


def _own_text(block: Block) -> str:
    return block.text.removeprefix(block.prefix).strip()


def _is_name_like(text: str) -> bool:
    """Whether this is wording that two parts of a form have in common only if it was filled in there twice."""
    letters = sum(2 if is_cjk(char) else 1 for char in text if char.isalpha())
    return text_kind(text) == "text" and letters >= MIN_REPEATED_LETTERS and not is_label(text)


def _wrapped(blocks: Sequence[Block], known: Collection[str]) -> dict[str, Block]:
    """Return the rest of values that go on below, where their line had no more room."""
    right = max((block.box.right for block in blocks), default=0.0)
    found = dict[str, Block]()
    for first in blocks:
        if (
            not (first.prefix and first.label)
            or first.id in known
            or right - first.box.right > MAX_ROOM * first.style.size
        ):
            continue
        share = len(first.prefix) / len(first.text)
        start = first.model_copy(update={"box": first.box.moved(share * first.box.width, 0)})
        for block in blocks:
            own = not block.label and block.id not in known and _is_filled_in(block) and _is_below(block, start)
            if own and not any(other is not block and _are_level(other.box, block.box) for other in blocks):
                found[block.id] = block.model_copy(update={"role": "value", "label": f"{first.label} line 2"})
    return found


def _is_below(block: Block, start: Block) -> bool:
    """Whether a text begins right below the start of another, as far as that is known."""
    size = start.style.size
    is_close = -1 <= block.box.y - start.box.bottom <= MAX_GAP * size
    return is_close and abs(block.box.x - start.box.x) <= size and abs(block.style.size - size) <= SIZE_TOLERANCE_PT


def _are_level(one: Box, other: Box) -> bool:
    return one.y < other.middle[1] < one.bottom


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
