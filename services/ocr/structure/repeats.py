"""The rows that repeat down the page: a table's rows, or cards of several lines.

Candidates come from ruled tables and from steps at which similar blocks stand above each other; the best is the one
that explains the most blocks. It is then settled: where its rows begin, what heads its slots, which marks belong to it.
"""

from __future__ import annotations

from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Align, Block, Fill, Grid, Picture, Repeat, RulingLine, Slot

from .headers import find_header, headed
from .row_candidates import from_grids, from_steps
from .row_scoring import is_fixed, score
from .rows import Rows
from .text_classifier import shape

SAME_EDGE = 0.6
"""Points by which edges of one slot may differ and still be one edge."""


def find_repeat(
    page: Size,
    blocks: list[Block],
    grids: list[Grid],
    rules: list[RulingLine],
    fills: list[Fill],
    pictures: list[Picture],
) -> Repeat | None:
    """The rows that become the detail band, or None. `blocks` are those that may repeat or head: not the title."""
    candidates = [*from_grids(grids, blocks), *from_steps(blocks)]
    best = max(candidates, key=lambda rows: score(rows, blocks), default=None)
    if best is None or score(best, blocks) <= 0:
        return None
    return _settle(best, page, blocks, rules, fills, pictures)


def _settle(
    rows: Rows, page: Size, blocks: list[Block], rules: list[RulingLine], fills: list[Fill], pictures: list[Picture]
) -> Repeat:
    """Fix where rows begin, name the slots by their headers, and share out the rules, fills and pictures."""
    count = len(rows.tops)
    tops = rows.tops if rows.grid else _row_tops(rows, blocks, rules, fills)
    beyond = max(0.0, tops[-1] + rows.pitch - page.height)  # the last row has to fit on the page
    tops = [top - min(beyond, tops[0]) for top in tops]
    region = [b for p in rows.places for b in p.blocks.values()]
    header = find_header(rows, blocks, tops[0])
    owners = {h.id: headed(h, rows.places) for h in header}
    slots = []
    for place in sorted(rows.places, key=lambda p: (p.first.box.middle[1] - tops[min(p.blocks)], p.first.box.x)):
        heads = [h for h in header if any(place is owner for owner in owners[h.id]) and shape(h.text) != "number"]
        label = " ".join(h.text.replace("\n", " ") for h in sorted(heads, key=lambda h: h.box.y)) or None
        slots.append(
            Slot(
                label=label,
                blocks=[place.blocks[row].id if row in place.blocks else None for row in range(count)],
                role="fixed" if label is None and is_fixed(place, count) else "value",
            )
        )
    left, right = min(b.box.x for b in region), max(b.box.right for b in region)
    return Repeat(
        box=Box.between(left, tops[0], right, tops[-1] + rows.pitch),
        tops=tops,
        pitch=rows.pitch,
        slots=slots,
        marks=_share_marks(tops, rows.pitch, rules, fills, pictures),
        header=[h.id for h in header],
        grid=rows.grid,
    )


def _row_tops(rows: Rows, blocks: list[Block], rules: list[RulingLine], fills: list[Fill]) -> list[float]:
    """Where rows begin: at the rules or fills that part them, else halfway between their texts."""
    content = [[p.blocks[row] for p in rows.places if row in p.blocks] for row in range(len(rows.tops))]
    ink_tops = [min(b.box.y for b in held) for held in content]
    ink_bottoms = [max(b.box.bottom for b in held) for held in content]
    left, right = min(b.box.x for h in content for b in h), max(b.box.right for h in content for b in h)
    gap = max(0.0, min([rows.pitch - (bottom - top) for top, bottom in zip(ink_tops, ink_bottoms, strict=True)]))
    edges = [r.y1 for r in rules if r.horizontal and min(r.x2, right) - max(r.x1, left) > 0.3 * (right - left)]
    edges += [
        y
        for f in fills
        if min(f.box.right, right) - max(f.box.x, left) > 0.5 * (right - left)
        for y in (f.box.y, f.box.bottom)
    ]
    above = ink_tops[0] - gap - 3
    ceiling = max((b.box.bottom for b in blocks if b.box.bottom <= ink_tops[0] + 0.5), default=0.0)
    near = [y for y in edges if max(above, ceiling - 1) <= y <= ink_tops[0] + 1]
    top = max(near) if near else max(ink_tops[0] - gap / 2, min(ceiling + 0.5, ink_tops[0]))
    return [top + (t - rows.tops[0]) for t in rows.tops]


def _share_marks(
    tops: list[float], pitch: float, rules: list[RulingLine], fills: list[Fill], pictures: list[Picture]
) -> list[list[str]]:
    """Ids of the rules, fills and pictures of each row; a rule between two rows belongs to the one above it."""
    marks: list[list[str]] = [[] for _ in tops]
    ends = [*tops[1:], tops[-1] + pitch]
    for row, (top, bottom) in enumerate(zip(tops, ends, strict=True)):
        for rule in rules:
            parts = rule.horizontal and top + 1.5 < rule.y1 <= bottom + 1.5
            stands = not rule.horizontal and top - 1.5 <= rule.y1 and rule.y2 <= bottom + 1.5
            if parts or stands:
                marks[row].append(rule.id)
        areas: list[Fill | Picture] = [*fills, *pictures]
        for mark in areas:
            if top - 1.5 <= mark.box.y and mark.box.bottom <= bottom + 1.5:
                marks[row].append(mark.id)
    return marks


def align_slots(blocks: list[Block], repeat: Repeat) -> list[Block]:
    """The same blocks; those of one slot share the edge or middle in which the rows agree best."""
    by_id = {block.id: block for block in blocks}
    aligned: dict[str, Block] = {}
    for slot in repeat.slots:
        held = [by_id[b] for b in slot.blocks if b]
        align = _shared_edge(held) if len(held) > 1 else held[0].align
        aligned |= {b.id: b.model_copy(update={"align": align}) for b in held}
    return [aligned.get(block.id, block) for block in blocks]


def _shared_edge(blocks: list[Block]) -> Align:
    """Which of left, middle and right differs least; what all say the same in keeps the first block's."""

    def spread(places: list[float]) -> float:
        return max(places) - min(places)

    spreads: dict[Align, float] = {
        "Left": spread([b.box.x for b in blocks]),
        "Center": spread([b.box.middle[0] for b in blocks]),
        "Right": spread([b.box.right for b in blocks]),
    }
    own = blocks[0].align
    best = min(spreads, key=lambda align: spreads[align])
    return own if spreads[own] <= spreads[best] + SAME_EDGE else best
