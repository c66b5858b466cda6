"""Find rows that may repeat: similar rows in ruled tables, and steps down the page that many blocks share."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Grid

from .rows import ALIGNMENT_TOLERANCE_PT, STEP_TOLERANCE_PT, RowCandidate, group_into_slots, is_aligned, step_error
from .text_classifier import is_figure, is_label, is_total, text_kind

MIN_MATCHED_SHARE = 0.6
"""Minimum share of a row's blocks that must match the first row's."""

MIN_FIGURE_COLUMNS = 2
"""Columns of figures that make rows of what stands beside merged cells."""


def from_grids(grids: list[Grid], blocks: list[Block]) -> Iterable[RowCandidate]:
    """Yield the candidates from ruled tables."""
    for grid in grids:
        for first, last in _uniform_runs(grid):
            yield from _grid_rows(grid, first, _last_row(grid, first, last, blocks), blocks)


def _uniform_runs(grid: Grid) -> Iterable[tuple[int, int]]:
    """Yield runs of two or more rows with the same cells, as (first, last)."""
    kinds: list[tuple[tuple[int, int], ...] | None] = []
    for row in range(len(grid.rows) - 1):
        across = [c for c in grid.cells if c.row <= row < c.row + c.row_span]
        whole = all(c.row_span == 1 for c in across) and len(across) > 1
        kinds.append(tuple(sorted((c.column, c.column_span) for c in across)) if whole else None)
    start = 0
    for row in range(1, len(kinds) + 1):
        if row == len(kinds) or kinds[row] != kinds[start]:
            if kinds[start] is not None and row - start >= 2:
                yield start, row - 1
            start = row


def _last_row(grid: Grid, first: int, last: int, blocks: list[Block]) -> int:
    """Return the last row of a run with the rows below it whose filled cells are those of the run.

    Empty cells of the last row may be merged.
    """
    columns = {(cell.column, cell.column_span) for cell in grid.cells if cell.row == first}
    while last + 2 < len(grid.rows):
        below = [cell for cell in grid.cells if cell.row <= last + 1 < cell.row + cell.row_span]
        filled = [cell for cell in below if any(cell.box.holds(*block.box.middle) for block in blocks)]
        if not filled or any(cell.row_span > 1 or (cell.column, cell.column_span) not in columns for cell in filled):
            break
        last += 1
    return last


def _grid_rows(grid: Grid, first: int, last: int, blocks: list[Block]) -> Iterable[RowCandidate]:
    def in_row(row: int) -> list[Block]:
        band = Box.between(grid.box.x, grid.rows[row], grid.box.right, grid.rows[row + 1])
        return [b for b in blocks if band.holds(*b.box.middle)]

    content = {row: in_row(row) for row in range(first, last + 1)}
    skipped, kept = _trim_header_and_totals([content[row] for row in range(first, last + 1)])
    start, end = first + skipped, first + skipped + kept - 1
    if kept < 2:
        return
    heights = [grid.rows[r + 1] - grid.rows[r] for r in range(start, end + 1)]
    if max(heights) > 1.8 * min(heights):
        return
    rows = range(start, end + 1)
    tops = [grid.rows[r] for r in rows]
    yield RowCandidate(tops, median(heights), group_into_slots([content[r] for r in rows], tops), grid.id)


def _trim_header_and_totals(content: list[list[Block]]) -> tuple[int, int]:
    """Return how many rows on top only head the others, and how many rows remain without the totals below."""
    start, end = 0, len(content)
    while end - start > 1 and _is_header(content[start], [b for row in content[start + 1 : end] for b in row]):
        start += 1
    end = next((n for n in range(start + 1, end) if _sums_up(content[n], content[start:n])), end)
    while end - start > 1 and _is_footer(content[end - 1], content[start : end - 1]):
        end -= 1
    return start, end - start


def _sums_up(row: list[Block], above: list[list[Block]]) -> bool:
    """Whether a row is the total of those above: worded as one, with fewer texts than any of them."""
    first = min(row, key=lambda b: b.box.x, default=None)
    return first is not None and is_total(first.text) and len(row) < min(map(len, above))


def _is_footer(row: list[Block], above: list[list[Block]]) -> bool:
    """Whether the last row only sums up: it says so, or has numbers alone and nothing in the first column."""
    if not row:
        return True
    row = sorted(row, key=lambda b: b.box.x)
    top = min(b.box.bottom for b in row)
    if any(is_total(b.text) for b in [b for b in row if b.box.y < top][:2]):
        return True
    left = min((b.box.x for cells in above for b in cells), default=0.0)
    typical_length = median(len(cells) for cells in above)
    begins_later = row[0].box.x > left + 30 and len(above) > 1 and len(row) < typical_length
    return begins_later and all(text_kind(b.text) == "number" for b in row)


def _is_header(row: list[Block], below: list[Block]) -> bool:
    """Whether a row heads the others: it has the wording of forms, or differs in weight or kind of text."""
    if not row or any(text_kind(b.text) in ("date", "contact") for b in row):
        return False
    texts_below = {b.text for b in below}
    if sum(b.text in texts_below for b in row) > 0.25 * len(row):
        return False
    labels = sum(is_label(b.text) for b in row) / len(row)
    bold = sum(b.style.bold for b in row) / len(row)
    bold_below = sum(b.style.bold for b in below) / len(below) if below else 0.0
    words = sum(text_kind(b.text) == "text" for b in row) / len(row)
    numbers_below = sum(text_kind(b.text) != "text" for b in below) / len(below) if below else 0.0
    if words > 0.95 and (numbers_below > 0.5 or _names_figures(row, below)):
        return True
    return labels >= 0.5 or (bold > 0.6 and bold_below < 0.4)


def _names_figures(row: list[Block], below: list[Block]) -> bool:
    """Whether labels stand above columns of figures only: ``Start date`` above dates."""
    columns = [(head, [b for b in below if is_aligned(head, b)]) for head in row if is_label(head.text)]
    figures = [head for head, column in columns if len(column) > 1 and all(is_figure(b.text) for b in column)]
    return len(figures) > 0 and len(columns) > 1


class _ByMiddle:
    """The blocks of a page by the height of their middles: rows are looked up some thousand times on a full page."""

    def __init__(self, ordered: Sequence[Block]) -> None:
        self._blocks = sorted(enumerate(ordered), key=lambda each: each[1].box.middle[1])
        self._middles = [block.box.middle[1] for _, block in self._blocks]

    def between(self, top: float, height: float) -> list[Block]:
        """Return the blocks whose middles lie within `height` below `top`, in the order of the page."""
        first, end = bisect_left(self._middles, top), bisect_left(self._middles, top + height)
        return [block for _, block in sorted(self._blocks[first:end], key=lambda each: each[0])]


def from_steps(blocks: Sequence[Block]) -> Iterable[RowCandidate]:
    """Yield the candidates from vertical distances that many blocks share."""
    ordered = sorted(blocks, key=lambda b: b.box.y)
    heads = sorted({round(b.box.y - STEP_TOLERANCE_PT, 1) for b in ordered})
    by_middle = _ByMiddle(ordered)
    for step in _steps(ordered):
        for head in heads:
            rows = _follow_step(head, step, by_middle)
            if rows and len(rows.tops) >= 2 and not _is_crossed(rows, blocks):
                yield rows


class RuledRows:
    """The ruled tables of a page, to look up the rows of texts: thousands of candidates ask for the same texts."""

    def __init__(self, grids: Sequence[Grid]) -> None:
        self._grids = [_GridTexts(grid) for grid in grids]

    def are_cut_by(self, rows: RowCandidate) -> bool:
        """Whether rows reach over the ruled rows of a table, and do not hold the same number of them each."""
        texts: dict[int, list[Block]] = {}
        for slot in rows.slots:
            for number, block in slot.blocks.items():
                texts.setdefault(number, []).append(block)
        return any(_are_cut(list(texts.values()), grid) for grid in self._grids)


class _RuledText(NamedTuple):
    """Where a text stands in a ruled table."""

    row: int | None
    """The row at the top of its cell; None where it stands outside the table."""
    is_merged: bool
    """Whether its cell spans several rows: it says nothing of where a row begins."""


class _GridTexts:
    """The texts of a ruled table, each looked up once."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._found: dict[str, _RuledText] = {}

    def of(self, block: Block) -> _RuledText:
        found = self._found.get(block.id)
        if found is None:
            found = self._found[block.id] = _in_grid(block, self._grid)
        return found


