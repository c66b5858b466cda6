"""Find the rows that repeat down the page: a table's rows, or cards of several lines.

A step down the page is tried for every distance at which similar blocks stand above each other. Rows are then windows
of that step whose blocks fall on the same places; the best is the one that explains the most blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from shared.model.geometry import Box, Size
from shared.model.layout import Align, Block, Fill, Grid, Picture, Repeat, Rule, Slot

from .wording import ends_like_label, is_label, is_total, shape, split_prefix

ACROSS = 2.5
"""Points by which the left, middle or right of blocks in one column may differ."""
DOWN = 2.2
"""Points by which the step of a block may differ from the row's."""
SAME_EDGE = 0.6
"""Points by which edges of one slot may differ and still be one edge."""
ALIKE = 0.6
"""Share of a row's blocks that must stand in the first row's places."""


@dataclass
class _Place:
    """One slot while it is being filled: a block for each row."""

    blocks: dict[int, Block] = field(default_factory=dict)

    @property
    def first(self) -> Block:
        return self.blocks[min(self.blocks)]


@dataclass
class Rows:
    """A candidate: where rows begin, how far apart they are, and what stands in each."""

    tops: list[float]
    pitch: float
    places: list[_Place]
    grid: str | None = None

    @property
    def bottom(self) -> float:
        return self.tops[-1] + self.pitch

    @property
    def explained(self) -> int:
        """How many blocks stand where the first row foretells one."""
        return sum(len(place.blocks) - 1 for place in self.places)


def find_repeat(
    page: Size,
    blocks: list[Block],
    grids: list[Grid],
    rules: list[Rule],
    fills: list[Fill],
    pictures: list[Picture],
) -> Repeat | None:
    """The rows that become the detail band, or None. `blocks` are those that may repeat or head: not the title."""
    candidates = [*_from_grids(grids, blocks), *_from_steps(blocks)]
    scored = [(score, rows) for rows in candidates if (score := _score(rows, blocks)) > 0]
    if not scored:
        return None
    best = max(scored, key=lambda pair: pair[0])[1]
    return _settle(best, page, blocks, rules, fills, pictures)


# --- ruled tables --------------------------------------------------------------------------------------------------


def _from_grids(grids: list[Grid], blocks: list[Block]) -> Iterable[Rows]:
    for grid in grids:
        for first, last in _alike_rows(grid):
            yield from _grid_rows(grid, first, last, blocks)


def _alike_rows(grid: Grid) -> Iterable[tuple[int, int]]:
    """Runs of two or more rows with the same cells across, as (first, last)."""
    shapes: list[tuple[tuple[int, int], ...] | None] = []
    for row in range(len(grid.rows) - 1):
        across = [c for c in grid.cells if c.row <= row < c.row + c.row_span]
        whole = all(c.row_span == 1 for c in across) and len(across) > 1
        shapes.append(tuple(sorted((c.column, c.column_span) for c in across)) if whole else None)
    start = 0
    for row in range(1, len(shapes) + 1):
        if row == len(shapes) or shapes[row] != shapes[start]:
            if shapes[start] is not None and row - start >= 2:
                yield start, row - 1
            start = row


def _grid_rows(grid: Grid, first: int, last: int, blocks: list[Block]) -> Iterable[Rows]:
    def held(row: int) -> list[Block]:
        band = Box.between(grid.box.x, grid.rows[row], grid.box.right, grid.rows[row + 1])
        return [b for b in blocks if band.holds(*b.box.middle)]

    content = {row: held(row) for row in range(first, last + 1)}
    skipped, kept = _trim([content[row] for row in range(first, last + 1)])
    start, end = first + skipped, first + skipped + kept - 1
    if kept < 2:
        return
    heights = [grid.rows[r + 1] - grid.rows[r] for r in range(start, end + 1)]
    if max(heights) > 1.8 * min(heights):
        return
    rows = range(start, end + 1)
    tops = [grid.rows[r] for r in rows]
    yield Rows(tops, median(heights), _places([content[r] for r in rows], tops), grid.id)


def _trim(content: list[list[Block]]) -> tuple[int, int]:
    """How many rows on top only head the others, and how many remain without the totals below."""
    start, end = 0, len(content)
    while end - start > 1 and _is_header(content[start], [b for row in content[start + 1 : end] for b in row]):
        start += 1
    while end - start > 1 and _is_footer(content[end - 1], content[start : end - 1]):
        end -= 1
    return start, end - start


