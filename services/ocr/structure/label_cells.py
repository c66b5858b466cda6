"""Tell the boxes of a form, each with its own label on top of what is filled in, from rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bandsmith.shared.model.layout import Block, Grid

from .headers import header_share
from .rows import RowCandidate
from .text_classifier import ends_like_label, is_figure, text_kind

MIN_LABELLED_COLUMNS = 2
"""Columns of cells with own labels, from which on a grid is a form. A table may have one: names with details."""
MAX_HEADED_SHARE = 0.5
"""Share of the slots with a heading above, up to which the texts in the cells themselves are asked."""
SAME_LINE_SHARE = 0.6
"""Distance, in heights of the higher text, up to which two texts in a cell are on one line."""


class LabelledCell(NamedTuple):
    """A ruled cell with a label on top of what is filled in."""

    edges: tuple[int, int]
    """Where its column begins and ends."""
    label: Block
    texts: list[Block]


def find_labelled_cells(blocks: Sequence[Block], grids: Iterable[Grid]) -> list[LabelledCell]:
    """Return the cells with a label on top. They are the same for all candidates of a page."""
    found = list[LabelledCell]()
    for cell in (cell for grid in grids for cell in grid.cells):
        texts = [block for block in blocks if cell.box.holds(*block.box.middle)]
        if (label := _label_on_top(texts)) is not None:
            found.append(LabelledCell((round(cell.box.x), round(cell.box.right)), label, texts))
    return found


def are_label_cells(rows: RowCandidate, blocks: Sequence[Block], cells: Sequence[LabelledCell]) -> bool:
    """Whether each of several columns has another wording on top of its cell in every row, over what is filled in.

    In a table, a heading names the columns, and the cells of a column hold the same kind of text.
    """
    shared = [slot for slot in rows.slots if len(slot.blocks) >= 2]
    if len(shared) < MIN_LABELLED_COLUMNS:
        return False
    inside = {block.id for slot in rows.slots for block in slot.blocks.values()}
    columns: dict[tuple[int, int], list[str]] = {}
    for cell in cells:
        if cell.label.id in inside:
            columns.setdefault(cell.edges, []).append(cell.label.text)
    labelled = [labels for labels in columns.values() if len(labels) >= 2 and len(set(labels)) == len(labels)]
    if len(labelled) < MIN_LABELLED_COLUMNS:
        return False
    named = {block.id for cell in cells for block in cell.texts}
    headings = [block for block in blocks if block.id not in named and not ends_like_label(block.text)]
    return header_share(rows, headings, shared) <= MAX_HEADED_SHARE


def _label_on_top(texts: Sequence[Block]) -> Block | None:
    """Return the wording on the first line of a cell that has a text below it."""
    if not texts:
        return None
    first = min(texts, key=lambda block: block.box.y)
    line = first.box.y + SAME_LINE_SHARE * max(block.style.size for block in texts)
    top = [block for block in texts if block.box.y <= line]
    is_stacked = len(top) < len(texts) or any("\n" in block.text for block in top)
    return next((block for block in top if _is_worded(block.text.split("\n")[0])), None) if is_stacked else None


def _is_worded(text: str) -> bool:
    return text_kind(text) == "text" and not is_figure(text) and not text[:1].isdigit() and any(map(str.isalpha, text))