def _in_grid(block: Block, grid: Grid) -> _RuledText:
    x, y = block.box.middle
    cells = [cell for cell in grid.cells if cell.box.holds(x, y)]
    row = min(cells, key=lambda cell: cell.box.area).row if cells else sum(edge <= y for edge in grid.rows) - 1
    return _RuledText(row if grid.box.holds(x, y) else None, any(cell.row_span > 1 for cell in cells))


def _are_cut(rows: Sequence[Sequence[Block]], grid: _GridTexts) -> bool:
    held = list[tuple[int, int]]()
    for blocks in rows:
        texts = [grid.of(block) for block in blocks]
        alone = [text for text in texts if not text.is_merged] or texts
        inside = [text.row for text in alone if text.row is not None]
        if len(inside) < len(alone):
            return False
        held.append((min(inside), max(inside)))
    if all(first == last for first, last in held):
        return False
    shared = any(above[1] >= below[0] for above, below in pairwise(sorted(held)))
    return shared or len({last - first for first, last in held}) > 1


def _is_crossed(rows: RowCandidate, blocks: Sequence[Block]) -> bool:
    """Whether a merged cell spans several of the rows, as in forms where each row asks for something else.

    Merged cells of one column beside rows of figures say what several rows have in common: a pallet, a group.
    """
    crossing = [
        b.room
        for b in blocks
        if b.room is not None
        and b.room.height > 1.5 * rows.pitch
        and min(b.room.bottom, rows.bottom) - max(b.room.y, rows.tops[0]) > 1.3 * rows.pitch
    ]
    return bool(crossing) and not (_are_one_column(crossing) and _figure_columns(rows) >= MIN_FIGURE_COLUMNS)