def _is_footer(row: list[Block], above: list[list[Block]]) -> bool:
    """Whether the last row only sums up: it says so, or has numbers alone and nothing in the first column."""
    if not row:
        return True
    row = sorted(row, key=lambda b: b.box.x)
    if any(is_total(b.text) for b in row[:2]):
        return True
    left = min((b.box.x for held in above for b in held), default=0.0)
    usual = median(len(held) for held in above)
    begins_later = row[0].box.x > left + 30 and len(above) > 1 and len(row) < usual
    return begins_later and all(shape(b.text) == "number" for b in row)


def _is_header(row: list[Block], below: list[Block]) -> bool:
    """Whether a row of a table heads the others: wording of forms, or set apart by its weight or colour."""
    if not row or any(shape(b.text) in ("date", "contact") for b in row):
        return False
    said_below = {b.text for b in below}
    if sum(b.text in said_below for b in row) > 0.25 * len(row):
        return False
    labels = sum(is_label(b.text) for b in row) / len(row)
    bold = sum(b.style.bold for b in row) / len(row)
    bold_below = sum(b.style.bold for b in below) / len(below) if below else 0.0
    words = sum(shape(b.text) == "text" for b in row) / len(row)
    numbers_below = sum(shape(b.text) != "text" for b in below) / len(below) if below else 0.0
    return labels >= 0.5 or (bold > 0.6 and bold_below < 0.4) or (words > 0.95 and numbers_below > 0.5)


# --- rows by their step --------------------------------------------------------------------------------------------


def _from_steps(blocks: list[Block]) -> Iterable[Rows]:
    ordered = sorted(blocks, key=lambda b: b.box.y)
    heads = sorted({round(b.box.y - DOWN, 1) for b in ordered})
    for step in _steps(ordered):
        for head in heads:
            rows = _follow(head, step, ordered)
            if rows and len(rows.tops) >= 2 and not _is_crossed(rows, blocks):
                yield rows


def _is_crossed(rows: Rows, blocks: list[Block]) -> bool:
    """Whether a merged cell reaches over several of the rows, as in forms where each row asks something else."""
    return any(
        b.room is not None
        and b.room.height > 1.5 * rows.pitch
        and min(b.room.bottom, rows.bottom) - max(b.room.y, rows.tops[0]) > 1.3 * rows.pitch
        for b in blocks
    )


def _steps(blocks: Sequence[Block], most: int = 24) -> list[float]:
    """Distances at which similar blocks often stand above each other, the most frequent first."""
    votes: dict[int, list[float]] = {}
    for i, above in enumerate(blocks):
        for below in blocks[i + 1 :]:
            step = below.box.middle[1] - above.box.middle[1]
            if step > 7 and _same_place(above, below):
                votes.setdefault(round(step), []).append(step)
    merged = {key: [s for near in (key - 1, key, key + 1) for s in votes.get(near, [])] for key in votes}
    best = sorted(merged, key=lambda key: -len(merged[key]))[:most]
    return sorted({round(median(merged[key]), 1) for key in best})


def _same_place(a: Block, b: Block) -> bool:
    """Whether two blocks are alike and share their left, middle or right."""
    if not 0.85 < a.style.size / b.style.size < 1.18 or a.style.bold != b.style.bold:
        return False
    return (
        abs(a.box.x - b.box.x) <= ACROSS
        or abs(a.box.right - b.box.right) <= ACROSS
        or abs(a.box.middle[0] - b.box.middle[0]) <= ACROSS
    )


def _follow(top: float, step: float, blocks: Sequence[Block]) -> Rows | None:
    """Rows of `step` from `top` down, for as long as they look like the first."""
    first = _window(blocks, top, step)
    if len(first) < 2:
        return None
    content, tops, actual = [first], [top], top
    while True:
        row = _window(blocks, actual + step, step)
        matched = _matches(first, row, actual + step - top)
        if not row or 2 * len(matched) < ALIKE * 2 * len(first) or 2 * len(matched) < ALIKE * (len(first) + len(row)):
            break
        drift = median(b.box.middle[1] - a.box.middle[1] for a, b in matched) - (actual + step - top)
        actual = actual + step + (drift if abs(drift) < DOWN else 0.0)
        content.append(row)
        tops.append(actual)
    skipped, kept = _trim(content)
    content, tops = content[skipped : skipped + kept], tops[skipped : skipped + kept]
    pitch = (tops[-1] - tops[0]) / (len(tops) - 1) if len(tops) > 1 else step
    return Rows(tops, pitch, _places(content, tops))


