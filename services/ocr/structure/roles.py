"""Distinguish fixed wording from filled-in values, and find the label that names each value."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from bandsmith.shared.fields.amounts_in_words import is_amount_in_words
from bandsmith.shared.fields.identifiers import plain_label
from bandsmith.shared.fields.value_types import is_currency
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Block, Fill, Grid, Repeat
from bandsmith.shared.template_markers import PLACEHOLDER, has_placeholder, text_parts

from .address_lines import with_address_lines
from .boxes_between import empty_boxes, has_box_beside, is_box_between
from .cell_labels import find_cell_labels, labels_of_blanks, on_top_of_values
from .continued_values import with_continued_values
from .figure_captions import find_figure_captions
from .headed_addresses import with_headed_addresses
from .headings import distance_below, find_headings
from .label_distances import (
    ABOVE_PENALTY_PT,
    are_on_one_line,
    distance_above,
    distance_beside,
    has_letters,
    is_right_below,
)
from .labels_beside_labels import is_label_itself
from .page_labels import find_page_labels
from .printed_wording import is_choice, is_footnote_mark, is_numbered_heading, is_one_of_a_count
from .text_classifier import (
    ends_like_label,
    holds_contact,
    is_address,
    is_document_name,
    is_label,
    is_list_number,
    is_name,
    is_organisation,
    is_page_number,
    is_person,
    is_seal_place,
    is_statement,
    is_total,
    split_prefix,
    text_kind,
)
from .worded_values import split_words

MIN_CROWDED = 3
"""Texts in one ruled cell that have their labels among them."""
TITLE_RATIO = 1.4
"""Wording that is this many times as large as a text is no label of it."""
FAR_BESIDE = 10.0
"""Distance beside a label, in its font sizes, from which on a text right below it is rather its value."""
MAX_LABEL_WORDS = 6
"""A text of more words is the label of a figure at most."""
_UNIT_OF_AMOUNTS = re.compile(
    r"[（(]?(?:金额|货币)?单位[:：](?:人民币)?[百千万亿]{0,2}(?:元|美元|欧元|港币|日元)[）)]?"
)
"""What a table says of all of its amounts, which is no value to fill in."""
_HINT = re.compile(r"[(（](?:[^\w()（）]|_)*[^\W\d_][^\d()（）]*[)）]")
"""A remark in brackets on what stands beside it: （税込）, ``(in words)``"""
_COLON_BEFORE = re.compile(r"^([:：]\s*)\S")
"""The colon of a label, where forms set all colons below each other and it was read with the value."""


class _Names(NamedTuple):
    """What names the values of a page, by the ids of blocks."""

    known: set[str]
    """The blocks of rows, the headings and the title."""
    headings: set[str]
    labels: set[str]
    blank: set[str]
    """Labels of boxes to fill in."""
    in_cells: dict[str, str]
    """The label of each value that is named in a ruled cell, or by the caption of its figure."""


def find_title(blocks: list[Block], page: Size) -> Block | None:
    """Return the largest wording in the upper part of the page, if it is larger than most text and no label."""
    upper = [b for b in blocks if b.box.bottom < 0.45 * page.height and _is_worded(b.text)]
    upper = [b for b in upper if not ends_like_label(b.text)]
    if not upper:
        return None
    sizes = sorted(b.style.size for b in blocks)
    median_size = sizes[len(sizes) // 2]
    title = max(upper, key=lambda b: (b.style.size, b.style.bold, -b.box.y))
    larger = title.style.size > 1.2 * median_size or (title.style.bold and title.style.size >= 1.1 * median_size)
    return title if larger and not split_prefix(title.text)[0] else None


def _is_worded(text: str) -> bool:
    """Whether this is more than a number or a single letter, which a mark is easily mistaken for."""
    return text_kind(text) == "text" and sum(char.isalpha() for char in text) >= 2


def assign_roles(
    blocks: list[Block],
    tables: Sequence[Repeat],
    title: Block | None,
    grids: Sequence[Grid] = (),
    fills: Sequence[Fill] = (),
    captions: Collection[str] = (),
    recognised: Collection[str] = (),
    captioned: Mapping[str, Block] | None = None,
) -> list[Block]:
    """Return the blocks with role, label and prefix.

    `captions` are the ids of wordings under lines to write on, `recognised` those of lines that were read from a scan,
    `captioned` the label below each value that is written on such a line.
    """
    in_rows = {
        block: (slot.role, slot.label) for repeat in tables for slot in repeat.slots for block in slot.blocks if block
    }
    header = {name for repeat in tables for name in repeat.header}
    known, headings, labels, blank, in_cells = _find_names(
        blocks, tables, title, grids, fills, captions, captioned or {}
    )
    naming = [block for block in blocks if in_rows.get(block.id, ("fixed", None))[0] == "fixed"]
    uncrowded, boxes = _without_crowded(blocks, grids), empty_boxes(blocks, grids, fills)
    assigned: list[Block] = []
    for block in blocks:
        if block.id in in_rows:
            role, label = in_rows[block.id]
            if role == "value" and label is None and (beside := _label_for(block, naming, headings, labels)):
                label = _label_text(beside.text)
            assigned.append(block.model_copy(update={"role": role, "label": label}))
        elif block.id in {*header, *headings, *labels} or _is_wording(block, title):
            assigned.append(block.model_copy(update={"role": "fixed"}))
        elif block.id in in_cells:
            assigned.append(block.model_copy(update={"role": "value", "label": _label_text(in_cells[block.id])}))
        else:
            others = [one for one in (uncrowded if block.room is not None else blocks) if one.id not in blank]
            assigned.append(_assign_outside_rows(block, others, headings, labels, boxes))
    named = with_headed_addresses(with_continued_values(assigned, known | labels), known | labels)
    return with_address_lines(named, known | labels, recognised)


def _find_names(
    blocks: list[Block],
    tables: Sequence[Repeat],
    title: Block | None,
    grids: Sequence[Grid],
    fills: Sequence[Fill],
    captions: Collection[str],
    on_lines: Mapping[str, Block],
) -> _Names:
    """Return the wordings that name values, and the values that are named by what is in their cell or below them."""
    in_rows = {block for repeat in tables for slot in repeat.slots for block in slot.blocks if block}
    header = {name for repeat in tables for name in repeat.header}
    below = {caption.id for caption in on_lines.values()}
    apart = [b for b in blocks if b.id not in {*in_rows, *below, *on_lines} and b is not title]
    headings = find_headings(apart, header)
    on_top = on_top_of_values(headings, apart, grids)
    headings -= on_top
    known = {*in_rows, *header, *headings, *([title.id] if title else [])}
    blank = (labels_of_blanks(blocks, grids, tables) - known) | below
    captioned = find_figure_captions(blocks, grids, known)
    labels = (
        find_page_labels(blocks, known)
        | blank
        | on_top
        | ({*captions} - known)
        | {one.id for one in captioned.values()}
    )
    in_cells = find_cell_labels(blocks, grids, fills, known, labels)
    in_cells |= {name: caption.text for name, caption in (*captioned.items(), *on_lines.items())}
    return _Names(known, headings, labels, blank, in_cells)


def _without_crowded(blocks: list[Block], grids: Sequence[Grid]) -> list[Block]:
    """Return the blocks other than those of ruled cells with many texts, which name what is in their own cell."""
    inside = [[b.id for b in blocks if cell.box.holds(*b.box.middle)] for grid in grids for cell in grid.cells]
    crowded = {name for names in inside if len(names) >= MIN_CROWDED for name in names}
    return [block for block in blocks if block.id not in crowded]


def _is_wording(block: Block, title: Block | None) -> bool:
    """Whether a block is the title, and prints no value."""
    return title is not None and block.id == title.id and not has_placeholder(block.text)


def name_slots(repeat: Repeat, blocks: list[Block]) -> Repeat:
    """Return the rows; a slot that no header names takes the label of its first value."""
    labels = {block.id: block.label for block in blocks}
    slots = [
        slot.model_copy(update={"label": slot.label or next((labels[b] for b in slot.blocks if b and labels[b]), None)})
        for slot in repeat.slots
    ]
    return repeat.model_copy(update={"slots": slots})


def _assign_outside_rows(
    block: Block, blocks: list[Block], headings: set[str], labels: set[str], boxes: Sequence[Box]
) -> Block:
    prefix, value = split_prefix(block.text)
    if not prefix:
        prefix, value = split_words(block.text)
    if _UNIT_OF_AMOUNTS.fullmatch("".join(block.text.split())):
        return block.model_copy(update={"role": "fixed"})
    own = block.text if any(char.isdigit() for char in prefix) else value
    if prefix and (is_label(_label_text(prefix)) or not _is_sentence(own)):
        return block.model_copy(update={"role": "value", "label": _label_text(prefix), "prefix": prefix})
    label = _label_for(block, blocks, headings, labels, boxes)
    if names := [part.name for part in text_parts(block.text) if part.name]:
        is_whole = PLACEHOLDER.fullmatch(block.text.strip().lstrip("$€£¥ "))
        name = _label_text(label.text) if label and is_whole else names[0]
        return block.model_copy(update={"role": "value", "label": name})
    if label is not None and (colon := _COLON_BEFORE.match(block.text)):
        return block.model_copy(update={"role": "value", "label": _label_text(label.text), "prefix": colon[1]})
    if _is_fixed(block, label, blocks):
        return block.model_copy(update={"role": "fixed"})
    return block.model_copy(update={"role": "value", "label": _label_text(label.text) if label else None})


def _is_fixed(block: Block, label: Block | None, blocks: list[Block]) -> bool:
    text = block.text
    if ends_like_label(text) or is_document_name(text) or is_list_number(text):
        return True
    if is_currency(text) or _asks_for_seal(text) or is_choice(text) or is_footnote_mark(block, blocks):
        return True
    if _HINT.fullmatch(text.strip()) and not (label is not None and ends_like_label(label.text)):
        return True
    kind = text_kind(text)
    if kind in ("number", "date", "code", "contact") or is_amount_in_words(text):
        return False
    if is_statement(text):
        return True
    if (is_label(text) or is_total(text)) and _names_figure(block, blocks):
        return True
    if label is not None and ends_like_label(label.text) and not _is_next_label(block, label, blocks):
        return is_label_itself(block, label, blocks)
    if label is not None and _has_colon_between(label, block, blocks):
        return False
    if is_page_number(text) or is_person(text):
        return False
    if is_label(text) or is_total(text):
        return True
    if label is not None:
        return False
    if is_organisation(text) or is_name(text) or is_address(text) or holds_contact(text):
        return False
    is_counted = is_numbered_heading(text) or is_one_of_a_count(block, blocks)
    return is_counted or _is_sentence(text) or not any(map(str.isdigit, text)) or _heads_values(block, blocks)


def _asks_for_seal(text: str) -> bool:
    """Whether this is where to stamp or sign, perhaps with whose seal it is: 销售方：（章）"""
    return is_seal_place(re.split(r"[:：]", text)[-1])


def _names_figure(block: Block, blocks: list[Block]) -> bool:
    """Whether a number or date stands beside wording, which therefore is a label itself and no value."""
    figures = (other for other in blocks if text_kind(other.text) in ("number", "date"))
    return any(distance_beside(block, other, blocks) is not None for other in figures)


def _is_next_label(block: Block, above: Block, blocks: list[Block]) -> bool:
    """Whether a block is the next label in a column of labels: each has its value beside it, not below it.

    What stands above may head the column, where another such label follows.
    """
    if not is_label(block.text) or not _has_value_beside(block, blocks):
        return False
    below = (other for other in blocks if is_label(other.text) and _follows(block, other))
    return _has_value_beside(above, blocks) or any(_has_value_beside(other, blocks) for other in below)


def _has_value_beside(label: Block, blocks: list[Block]) -> bool:
    return any(distance_beside(label, other, blocks) is not None for other in blocks if not is_label(other.text))


def _follows(block: Block, below: Block) -> bool:
    """Whether a text is the next line below another, at its left edge and in its style."""
    gap = below.box.y - block.box.bottom
    return abs(below.box.x - block.box.x) < 4 and -1 <= gap < 1.6 * block.style.size and below.style == block.style


def _has_colon_between(label: Block, block: Block, blocks: list[Block]) -> bool:
    """Whether a colon of its own stands between a label and what is beside it, as where all colons are aligned."""
    colons = (one.box for one in blocks if one.text.strip() in (":", "："))
    return any(label.box.right - 1 <= colon.x < block.box.x and are_on_one_line(colon, block.box) for colon in colons)


def _heads_values(block: Block, blocks: list[Block]) -> bool:
    """Whether this is the first cell of a ruled row whose other cells hold values only."""
    if block.room is None:
        return False
    room = block.room
    row = [b for b in blocks if b.room and b is not block and room.y - 1 <= b.box.middle[1] <= room.bottom + 1]
    right = [b for b in row if b.box.x > room.right - 1]
    left = [b for b in row if b.box.right < room.x + 1 and text_kind(b.text) != "text"]
    return len(right) >= 2 and not left and sum(text_kind(b.text) != "text" for b in right) >= 0.8 * len(right)


def _is_sentence(text: str) -> bool:
    """Whether this is running text that a form prints: a note, a thank-you."""
    words = text.split()
    return len(words) >= 7 or (len(text) >= 16 and any("\u4e00" <= c <= "\u9fff" for c in text))


def _label_for(
    block: Block, blocks: list[Block], headings: set[str], labels: set[str], boxes: Sequence[Box] = ()
) -> Block | None:
    """Return the nearest wording that names a block: beside it to the left, or else directly above it.

    A heading names only what is below it, and a label with one of the empty `boxes` beside it what goes there.
    """
    best: tuple[float, Block] | None = None
    for other in blocks:
        if other.id in headings:
            below = distance_below(other, block)
            if below is not None and (best is None or below + ABOVE_PENALTY_PT < best[0]):
                best = (below + ABOVE_PENALTY_PT, other)
            continue
        if other is block or not (other.id in labels or _may_name(other.text, block.text)):
            continue
        if _is_title_of(other, block):
            continue
        distance = distance_beside(other, block, blocks)
        if distance is not None and (is_box_between(other, block, boxes) or _is_nearer_below(other, distance, blocks)):
            continue
        is_above = distance is None and not _sums_up_alone(other, block)
        if is_above:
            distance = distance_above(other, block)
        if distance is None or (best is not None and distance >= best[0]):
            continue
        if not (is_above and (_has_own_value(other, block, blocks) or has_box_beside(other, boxes))):
            best = (distance, other)
    return best[1] if best else None


def _is_nearer_below(label: Block, distance: float, blocks: list[Block]) -> bool:
    """Whether a label with a colon has a text right below that is no label, and another one far beside it only."""
    if distance <= FAR_BESIDE * label.style.size or not ends_like_label(label.text):
        return False
    return any(is_right_below(one, label) and not _may_name(one.text, "") for one in blocks if one is not label)


def _may_name(text: str, value: str) -> bool:
    """Whether a text may be the label of a value: wording that forms print, but no letterhead and no page number.

    A long one, such as a sentence about a total, names figures only.
    """
    if split_prefix(text)[0] or (is_organisation(text) and not ends_like_label(text)):
        return False
    is_long = len(text.split()) > MAX_LABEL_WORDS and not ends_like_label(text) and text_kind(value) == "text"
    if is_long or is_statement(text) or is_page_number(text) or not has_letters(text):
        return False
    return is_label(text) or is_total(text)


def _is_title_of(other: Block, block: Block) -> bool:
    """Whether wording is so much larger than a text that it is a title over it, and no label of it."""
    is_large = other.style.size > TITLE_RATIO * block.style.size
    return is_large and text_kind(block.text.lstrip("#№ ")) == "text" and not ends_like_label(other.text)


def _sums_up_alone(other: Block, block: Block) -> bool:
    """Whether wording of a total stands over other wording, which is the next line and not the sum."""
    return is_total(other.text) and not any(map(str.isdigit, block.text)) and not ends_like_label(other.text)


def _has_own_value(label: Block, block: Block, blocks: list[Block]) -> bool:
    """Whether a label has its value beside it, a figure unless the wording below is a label, which is the next line."""
    if text_kind(block.text) != "text":
        return False
    if is_label(block.text) and ends_like_label(label.text) and _has_value_beside(label, blocks):
        return True
    figures = [one for one in blocks if one is not block and text_kind(one.text) in ("number", "date")]
    return any(distance_beside(label, figure, blocks) is not None for figure in figures)


def _label_text(text: str) -> str:
    """Return the wording of a label: without its colon, and without the spaces that stretch it: 单   价."""
    plain = plain_label(text)
    return re.sub(r"(?<=[\u4e00-\u9fff])[^\S\n]+(?=[\u4e00-\u9fff])", "", plain)
