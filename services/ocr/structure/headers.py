"""Find the headings above rows, and the slots that each of them names."""

from __future__ import annotations

import re

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block

from .rows import ALIGNMENT_TOLERANCE_PT, RowCandidate, SlotCandidate
from .text_classifier import ends_like_label, is_figure, is_label, is_price, names_row_value, split_prefix, text_kind

_LONG_NUMBER = re.compile(r"(?<!\d)(?!(?:19|20)\d\d(?!\d))\d{4,}")
"""A number that is no year."""
SAME_ROW_PT = 4.0
"""Texts whose middles are closer than this stand beside each other."""
MIN_TABLE_GAP_PT = 3.0
"""Space between the ruled cells of two tables."""


def find_header(rows: RowCandidate, blocks: list[Block], top: float) -> list[Block]:
    """Return the headings directly above the rows: the nearest lines of wording that stand over the slots."""
    slots = [p for p in rows.slots if p.blocks]
    inside = {b.id for p in slots for b in p.blocks.values()}
    header: list[Block] = []
    edge = top
    candidates = sorted(
        (b for b in blocks if b.id not in inside and b.box.middle[1] < top), key=lambda b: -b.box.bottom
    )
    priced = [b for b in candidates if is_price(b.text)]  # a row with a price is a sum, or what another row holds
    for block in candidates:
        reach = max(14.0, 1.2 * block.style.size) + (6 if not header else 0)
        if edge - block.box.bottom > reach and not any(abs(block.box.middle[1] - h.box.middle[1]) < 6 for h in header):
            break
        if _is_in_table_above(block, header):
            break
        if any(abs(block.box.middle[1] - other.box.middle[1]) < SAME_ROW_PT for other in priced):
            edge = min(edge, block.box.y)
            continue
        over = any(stands_over(block, p) for p in slots)
        spans = sum(stands_over(block, p) for p in slots)
        if not over or ends_like_label(block.text) or split_prefix(block.text)[0]:
            continue
        beside = sum(abs(c.box.middle[1] - block.box.middle[1]) < 4 for c in candidates) > 1
        if header and not _fits_header(block, header, beside):
            continue
        if spans > max(3, 0.7 * len(slots)) or text_kind(block.text) in ("date", "contact"):
            break
        header.append(block)
        edge = min(edge, block.box.y)
    return sorted(header, key=lambda b: (b.box.y, b.box.x))


def _fits_header(block: Block, header: list[Block], beside: bool) -> bool:
    """Whether a block fits the header found so far: ruled if that is ruled, and as large or not alone on its line."""
    ruled = all(h.room is not None for h in header)
    as_large = 0.7 < block.style.size / header[0].style.size < 1.4
    return (block.room is not None or not ruled) and (as_large or beside)


def _is_in_table_above(block: Block, header: list[Block]) -> bool:
    """Whether a block has a ruled cell that ends above those of the header, with space between."""
    rooms = [h.room for h in header if h.room is not None]
    if block.room is None or not rooms or len(rooms) < len(header):
        return False
    return block.room.bottom < min(room.y for room in rooms) - MIN_TABLE_GAP_PT


def header_share(rows: RowCandidate, blocks: list[Block], slots: list[SlotCandidate]) -> float:
    """Return the share of the slots that have a heading above."""
    above = [b for b in _above(rows, blocks) if not is_figure(b.text) and not split_prefix(b.text)[0]]
    inside = {b.text for p in rows.slots for b in p.blocks.values()}
    if any(b.text in inside for b in above):
        return 0.0  # text that occurs in the rows belongs to one more row, not to their header
    return sum(any(stands_over(h, p) for h in above) for p in slots) / len(slots)


def header_stands_out(rows: RowCandidate, blocks: list[Block]) -> bool:
    """Whether what is above rows is worded as headings are, or looks otherwise than they do."""
    above = [b for b in _above(rows, blocks) if any(stands_over(b, slot) for slot in rows.slots)]
    worded = sum(is_label(b.text) or names_row_value(b.text) for b in above)
    inside = [b.style.bold for slot in rows.slots for b in slot.blocks.values()]
    return 2 * worded >= max(1, len(above)) or {b.style.bold for b in above}.isdisjoint(inside)


def has_labels_above(rows: RowCandidate, blocks: list[Block], slots: list[SlotCandidate]) -> bool:
    """Whether labels with colons stand above most slots: addresses side by side, each below its own label."""
    above = [b for b in _above(rows, blocks) if ends_like_label(b.text)]
    words = all(text_kind(b.text) != "number" for p in slots for b in p.blocks.values())
    return words and sum(any(stands_over(h, p) for h in above) for p in slots) > 0.6 * len(slots)


def _above(rows: RowCandidate, blocks: list[Block]) -> list[Block]:
    """Return the blocks directly above the first row, as far as a header reaches."""
    first = [p.blocks[0].box.y for p in rows.slots if 0 in p.blocks]
    top = min(first, default=rows.tops[0])  # the first row of a ruled table may be empty
    reach = max(34.0, 1.6 * rows.pitch)
    return [b for b in blocks if top - reach < b.box.y and b.box.bottom <= top + 1]


def stands_over(header: Block, slot: SlotCandidate) -> bool:
    """Whether a header stands over a slot: its cell covers the slot's middle, or the two overlap or share an edge.

    In a bar that several headers share, the cell of one that is centred begins at its text.
    """
    body = Box.around([b.box for b in slot.blocks.values()])
    across = min(header.box.right, body.right) - max(header.box.x, body.x)
    if header.room:
        low, high = header.room.x - ALIGNMENT_TOLERANCE_PT, header.room.right + ALIGNMENT_TOLERANCE_PT
        return across > 0 or low <= body.middle[0] <= high
    return across > 0 or abs(header.box.x - body.x) < 6 or abs(header.box.right - body.right) < 6


def heads_rows(header: list[Block], slots: list[SlotCandidate]) -> bool:
    """Whether wording above rows heads them: it has a label, or stands over more than half of the slots.

    ``Store 1477`` is filled in, not a heading; a year may be part of one.
    """
    header = [block for block in header if not _LONG_NUMBER.search(block.text)]
    over = sum(any(stands_over(block, slot) for block in header) for slot in slots)
    return over > 0.5 * len(slots) or any(is_label(block.text) or names_row_value(block.text) for block in header)


def named_slots(header: Block, slots: list[SlotCandidate]) -> list[SlotCandidate]:
    """Return the slots that a header names: those below its cell, or else the one with which it is best aligned."""
    under = [p for p in slots if stands_over(header, p)]
    if header.room or not under:
        return under

    def apart(slot: SlotCandidate) -> float:
        body = Box.around([b.box for b in slot.blocks.values()])
        return min(
            abs(header.box.x - body.x), abs(header.box.right - body.right), abs(header.box.middle[0] - body.middle[0])
        )

    best = min(under, key=apart)
    column = [p for p in under if abs(p.first.box.x - best.first.box.x) < ALIGNMENT_TOLERANCE_PT or p is best]
    return column