def _window(blocks: Sequence[Block], top: float, height: float) -> list[Block]:
    return [b for b in blocks if top <= b.box.middle[1] < top + height]


def _matches(first: list[Block], row: list[Block], step: float) -> list[tuple[Block, Block]]:
    free, pairs = list(row), []
    for a in first:
        for b in free:
            if _same_place(a, b) and _off(a, b, step) <= DOWN:
                pairs.append((a, b))
                free.remove(b)
                break
    return pairs


def _off(a: Block, b: Block, step: float) -> float:
    """By how much b is not `step` below a, at the edge where they agree best."""
    return min(
        abs(b.box.y - a.box.y - step),
        abs(b.box.middle[1] - a.box.middle[1] - step),
        abs(b.box.bottom - a.box.bottom - step),
    )


def _places(content: list[list[Block]], tops: list[float]) -> list[_Place]:
    """Sort the blocks of all rows into slots, by where they stand in their row."""
    places: list[_Place] = []
    for row, held in enumerate(content):
        for block in held:
            for place in places:
                if row in place.blocks:
                    continue
                seen = min(place.blocks)
                other = place.blocks[seen]
                step = tops[row] - tops[seen]
                down = _off(other, block, step)
                same = _same_place(other, block) or (
                    other.room is not None and block.room is not None and abs(other.room.x - block.room.x) < ACROSS
                )
                if same and down <= (8 if other.room and block.room else DOWN * 1.5):
                    place.blocks[row] = block
                    break
            else:
                places.append(_Place({row: block}))
    return places


# --- which is best -------------------------------------------------------------------------------------------------


def _score(rows: Rows, blocks: list[Block]) -> float:
    """How much the rows explain; 0 for what only looks like rows: a list of labels and values, or of totals."""
    count = len(rows.tops)
    shared = [p for p in rows.places if len(p.blocks) >= 2]
    if len(shared) < 2 or _is_label_list(shared, count) or _is_totals(rows.places):
        return 0.0
    if _is_several_rows(shared) and sum(_is_fixed(p, count) for p in shared) < 0.15 * len(shared):
        return 0.0
    alone = sum(len(p.blocks) for p in rows.places if len(p.blocks) < 2)
    spread = max(b.box.right for p in shared for b in p.blocks.values()) - min(
        b.box.x for p in shared for b in p.blocks.values()
    )
    consistent = sum(_consistent(p) for p in shared) / len(shared)
    headed = _header_share(rows, blocks, shared)
    if len(shared) < 3 and headed < 1 and not rows.grid and not any(_is_fixed(p, count) for p in shared):
        return 0.0
    gain = rows.explained - 1.5 * alone
    wide = 0.5 + 0.5 * min(1.0, spread / 250)
    return gain * (0.6 + 0.4 * consistent) * (1 + 0.3 * headed) * wide * (1.3 if rows.grid else 1.0)


def _is_several_rows(places: list[_Place]) -> bool:
    """Whether most slots of a row stand in one column with another: the step is a multiple of the true one."""
    stacked = [
        p for p in places if any(q is not p and _same_place(p.first, q.first) and _apart(p, q) > 5 for q in places)
    ]
    return len(stacked) > 0.6 * len(places)


def _apart(p: _Place, q: _Place) -> float:
    return abs(p.first.box.middle[1] - q.first.box.middle[1])


def _is_label_list(places: list[_Place], count: int) -> bool:
    """Labels down the left with their values beside: every row asks something else."""
    lists = 0
    for place in places:
        texts = [b.text for b in place.blocks.values()]
        if all(t.strip() in (":", "：") for t in texts):
            return True
        different = len(set(texts)) > 0.5 * len(texts)
        asking = [ends_like_label(t) or bool(split_prefix(t)[0]) for t in texts]
        wording = [is_label(t) and shape(t) == "text" for t in texts]
        if different and (sum(asking) >= 0.5 * len(texts) or sum(wording) >= 0.7 * len(texts)):
            heads = {split_prefix(t)[0] for t in texts if split_prefix(t)[0]}
            if len(heads) == 1 and sum(asking) == len(texts):
                continue
            lists += 1
    return lists > 0.25 * len(places)


def _is_totals(places: list[_Place]) -> bool:
    return any(
        len(p.blocks) >= 2
        and sum(is_total(b.text) for b in p.blocks.values()) >= 0.5 * len(p.blocks)
        and len({b.text for b in p.blocks.values()}) > 1
        for p in places
    )


