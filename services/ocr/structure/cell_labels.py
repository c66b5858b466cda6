"""Find the labels of values in ruled cells, where position and shading say what a colon says elsewhere.

A label stands on top of its value in the same cell, or in the cell to the left of it. Wording that forms print is a
label; so is any wording in a cell that is darker than the cell to its right. Where the value's place is empty it is a
blank to fill in; so is an empty cell below a label.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, repeat
from typing import NamedTuple

from bandsmith.shared.fields.identifiers import plain_label
from bandsmith.shared.fields.value_types import is_currency
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Blank, Block, Fill, Grid, Repeat

from .text_classifier import ends_like_label, is_company, is_label, is_statement, is_total, split_prefix, text_kind

EDGE_TOLERANCE_PT = 2.0
"""Cells whose edges differ by less are beside each other and equally high."""
MIN_FILLED_SHARE = 0.6
"""A cell of which a fill covers less has the paper's colour."""
MIN_DARKER = 8.0
"""Difference in grey levels, of 255, by which a label's cell is darker than its value's."""
MAX_LABEL_CHARS, MAX_CJK_LABEL_CHARS = 40, 16
MIN_KNOWN_LABELS = 2
"""Labels of known words beside empty cells, from which on other wordings beside empty cells are labels, too."""
MAX_VALUE_LINES = 2
"""Longer text below a label in its cell is a paragraph."""
MAX_LABEL_TOP, MIN_BLANK_HEIGHT = 0.8, 1.5
"""A label above a blank in the same cell is this near to the cell's corner; the blank is this high: in font sizes."""
_PAPER_GREY = 255.0


def find_cell_labels(
    blocks: Sequence[Block],
    grids: Iterable[Grid],
    fills: Sequence[Fill],
    known: Collection[str],
    labels: Collection[str] = (),
) -> dict[str, str]:
    """Return the label of each value in a ruled cell, by block id.

    Blocks in `known` are neither; those in `labels` are labels for other reasons than their words.
    """
    free = [block for block in blocks if block.id not in known]
    found: dict[str, str] = {}
    for cells in map(_contents, grids, repeat(free)):
        for cell in cells:
            if not cell.texts:
                continue
            found |= _below_label(cell.texts, labels)
            right = next((other for other in cells if _is_right_of(other.box, cell.box)), None)
            if right is not None and len(cell.texts) == len(right.texts) == 1:
                darker = _grey(cell.box, fills) < _grey(right.box, fills) - MIN_DARKER
                found |= _beside_label(cell.texts[0], right.texts[0], darker, labels)
    return found


def labels_of_blanks(blocks: Sequence[Block], grids: Iterable[Grid], tables: Sequence[Repeat]) -> set[str]:
    """Return the short wordings, by block id, with an empty cell to their right, in forms that have several labels so.

    They are labels whatever their words. So are totals below rows with one empty cell to their right.
    """
    found = set[str]()
    for cells in map(_contents, grids, repeat(blocks)):
        outside = [cell for cell in cells if not any(rows.box.holds(*cell.box.middle) for rows in tables)]
        alone = [cell for cell in outside if len(cell.texts) == 1 and _has_empty_right(cell, cells)]
        wordings = [
            cell.texts[0] for cell in alone if _is_short_wording(cell.texts[0]) and not _has_text_left(cell, cells)
        ]
        if sum(_may_name(block) for block in wordings) >= MIN_KNOWN_LABELS:
            found |= {block.id for block in wordings}
        found |= {cell.texts[0].id for cell in alone if _is_blank_sum(cell, cells, tables)}
    return found


def _is_blank_sum(cell: _Cell, cells: Sequence[_Cell], tables: Sequence[Repeat]) -> bool:
    """Whether a total below rows, in their ruled table, has nothing but one empty cell to its right."""
    right = [other for other in cells if other.box.x > cell.box.x and are_level(other.box, cell.box)]
    ends = [rows.box.right for rows in tables if rows.box.bottom <= cell.box.y + EDGE_TOLERANCE_PT]
    is_last = len(right) == 1 and any(abs(end - right[0].box.right) <= EDGE_TOLERANCE_PT for end in ends)
    return is_total(cell.texts[0].text) and is_last


