"""Find the values on lines whose labels stand below them, as official forms print them: a line, ``Last name`` under it.

Elsewhere a wording names what is below it, so a line counts only where its captions look unlike what is written on it,
most of them are wording that forms print, and what is written is none. A single such line may be a mere divider.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from bandsmith.shared.model.layout import Block, Grid, RulingLine, TickBox

from .text_classifier import ends_like_label, is_label, split_prefix, text_kind

MIN_LENGTH_PT = 24.0
"""Shorter rules are dashes."""
MIN_PAIRS = 3
"""Values with a caption, from which on a page has its labels below."""
MAX_BELOW, MAX_ABOVE = 1.0, 0.8
"""Distance of a caption, and of what is written, from the line, in their font sizes."""
MAX_SUNK = 0.35
"""How far what is written may reach below the line, in its font size."""
MIN_LABEL_SHARE, MAX_LABEL_SHARE = 0.5, 0.3
"""Share of known wording among captions at least, and among what is written at most."""
MAX_SIZE_RATIO = 0.95
"""A caption is smaller than this next to what it names, or else has another weight."""
MAX_TICK_GAP_PT = 8.0
"""Distance of a box to tick from the wording behind it."""
MAX_CAPTION_CHARS = 40


class _Line(NamedTuple):
    """A line with what is written on it and the captions below it."""

    written: list[Block]
    captions: list[Block]


def find_captioned_values(
    blocks: Sequence[Block],
    rules: Sequence[RulingLine],
    grids: Sequence[Grid],
    ticks: Sequence[TickBox],
    known: Collection[str],
) -> dict[str, Block]:
    """Return the caption of each value that stands on such a line, by the value's id."""
    free = [block for block in blocks if block.id not in known and not _is_tick_label(block, ticks)]
    found: dict[str, Block] = {}
    for line in _lines(free, rules, grids):
        for value in line.written:
            found[value.id] = min(line.captions, key=lambda caption: _apart(caption, value))
    return found if len(found) >= MIN_PAIRS else {}


def _lines(blocks: Sequence[Block], rules: Sequence[RulingLine], grids: Sequence[Grid]) -> Iterator[_Line]:
    """Yield the lines to write on that have captions."""
    in_grids = {name for grid in grids for name in grid.rules}
    for rule in rules:
        if not rule.horizontal or rule.id in in_grids or rule.x2 - rule.x1 < MIN_LENGTH_PT:
            continue
        over = [block for block in blocks if rule.x1 - 2 <= block.box.middle[0] <= rule.x2 + 2]
        written = [block for block in over if _stands_on(block, rule)]
        captions = [block for block in over if 0 <= block.box.y - rule.y1 + 1 <= MAX_BELOW * block.style.size]
        if written and captions and _are_captions(captions, written):
            yield _Line(written, captions)


def _stands_on(block: Block, rule: RulingLine) -> bool:
    above = rule.y1 - block.box.bottom
    return -MAX_SUNK * block.style.size <= above <= MAX_ABOVE * block.style.size and block.box.middle[1] < rule.y1


def _are_captions(captions: Sequence[Block], written: Sequence[Block]) -> bool:
    """Whether wordings below a line are the labels of what is written on it."""
    if not all(_may_be_caption(block) for block in captions):
        return False
    if any(ends_like_label(block.text) or split_prefix(block.text)[0] for block in written):
        return False
    labels = sum(is_label(block.text) for block in captions)
    asked = sum(is_label(block.text) for block in written)
    return (
        labels >= MIN_LABEL_SHARE * len(captions)
        and asked <= MAX_LABEL_SHARE * len(written)
        and all(_looks_unlike(caption, value) for caption in captions for value in written)
    )


def _may_be_caption(block: Block) -> bool:
    text = block.text.strip()
    is_wording = text_kind(text) == "text" and not any(map(str.isdigit, text))
    is_short = len(text) <= MAX_CAPTION_CHARS and "\n" not in text
    return is_wording and is_short and not ends_like_label(text.rstrip("# "))


def _looks_unlike(caption: Block, value: Block) -> bool:
    is_smaller = caption.style.size < MAX_SIZE_RATIO * value.style.size
    return is_smaller or caption.style.bold != value.style.bold or caption.style.colour != value.style.colour


def _apart(caption: Block, value: Block) -> float:
    """Return how far a value stands from where its caption does, across the page."""
    inside = max(value.box.x - caption.box.right, caption.box.x - value.box.right, 0.0)
    left, middle = abs(caption.box.x - value.box.x), abs(caption.box.middle[0] - value.box.middle[0])
    return inside + min(left, middle) / 100


def _is_tick_label(block: Block, ticks: Sequence[TickBox]) -> bool:
    """Whether a text stands behind a box to tick."""
    return any(
        abs(tick.box.middle[1] - block.box.middle[1]) < block.style.size
        and -1 <= block.box.x - tick.box.right <= MAX_TICK_GAP_PT
        for tick in ticks
    )