def _consistent(place: _Place) -> float:
    shapes = [shape(b.text) for b in place.blocks.values()]
    return max(shapes.count(s) for s in set(shapes)) / len(shapes)


def _is_fixed(place: _Place, count: int) -> bool:
    """Whether the slot says the same in every row, and says it as forms do."""
    texts = {"".join(b.text.split()) for b in place.blocks.values()}
    whole = len(place.blocks) == count
    return whole and len(texts) == 1 and shape(place.first.text) == "text" and (count > 2 or is_label(place.first.text))


def _header_share(rows: Rows, blocks: list[Block], places: list[_Place]) -> float:
    """Share of the slots above which a heading stands."""
    above = [b for b in _above(rows, blocks) if shape(b.text) == "text" and not split_prefix(b.text)[0]]
    inside = {b.text for p in rows.places for b in p.blocks.values()}
    if any(b.text in inside for b in above):
        return 0.0  # what says the same in the rows is a part of one more row, not their header
    return sum(any(_heads(h, p) for h in above) for p in places) / len(places)


def _above(rows: Rows, blocks: list[Block]) -> list[Block]:
    """The blocks right above the first row, as far as a header reaches."""
    top = min(b.box.y for p in rows.places for b in p.blocks.values() if 0 in p.blocks and b is p.blocks[0])
    reach = max(34.0, 1.6 * rows.pitch)
    return [b for b in blocks if top - reach < b.box.y and b.box.bottom <= top + 1]


def _heads(header: Block, place: _Place) -> bool:
    """Whether a header stands over a slot: in line with it, or over its span."""
    body = Box.around([b.box for b in place.blocks.values()])
    if header.room:
        return header.room.x - ACROSS <= body.middle[0] <= header.room.right + ACROSS
    across = min(header.box.right, body.right) - max(header.box.x, body.x)
    return across > 0 or abs(header.box.x - body.x) < 6 or abs(header.box.right - body.right) < 6


def _headed(header: Block, places: list[_Place]) -> list[_Place]:
    """The slots that a header names: those under its cell, else the one that it is most in line with."""
    under = [p for p in places if _heads(header, p)]
    if header.room or not under:
        return under

    def apart(place: _Place) -> float:
        body = Box.around([b.box for b in place.blocks.values()])
        return min(
            abs(header.box.x - body.x), abs(header.box.right - body.right), abs(header.box.middle[0] - body.middle[0])
        )

    best = min(under, key=apart)
    column = [p for p in under if abs(p.first.box.x - best.first.box.x) < ACROSS or p is best]
    return column


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


# --- settling ------------------------------------------------------------------------------------------------------


def _settle(
    rows: Rows, page: Size, blocks: list[Block], rules: list[Rule], fills: list[Fill], pictures: list[Picture]
) -> Repeat:
    """Fix where rows begin, name the slots by their headers, and share out the rules, fills and pictures."""
    count = len(rows.tops)
    tops = rows.tops if rows.grid else _row_tops(rows, blocks, rules, fills)
    beyond = max(0.0, tops[-1] + rows.pitch - page.height)  # the last row has to fit on the page
    tops = [top - min(beyond, tops[0]) for top in tops]
    region = [b for p in rows.places for b in p.blocks.values()]
    header = _header(rows, blocks, tops[0])
    owners = {h.id: _headed(h, rows.places) for h in header}
    slots = []
    for place in sorted(rows.places, key=lambda p: (p.first.box.middle[1] - tops[min(p.blocks)], p.first.box.x)):
        heads = [h for h in header if any(place is owner for owner in owners[h.id]) and shape(h.text) != "number"]
        label = " ".join(h.text.replace("\n", " ") for h in sorted(heads, key=lambda h: h.box.y)) or None
        slots.append(
            Slot(
                label=label,
                blocks=[place.blocks[row].id if row in place.blocks else None for row in range(count)],
                role="fixed" if label is None and _is_fixed(place, count) else "value",
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


def _row_tops(rows: Rows, blocks: list[Block], rules: list[Rule], fills: list[Fill]) -> list[float]:
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


def _header(rows: Rows, blocks: list[Block], top: float) -> list[Block]:
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
        over = any(_heads(block, p) for p in places)
        spans = sum(_heads(block, p) for p in places)
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


def _share_marks(
    tops: list[float], pitch: float, rules: list[Rule], fills: list[Fill], pictures: list[Picture]
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