def _is_short_wording(block: Block) -> bool:
    text = "".join(block.text.split())
    limit = MAX_CJK_LABEL_CHARS if any(is_cjk(char) for char in text) else MAX_LABEL_CHARS
    return text_kind(block.text) == "text" and len(text) <= limit and not is_statement(text) and not is_total(text)


def find_blanks(
    blocks: Sequence[Block], grids: Sequence[Grid], tables: Sequence[Repeat], labels: Collection[str] = ()
) -> list[Blank]:
    """Return the blanks in ruled cells outside the rows, from top to bottom. `blocks` have their roles.

    Blocks in `labels` are labels for other reasons than their words.
    """
    found: list[tuple[Box, Block]] = []
    filled = {block.label for block in blocks if block.role == "value"}
    headings = {name for rows in tables for name in rows.header}
    for cells in map(_contents, grids, repeat(blocks)):
        outside = [cell for cell in cells if not any(rows.box.holds(*cell.box.middle) for rows in tables)]
        for cell in outside:
            label = cell.texts[0] if len(cell.texts) == 1 and _names_blank(cell.texts[0], labels) else None
            if label is None or label.id in headings or _wording(label) in filled or _has_empty_right(cell, cells):
                continue
            if free := _free_below(label, cell.box):
                found.append((free, label))
        for cell in outside:
            naming = None if cell.texts else _naming_cell(cell, cells, headings, labels)
            if naming is not None:
                found.append((cell.box, naming))
    found.sort(key=lambda one: (one[0].y, one[0].x))
    return [
        Blank(
            id=f"blank{number}",
            label=_wording(label),
            box=box,
            style=label.style.model_copy(update={"bold": False}),
        )
        for number, (box, label) in enumerate(found, 1)
    ]


def _wording(label: Block) -> str:
    return plain_label(label.text)


def _has_empty_right(cell: _Cell, cells: Sequence[_Cell]) -> bool:
    return any(not other.texts and _is_right_of(other.box, cell.box) for other in cells)


def _has_text_left(cell: _Cell, cells: Sequence[_Cell]) -> bool:
    """Whether a text stands in the cell to the left, whose value this one may be."""
    return any(other.texts and _is_right_of(cell.box, other.box) for other in cells)


class _Cell(NamedTuple):
    box: Box
    texts: list[Block]
    """From top to bottom."""


def _contents(grid: Grid, blocks: Sequence[Block]) -> list[_Cell]:
    return [
        _Cell(cell.box, sorted((b for b in blocks if cell.box.holds(*b.box.middle)), key=lambda b: b.box.y))
        for cell in grid.cells
    ]


def _names_blank(block: Block, labels: Collection[str]) -> bool:
    return block.role == "fixed" and (block.id in labels or _may_name(block))


def _naming_cell(
    empty: _Cell, cells: Sequence[_Cell], headings: Collection[str], labels: Collection[str]
) -> Block | None:
    """Return the label that is alone in the cell to the left of an empty one, or else above it."""
    alone = [cell for cell in cells if len(cell.texts) == 1 and _names_blank(cell.texts[0], labels)]
    beside = [cell for cell in cells if _is_right_of(empty.box, cell.box)]
    left = next((cell.texts[0] for cell in beside if cell in alone), None) or _label_of_lines(beside)
    above = next((cell.texts[0] for cell in alone if _is_below(empty.box, cell.box)), None)
    found = left or above
    return found if found is not None and found.id not in headings else None


def _label_of_lines(cells: Sequence[_Cell]) -> Block | None:
    """Return the label that fills a cell with several lines, of which only the last one ends in a colon."""
    for cell in cells:
        texts = [block.text.strip() for block in cell.texts]
        is_fixed = all(block.role == "fixed" for block in cell.texts)
        if 1 < len(texts) <= MAX_VALUE_LINES and is_fixed and _ends_once(texts):
            return cell.texts[-1].model_copy(update={"text": " ".join(texts)})
    return None


def _ends_once(texts: Sequence[str]) -> bool:
    return texts[-1].endswith((":", "：")) and not any(map(ends_like_label, texts[:-1]))


