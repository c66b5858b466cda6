"""From marks to meaning: blocks, what repeats, what is fixed wording and what was filled in."""

from __future__ import annotations

from typing import Protocol

from bandsmith.shared.model.geometry import Size
from bandsmith.shared.model.layout import Fill, Grid, Layout, Picture, RulingLine, TextLine

from .blocks import make_blocks
from .repeats import align_slots, find_repeat
from .roles import assign_roles, find_title, name_slots


class Seen(Protocol):
    """What anybody sees on the page, before it is understood."""

    lines: list[TextLine]
    rules: list[RulingLine]
    fills: list[Fill]
    pictures: list[Picture]
    grids: list[Grid]
    paper: str


def understand(page: Size, marks: Seen, notes: list[str]) -> Layout:
    """Everything that was found on the page, in reading order."""
    blocks = make_blocks(marks.lines, marks.grids, marks.fills)
    title = find_title(blocks, page)
    rest = [b for b in blocks if b is not title]
    repeat = find_repeat(page, rest, marks.grids, marks.rules, marks.fills, marks.pictures)
    settled = assign_roles(align_slots(blocks, repeat) if repeat else blocks, repeat, title)
    return Layout(
        page=page,
        lines=marks.lines,
        rules=marks.rules,
        fills=marks.fills,
        pictures=marks.pictures,
        grids=marks.grids,
        blocks=settled,
        title=title.id if title else None,
        repeat=name_slots(repeat, settled) if repeat else None,
        paper=marks.paper,
        notes=notes,
    )