def _are_one_column(boxes: Sequence[Box]) -> bool:
    first = boxes[0]
    return all(
        abs(box.x - first.x) <= ALIGNMENT_TOLERANCE_PT and abs(box.right - first.right) <= ALIGNMENT_TOLERANCE_PT
        for box in boxes
    )


def _figure_columns(rows: RowCandidate) -> int:
    """Return in how many slots every row has a figure."""
    complete = [slot.blocks.values() for slot in rows.slots if len(slot.blocks) == len(rows.tops)]
    return sum(all(is_figure(block.text) for block in blocks) for blocks in complete)


def _steps(blocks: Sequence[Block], max_steps: int = 24) -> list[float]:
    """Return the distances at which similar blocks often stand above each other, at most `max_steps` of them."""
    votes: dict[int, list[float]] = {}
    for i, above in enumerate(blocks):
        for below in blocks[i + 1 :]:
            step = below.box.middle[1] - above.box.middle[1]
            if step > 7 and is_aligned(above, below):
                votes.setdefault(round(step), []).append(step)
    merged = {key: [s for near in (key - 1, key, key + 1) for s in votes.get(near, [])] for key in votes}
    best = sorted(merged, key=lambda key: -len(merged[key]))[:max_steps]
    return sorted({round(median(merged[key]), 1) for key in best})


def _follow_step(top: float, step: float, blocks: _ByMiddle) -> RowCandidate | None:
    """Collect rows of height `step` from `top` down, as long as they match the first."""
    first = blocks.between(top, step)
    if len(first) < 2:
        return None
    content, tops, actual = [first], [top], top
    while True:
        row = blocks.between(actual + step, step)
        matched = _matches(first, row, actual + step - top)
        if (
            not row
            or 2 * len(matched) < MIN_MATCHED_SHARE * 2 * len(first)
            or 2 * len(matched) < MIN_MATCHED_SHARE * (len(first) + len(row))
        ):
            break
        drift = median(b.box.middle[1] - a.box.middle[1] for a, b in matched) - (actual + step - top)
        actual = actual + step + (drift if abs(drift) < STEP_TOLERANCE_PT else 0.0)
        content.append(row)
        tops.append(actual)
    skipped, kept = _trim_header_and_totals(content)
    content, tops = content[skipped : skipped + kept], tops[skipped : skipped + kept]
    pitch = (tops[-1] - tops[0]) / (len(tops) - 1) if len(tops) > 1 else step
    return RowCandidate(tops, pitch, group_into_slots(content, tops))


def _matches(first: list[Block], row: list[Block], step: float) -> list[tuple[Block, Block]]:
    remaining, pairs = list(row), []
    for a in first:
        for n, b in enumerate(remaining):
            if step_error(a, b, step) <= STEP_TOLERANCE_PT and is_aligned(a, b):
                pairs.append((a, b))
                del remaining[n]
                break
    return pairs