def _free_below(label: Block, cell: Box) -> Box | None:
    """Return the empty part of a cell below a label at its top; None where that is too low for a line of text."""
    size = label.style.size
    is_at_side = label.box.x - cell.x < MAX_LABEL_TOP * size
    is_central = abs(label.box.middle[0] - cell.middle[0]) < MAX_LABEL_TOP * size
    is_on_top = label.box.y - cell.y < MAX_LABEL_TOP * size and (is_at_side or is_central)
    if not is_on_top or cell.bottom - label.box.bottom < MIN_BLANK_HEIGHT * size:
        return None
    return Box.between(
        label.box.x if is_at_side else cell.x + 1, label.box.bottom + 0.3 * size, cell.right - 1, cell.bottom - 1
    )


def _below_label(texts: Sequence[Block], labels: Collection[str]) -> dict[str, str]:
    """The values below a label in its own cell, or below several side by side."""
    pairs = _pairs(texts)
    if not all((top.id in labels or _may_name(top)) and _may_stand_below(value, labels) for top, value in pairs):
        return {}
    return {value.id: top.text for top, value in pairs}


def _may_stand_below(value: Block, labels: Collection[str]) -> bool:
    return value.id not in labels and len(value.lines) <= MAX_VALUE_LINES and _may_be_value(value)


def _pairs(texts: Sequence[Block]) -> list[tuple[Block, Block]]:
    """Return the texts on top of a cell, each with the one below it; none where a text has no other."""
    tops = sorted((one for one in texts if one.box.y < texts[0].box.bottom - 1), key=lambda one: one.box.x)
    rest = sorted((one for one in texts if one not in tops), key=lambda one: one.box.x)
    if len(tops) != len(rest):
        return []
    ends = [*(top.box.x for top in tops[1:]), math.inf]
    pairs = list(zip(tops, rest, strict=True))
    is_apart = all(
        top.box.x - 1 <= value.box.x and value.box.right <= end for (top, value), end in zip(pairs, ends, strict=True)
    )
    return pairs if len(pairs) == 1 or is_apart else []


def on_top_of_values(headings: Collection[str], blocks: Sequence[Block], grids: Iterable[Grid]) -> set[str]:
    """Return the headings that stand in one ruled cell with what is below them: labels of it, and not of a column."""
    found = set[str]()
    for cell in chain.from_iterable(map(_contents, grids, repeat(blocks))):
        tops = [top.id for top, value in _pairs(cell.texts) if value.id not in headings] if cell.texts else []
        found |= {*tops} if all(name in headings for name in tops) else set()
    return found


def _beside_label(label: Block, value: Block, darker: bool, labels: Collection[str]) -> dict[str, str]:
    is_wording = text_kind(label.text) == "text" and len(label.text) <= MAX_LABEL_CHARS
    names = label.id in labels or _may_name(label) or (darker and is_wording)
    if not names or value.id in labels or not _may_be_value(value):
        return {}
    return {value.id: label.text}


def _may_name(block: Block) -> bool:
    return is_label(block.text) and not is_total(block.text) and not split_prefix(block.text)[0]


def _may_be_value(block: Block) -> bool:
    """Whether a text may be filled in: it is no label itself, and no sentence."""
    text = block.text
    if is_company(text):
        return True
    if is_currency(text):
        return False
    return not (
        is_label(text) or is_total(text) or ends_like_label(text) or is_statement(text) or split_prefix(text)[0]
    )


def are_level(one: Box, other: Box) -> bool:
    """Whether two cells have the same upper and lower edge."""
    return abs(one.y - other.y) <= EDGE_TOLERANCE_PT and abs(one.bottom - other.bottom) <= EDGE_TOLERANCE_PT


def _is_right_of(other: Box, box: Box) -> bool:
    edges = (other.x - box.right, other.y - box.y, other.bottom - box.bottom)
    return all(abs(edge) <= EDGE_TOLERANCE_PT for edge in edges)


def _is_below(other: Box, box: Box) -> bool:
    edges = (other.y - box.bottom, other.x - box.x, other.right - box.right)
    return all(abs(edge) <= EDGE_TOLERANCE_PT for edge in edges)


def _grey(cell: Box, fills: Sequence[Fill]) -> float:
    """The grey level of a cell's background, 0 for black to 255 for white."""
    covering = [fill for fill in fills if fill.box.overlap(cell) > MIN_FILLED_SHARE * cell.area]
    if not covering:
        return _PAPER_GREY
    colour = min(covering, key=lambda fill: fill.box.area).colour
    return sum(bytes.fromhex(colour[1:])) / 3
