"""The headings above rows, and the slots that each of them names."""

from __future__ import annotations

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block

from .rows import ACROSS, Place, Rows
from .text_classifier import ends_like_label, shape, split_prefix


def find_header(rows: Rows, blocks: list[Block], top: float) -> list[Block]:
    """The headings right above the rows: the nearest lines of wording that stand over the slots."""
    places = [p for p in rows.places if p.blocks]
    inside = {b.id for p in places for b in p.blocks.values()}
    header: list[Block] = []
    edge = top
    candidates = sorted(
        (b for b in blocks if b.id not in inside and b.box.middle[1] < top), key=lambda b: -b.box.bottom
    )
    for block in candidates:
        reach = max(14.0, 1.2 * block.style.size) + (6 if not header else 0)
        if edge - block.box.bottom > reach and not any(abs(block.box.middle[1] - h.box.middle[1]) < 6 for h in header):
            break
        over = any(heads(block, p) for p in places)
        spans = sum(heads(block, p) for p in places)
        if not over or ends_like_label(block.text) or split_prefix(block.text)[0]:
            continue
        beside = sum(abs(c.box.middle[1] - block.box.middle[1]) < 4 for c in candidates) > 1
        if header and not _fits_header(block, header, beside):
            continue
        if spans > max(3, 0.7 * len(places)) or shape(block.text) in ("date", "contact"):
            break
        header.append(block)
        edge = min(edge, block.box.y)
    return sorted(header, key=lambda b: (b.box.y, b.box.x))


def _fits_header(block: Block, header: list[Block], beside: bool) -> bool:
    """Whether a block belongs to the header found so far: ruled if that is ruled, and as large or not alone."""
    ruled = all(h.room is not None for h in header)
    as_large = 0.7 < block.style.size / header[0].style.size < 1.4
    return (block.room is not None or not ruled) and (as_large or beside)


def header_share(rows: Rows, blocks: list[Block], places: list[Place]) -> float:
    """Share of the slots above which a heading stands."""
    above = [b for b in _above(rows, blocks) if shape(b.text) == "text" and not split_prefix(b.text)[0]]
    inside = {b.text for p in rows.places for b in p.blocks.values()}
    if any(b.text in inside for b in above):
        return 0.0  # what says the same in the rows is a part of one more row, not their header
    return sum(any(heads(h, p) for h in above) for p in places) / len(places)


def are_asked(rows: Rows, blocks: list[Block], places: list[Place]) -> bool:
    """Whether labels with colons stand above most slots: addresses side by side, each below its own label."""
    above = [b for b in _above(rows, blocks) if ends_like_label(b.text)]
    words = all(shape(b.text) != "number" for p in places for b in p.blocks.values())
    return words and sum(any(heads(h, p) for h in above) for p in places) > 0.6 * len(places)


def _above(rows: Rows, blocks: list[Block]) -> list[Block]:
    """The blocks right above the first row, as far as a header reaches."""
    top = min(b.box.y for p in rows.places for b in p.blocks.values() if 0 in p.blocks and b is p.blocks[0])
    reach = max(34.0, 1.6 * rows.pitch)
    return [b for b in blocks if top - reach < b.box.y and b.box.bottom <= top + 1]


def heads(header: Block, place: Place) -> bool:
    """Whether a header stands over a slot: in line with it, or over its span."""
    body = Box.around([b.box for b in place.blocks.values()])
    if header.room:
        return header.room.x - ACROSS <= body.middle[0] <= header.room.right + ACROSS
    across = min(header.box.right, body.right) - max(header.box.x, body.x)
    return across > 0 or abs(header.box.x - body.x) < 6 or abs(header.box.right - body.right) < 6


def headed(header: Block, places: list[Place]) -> list[Place]:
    """The slots that a header names: those under its cell, else the one that it is most in line with."""
    under = [p for p in places if heads(header, p)]
    if header.room or not under:
        return under

    def apart(place: Place) -> float:
        body = Box.around([b.box for b in place.blocks.values()])
        return min(
            abs(header.box.x - body.x), abs(header.box.right - body.right), abs(header.box.middle[0] - body.middle[0])
        )

    best = min(under, key=apart)
    column = [p for p in under if abs(p.first.box.x - best.first.box.x) < ACROSS or p is best]
    return column
