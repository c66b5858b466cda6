"""What speaks against a template's data: what repeats and should not, and what should repeat and does not.

A page may look right and print the wrong rows. Judged are the rows that were found on the form, by its layout alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from bandsmith.shared.blank_tables import find_blank_tables
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout, Repeat
from bandsmith.shared.template_markers import markers

MIN_CELLS, MIN_FIGURES = 3, 2
"""An item begins with a line of so many texts, and figures among them."""
MAX_PART = 0.5
"""A line with no more than this share of the texts of the fullest row is a part of an item."""
MIN_CONSISTENT = 0.7
"""Share of the commonest kind of text in a column."""
_FIGURE = re.compile(r"^\W{0,3}(?:[A-Z]{2,3}\s?)?\d[\d.,' ]*\s?\W{0,2}[A-Za-z]{0,3}$")
"""A number, with a currency or a unit: ``$120.00``, ``3 pcs``"""
_LABELLED = re.compile(r"^\s*([^\W\d][^:：\n]{0,40})[:：]")
_WORDS = re.compile(r"[^\W\d_]{2}")


class Blemish(NamedTuple):
    """How much of a template's data is wrong in one respect, and the texts of the elements where it is."""

    share: float = 0.0
    at: tuple[str, ...] = ()


def is_figure(text: str) -> bool:
    return bool(_FIGURE.match(text.strip()))


def blank_share(layout: Layout) -> float:
    """Return the share of the rows that are empty rows below headings and do not repeat."""
    taken = [rows.box for rows in layout.tables]
    tables = [one for one in find_blank_tables(layout.grids, layout.lines) if not is_taken(one.box, taken)]
    left_out = sum(one.last - one.first + 1 for one in tables)
    repeated = sum(rows.rows for rows in layout.tables)
    return left_out / (left_out + repeated) if left_out else 0.0


def is_taken(box: Box, taken: Sequence[Box]) -> bool:
    """Whether an area is about the same as one of others."""
    return any(box.overlap(other) > 0.5 * box.area or other.overlap(box) > 0.5 * other.area for other in taken)


def label_share(layout: Layout) -> float:
    """Return the share of the repeated rows that are a label with its value: each asks for something else."""
    blocks = {block.id: block for block in layout.blocks}
    tables = [rows for rows in layout.tables if rows.rows > 1 and not rows.header]
    repeated = sum(rows.rows for rows in layout.tables)
    return sum(rows.rows for rows in tables if _asks(rows, blocks)) / max(1, repeated)


def _asks(rows: Repeat, blocks: dict[str, Block]) -> bool:
    """Whether the rows have different labels: with a colon, or in words beside values of different kinds."""
    columns = [[blocks[name].text for name in slot.blocks if name in blocks] for slot in rows.slots]
    labels = [[match[1] for text in texts if (match := _LABELLED.match(text))] for texts in columns]
    for found in labels:
        if len(found) >= MAX_PART * rows.rows and len(found) > 1 and len(set(found)) == len(found):
            return True
    worded = [texts for texts in columns if all(_WORDS.search(text) and not is_figure(text) for text in texts)]
    distinct = [texts for texts in worded if len(texts) == rows.rows and len(set(texts)) == len(texts)]
    others = [texts for texts in columns if texts not in distinct]
    return bool(distinct and others) and all(_is_mixed(texts) for texts in others)


def _is_mixed(texts: Sequence[str]) -> bool:
    """Whether a column has no kind of text that most rows share."""
    kinds = Counter("figure" if is_figure(text) else "words" if _WORDS.search(text) else "sign" for text in texts)
    return bool(kinds) and max(kinds.values()) < MIN_CONSISTENT * len(texts)


def part_share(layout: Layout) -> float:
    """Return the share of the rows that are only a part of an item of several lines."""
    blocks = {block.id: block for block in layout.blocks}
    parts = total = 0
    for rows in layout.tables:
        found = _loose_rows(rows, layout.blocks, texts_of_rows(layout)) | _partial_rows(rows, blocks)
        parts, total = parts + len(found), total + rows.rows
    return parts / max(1, total)


def texts_of_rows(layout: Layout) -> set[str]:
    """Return the ids of the texts in rows that repeat, and of their headings."""
    names = {name for rows in layout.row_sets for slot in rows.slots for name in slot.blocks if name}
    return names | {name for rows in layout.tables for name in rows.header}


def _loose_rows(rows: Repeat, blocks: Sequence[Block], known: set[str]) -> set[int]:
    """The rows between whose sides and ends a text stands that does not repeat. The last row may end above it."""
    found = set[int]()
    for number, (top, bottom) in enumerate(pairwise(rows.tops)):
        area = Box.between(rows.box.x - 1, top, rows.box.right + 1, bottom)
        if any(block.id not in known and area.holds(*block.box.middle) for block in blocks):
            found.add(number)
    return found if len(found) < rows.rows and not rows.groups else set()


def _partial_rows(rows: Repeat, blocks: dict[str, Block]) -> set[int]:
    """The rows without figures and with few texts below one with figures: further lines of its item."""
    texts = [
        [blocks[name].text for slot in rows.slots if (name := slot.blocks[row]) and name in blocks]
        for row in range(rows.rows)
    ]
    fullest = max(map(len, texts), default=0)
    figures = [sum(map(is_figure, row)) for row in texts]
    if fullest < MIN_CELLS or max(figures, default=0) < MIN_FIGURES:
        return set()
    return {row for row in range(1, rows.rows) if not figures[row] and 0 < len(texts[row]) <= MAX_PART * fullest}


def marker_count(layout: Layout) -> int:
    """Return the number of marks of loops and conditions that are printed as text, also in pieces."""
    return sum(max(len(markers(block.text)), block.text.count("{%")) for block in layout.blocks)
