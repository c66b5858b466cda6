"""Find the wording that names a value without being its label: beside it, above it, over its column or before its line.

A currency between a value and its label names nothing. A figure far from the only wording of its line belongs to that
wording, as in a column of sums; one below a column of the rows is named after its line and the column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from bandsmith.shared.fields.identifiers import without_number
from bandsmith.shared.fields.value_types import is_currency
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout, Repeat, Slot

MAX_GAP_PT = 90.0
"""Wording to the left of a value, in its line, names it up to this distance."""
MAX_LINES_ABOVE = 1.6
"""Wording above a value names it up to this distance, in heights of the value's line."""
MAX_LABEL_WORDS, MAX_LABEL_CHARACTERS = 4, 8
"""Longer wording is a sentence: words of a language with spaces, characters of one without."""
MIN_HEADED_COLUMNS = 2
"""A line of wording above the rows heads them if it does so for so many columns."""
_PLACE, _POSTAL_CODE = re.compile(r"[^\W\d][^\d,]*, ?[A-Z]{2}"), re.compile(r"\d{5}(?:-\d{4})?")
"""A town with its state, which no figure is named after: ``Henderson, TX 75653``"""
_FIGURE = re.compile(r"[^\w]*(?:[A-Z]{3} ?)?[-+(]?\d[\d.,' ]*\d?\)?(?: ?[^\d\s]{1,4})?")


def nearby_labels(layout: Layout) -> dict[str, str]:
    """Return the wording near values without a label, by block id."""
    wordings = [block for block in layout.blocks if block.role == "fixed" and block.id != layout.title]
    fixed = [block for block in wordings if _is_label(block.text)]
    headings = dict(_column_headings(layout, fixed))
    found = {}
    for block in layout.blocks:
        if block.role == "value" and not block.label:
            label = _left_of(block, fixed, layout.blocks) or _above(block, fixed)
            if label and _is_postal_code(block.text, label.text):
                found[block.id] = "Postcode"
                continue
            text = label.text if label else _total_of_column(block, fixed, layout, headings)
            if text or (text := _of_line(block, fixed, layout.blocks)):
                found[block.id] = text.strip()
    for rows, slot in _slots(layout):
        heading = headings.get(_key(rows, slot))
        found |= {block: heading for block in slot.blocks if block and heading}
    return found


def _is_postal_code(text: str, before: str) -> bool:
    """Whether a figure is the postal code of the place before it."""
    return bool(_PLACE.fullmatch(before.strip()) and _POSTAL_CODE.fullmatch(text.strip()))


def _is_label(text: str) -> bool:
    """Whether wording is short enough to name something, and neither a number nor a currency."""
    words = text.split()
    characters = sum(map(is_cjk, text))
    is_short = len(words) <= MAX_LABEL_WORDS and characters <= MAX_LABEL_CHARACTERS
    return any(char.isalpha() for char in text) and is_short and not is_currency(text)


def _left_of(block: Block, fixed: Sequence[Block], blocks: Sequence[Block]) -> Block | None:
    """Return the wording left of a block in its line, with nothing but a currency between."""
    edge = block.box.x
    for one in _before(block, blocks):
        if not is_currency(one.text):
            return one if one in fixed and edge - one.box.right <= MAX_GAP_PT else None
        edge = one.box.x
    return None


def _of_line(block: Block, fixed: Sequence[Block], blocks: Sequence[Block]) -> str:
    """Return the only wording to the left of a figure in its line, however far it is; empty where there is none."""
    before = [one for one in _before(block, blocks) if not is_currency(one.text)]
    if len(before) != 1 or before[0] not in fixed or not _FIGURE.fullmatch(block.text.strip()):
        return ""
    return before[0].text


def _before(block: Block, blocks: Sequence[Block]) -> list[Block]:
    """Return the texts to the left of a block in its line, the nearest first."""
    beside = [one for one in blocks if one.box.right <= block.box.x + 1 and _share(one.box, block.box) > 0.5]
    return sorted(beside, key=lambda one: -one.box.right)


def _above(block: Block, fixed: Sequence[Block]) -> Block | None:
    """Return the wording right above a block."""
    reach = MAX_LINES_ABOVE * block.box.height
    over = [one for one in fixed if 0 <= block.box.y - one.box.bottom <= reach and _is_over(one.box, block.box)]
    return max(over, key=lambda one: one.box.bottom, default=None)


def _total_of_column(block: Block, fixed: Sequence[Block], layout: Layout, headings: dict[_Key, str]) -> str:
    """Return what names a figure below a column of the rows: the wording that begins its line, and the column's."""
    first = next(iter(reversed(_before(block, layout.blocks))), None)
    if first is None or first not in fixed:
        return ""
    for rows, slot in _slots(layout):
        heading = slot.label or headings.get(_key(rows, slot))
        if heading and rows.box.bottom <= block.box.y and _is_over(_area(slot, layout), block.box):
            return f"{first.text.strip().rstrip(':：')} {without_number(heading)}"
    return ""


_Key = tuple[float, str]
"""Which rows, by their top, and which of their slots, by its first block."""


def _key(rows: Repeat, slot: Slot) -> _Key:
    return rows.box.y, next((block for block in slot.blocks if block), "")


def _slots(layout: Layout) -> Iterator[tuple[Repeat, Slot]]:
    for rows in layout.tables:
        for slot in rows.slots:
            if slot.role == "value" and any(slot.blocks):
                yield rows, slot


def _area(slot: Slot, layout: Layout) -> Box:
    """Return the area of a slot's texts in all rows."""
    ids = {block for block in slot.blocks if block}
    return Box.around(block.box for block in layout.blocks if block.id in ids)


def _column_headings(layout: Layout, fixed: Sequence[Block]) -> Iterator[tuple[_Key, str]]:
    """Yield the headings of columns that stand further above their rows, with nothing between.

    A line of wording counts as such if it heads several columns that have no heading of their own.
    """
    over: list[tuple[_Key, Block]] = []
    for rows, slot in _slots(layout):
        if not slot.label:
            area = _area(slot, layout)
            above = [one for one in layout.blocks if one.box.bottom <= rows.box.y + 1 and _is_over(one.box, area)]
            nearest = max(above, key=lambda one: one.box.bottom, default=None)
            if nearest is not None and nearest in fixed:
                over.append((_key(rows, slot), nearest))
    lines = Counter(round(heading.box.y / heading.style.size) for _, heading in over)
    for key, heading in over:
        if lines[round(heading.box.y / heading.style.size)] >= MIN_HEADED_COLUMNS:
            yield key, heading.text


def _is_over(one: Box, other: Box) -> bool:
    """Whether two texts stand below each other."""
    return min(one.right, other.right) - max(one.x, other.x) > 0.5 * min(one.width, other.width)


def _share(one: Box, other: Box) -> float:
    return (min(one.bottom, other.bottom) - max(one.y, other.y)) / max(1.0, min(one.height, other.height))
