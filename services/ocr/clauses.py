"""Tell numbered clauses and points with bullets from the rows of a table without headings, which they may look like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout

MIN_NUMBERED_SHARE = 0.8
"""Share of the texts of a slot that begin with the number of a clause."""
MIN_PROSE_CHARS = 40
"""Texts of this length on average are sentences, not values."""

_NUMBER = re.compile(
    r"(?:(?:§|[Aa]rt\.?|[Aa]rticle|[Cc]lause|[Ss]ection|[Pp]aragraph) ?\d{1,3}[.):]?"
    r"|\d{1,2}[.)]|\d{1,2}(?:\.\d{1,2}){1,3}[.)]?|\(\d{1,2}\)|\(?[a-z]\))(?=\s|$)"
    r"|[•·▪◦‣●■](?=\s|$)"
    r"|第[一二三四五六七八九十百\d]{1,4}[条款章]|[一二三四五六七八九十]{1,3}、|\d{1,2}、"
)
_COUNT = re.compile(r"\d{1,2}")


def are_clauses(layout: Layout) -> bool:
    """Whether the rows of the main table are clauses: numbered or with bullets, of one column, without headings.

    Rows with several columns are a table, whatever they begin with.
    """
    rows = layout.repeat
    if rows is None:
        return False
    texts = {block.id: block for block in layout.blocks}
    heads = [texts[name].text for name in rows.header if name in texts]
    if heads and not any(_NUMBER.match(head.strip()) for head in heads):
        return False
    slots = [[texts[name] for name in slot.blocks if name in texts] for slot in rows.slots]
    slots = [slot for slot in slots if slot]
    counts = [slot for slot in slots if _counts(slot)]
    others = [slot for slot in slots if slot not in counts and not _are_bare_numbers(slot)]
    are_numbered = any(_are_numbered(slot) for slot in slots)
    columns = _columns(others)
    is_prose = any(sum(len(block.text) for block in slot) >= MIN_PROSE_CHARS * len(slot) for slot in others)
    if are_numbered:
        return columns == 1 or (columns == 2 and is_prose and not any(map(_are_figures, others)))
    return bool(counts) and columns == 1 and is_prose


def _are_numbered(slot: Sequence[Block]) -> bool:
    return sum(bool(_NUMBER.match(block.text.strip())) for block in slot) >= MIN_NUMBERED_SHARE * len(slot)


def _are_bare_numbers(slot: Sequence[Block]) -> bool:
    return all(_NUMBER.fullmatch(block.text.strip()) for block in slot)


def _counts(slot: Sequence[Block]) -> bool:
    """Whether the texts are numbers that go up by one."""
    texts = [block.text.strip() for block in slot]
    if len(texts) < 2 or not all(_COUNT.fullmatch(text) for text in texts):
        return False
    return all(int(below) == int(above) + 1 for above, below in pairwise(texts))


def _are_figures(slot: Sequence[Block]) -> bool:
    return all(block.text[:1].isdigit() and not _NUMBER.match(block.text) for block in slot)


def _columns(slots: Sequence[Sequence[Block]]) -> int:
    """Return how many slots stand beside each other at most."""
    boxes = [Box.around(block.box for block in slot) for slot in slots]
    columns: list[Box] = []
    for box in sorted(boxes, key=lambda box: box.width):
        if all(box.right <= other.x or other.right <= box.x for other in columns):
            columns.append(box)
    return len(columns)
