"""Score how well some rows explain the page."""

from __future__ import annotations

from collections import Counter

from bandsmith.shared.model.layout import Block

from .headers import has_labels_above, header_share, header_stands_out
from .rows import RowCandidate, SlotCandidate, is_aligned
from .text_classifier import ends_like_label, is_figure, is_label, is_price, is_total, split_prefix, text_kind

MIN_RULED_SHARE = 0.8
"""Share of the texts of a ruled table that have a cell."""
MIN_MIXED_SHARE = 0.3
"""Share of figures, and of words, in a slot that has both."""
PROSE_CHARS = 40
"""Texts longer than this on average are paragraphs, not values."""


def score(rows: RowCandidate, blocks: list[Block]) -> float:
    """Return the score of a candidate; 0 for what merely looks like rows, such as labels with values, or totals."""
    count = len(rows.tops)
    shared = [p for p in rows.slots if len(p.blocks) >= 2]
    if len(shared) < 2 or _is_label_list(shared, count) or _is_totals(rows.slots, count):
        return 0.0
    if not rows.grid and has_labels_above(rows, blocks, shared):
        return 0.0
    marks = Counter(p.first.text for p in shared if is_fixed(p, count) or _has_fixed_prefix(p, count))
    fixed = sum(number for number in marks.values() if number == 1)  # what stands several times in a row names nothing
    if _is_multiple_of_step(shared) and fixed < 0.15 * len(shared):
        return 0.0
    if count == 2 and not rows.grid and not any(_holds_figures(slot, count) for slot in shared):
        return 0.0
    alone = sum(len(p.blocks) for p in rows.slots if len(p.blocks) < 2)
    spread = max(b.box.right for p in shared for b in p.blocks.values()) - min(
        b.box.x for p in shared for b in p.blocks.values()
    )
    consistent = sum(_consistent(p) for p in shared) / len(shared)
    headed = header_share(rows, blocks, shared)
    if headed < 1 and (_asks_for_different_things(shared, count) or _are_words_alone(shared, count)):
        return 0.0
    if not rows.grid and headed < 1 and _is_prose(shared, count):
        return 0.0
    if not rows.grid and _are_words(shared, count) and not header_stands_out(rows, blocks):
        return 0.0
    few = len(shared) < 3 and headed < 1 and not rows.grid and not any(is_fixed(p, count) for p in shared)
    if few and not _is_price_list(shared, count):
        return 0.0
    gain = rows.explained - 1.5 * alone
    wide = 0.5 + 0.5 * min(1.0, spread / 250)
    return gain * (0.6 + 0.4 * consistent) * (1 + 0.3 * headed) * wide * (1.3 if rows.grid else 1.0)


def _is_multiple_of_step(slots: list[SlotCandidate]) -> bool:
    """Whether most slots have another one below them in the same column: the step is a multiple of the true one."""
    stacked = [
        p
        for p in slots
        if any(q is not p and is_aligned(p.first, q.first) and _vertical_distance(p, q) > 5 for q in slots)
    ]
    return len(stacked) > 0.6 * len(slots)


def _vertical_distance(p: SlotCandidate, q: SlotCandidate) -> float:
    return abs(p.first.box.middle[1] - q.first.box.middle[1])


def _is_label_list(slots: list[SlotCandidate], count: int) -> bool:
    """Whether these are labels on the left with their values beside: every row asks for something else."""
    lists = 0
    for slot in slots:
        texts = [b.text for b in slot.blocks.values()]
        if all(t.strip() in (":", "：") for t in texts):
            return True
        different = len(set(texts)) > 0.5 * len(texts)
        asking = [ends_like_label(t) or bool(split_prefix(t)[0]) for t in texts]
        wording = [is_label(t) and text_kind(t) == "text" for t in texts]
        if different and (sum(asking) >= 0.5 * len(texts) or sum(wording) >= 0.7 * len(texts)):
            heads = {split_prefix(t)[0] for t in texts if split_prefix(t)[0]}
            if len(heads) == 1 and sum(asking) == len(texts):
                continue
            lists += 1
    return lists > 0.25 * len(slots) or (lists > 0 and _are_mixed(slots))


def _asks_for_different_things(slots: list[SlotCandidate], count: int) -> bool:
    """Whether words that differ in every row stand beside values of a different kind in every row.

    These are labels and their values, also where the words are not known: in rows, the values of a column are alike.
    """
    texts = [[b.text for b in slot.blocks.values()] for slot in slots]
    worded = [all(text_kind(t) == "text" and not is_figure(t) for t in column) for column in texts]
    distinct = [
        is_worded and len(column) == count == len(set(column)) for column, is_worded in zip(texts, worded, strict=True)
    ]
    others = [slot for slot, is_label_column in zip(slots, distinct, strict=True) if not is_label_column]
    return count > 2 and any(distinct) and bool(others) and all(map(_is_mixed, others))


def _are_words_alone(slots: list[SlotCandidate], count: int) -> bool:
    """Whether no text is a figure and none stands in two cells: labels and what is filled in beside them."""
    texts = [b.text for slot in slots for b in slot.blocks.values()]
    alike = any(is_fixed(slot, count) for slot in slots) or len(set(texts)) < len(texts)
    ruled = sum(b.room is not None for slot in slots for b in slot.blocks.values())
    return ruled >= MIN_RULED_SHARE * len(texts) and not alike and not any(map(is_figure, texts))


def _is_mixed(slot: SlotCandidate) -> bool:
    """Whether a slot has figures in some rows and words in others, neither in most."""
    figures = sum(is_figure(b.text) for b in slot.blocks.values())
    return MIN_MIXED_SHARE <= figures / len(slot.blocks) <= 1 - MIN_MIXED_SHARE


def _are_mixed(slots: list[SlotCandidate]) -> bool:
    """Whether there are figures, but no slot of them holds one kind in most rows, as the columns of a table do."""
    figures = [slot for slot in slots if any(is_figure(block.text) for block in slot.blocks.values())]
    return bool(figures) and all(_consistent(slot) <= 0.5 for slot in figures)


def _is_prose(slots: list[SlotCandidate], count: int) -> bool:
    """Whether these are paragraphs: long texts, or two rows of texts that have no figure and nothing in common."""
    texts = [b.text for slot in slots for b in slot.blocks.values()]
    return _are_words(slots, count) and (count == 2 or sum(map(len, texts)) > PROSE_CHARS * len(texts))


def _are_words(slots: list[SlotCandidate], count: int) -> bool:
    """Whether no text is a figure, and none the same in every row, as in the lines of addresses side by side."""
    return not any(is_figure(b.text) for p in slots for b in p.blocks.values()) and not any(
        is_fixed(slot, count) for slot in slots
    )


def _holds_figures(slot: SlotCandidate, count: int) -> bool:
    """Whether a slot holds a figure in every row. Two addresses, agreements or paragraphs look alike without one."""
    return len(slot.blocks) == count and all(is_figure(block.text) for block in slot.blocks.values())


def _is_price_list(slots: list[SlotCandidate], count: int) -> bool:
    """Whether every row has wording and an amount to its right, as the items of a receipt, which no heading names."""
    if count <= 2 or len(slots) != 2:
        return False
    item, price = sorted(slots, key=lambda slot: slot.first.box.x)
    amounts = [is_price(block.text) for block in price.blocks.values()]
    wording = [any(char.isalpha() for char in block.text) for block in item.blocks.values()]
    names = [is_label(block.text) or is_total(block.text) for block in item.blocks.values()]
    return len(price.blocks) == len(item.blocks) == count and all(amounts) and all(wording) and not any(names)


def _is_totals(slots: list[SlotCandidate], count: int) -> bool:
    return any(
        len(p.blocks) >= 2
        and sum(is_total(b.text) for b in p.blocks.values()) >= 0.5 * len(p.blocks)
        and len({b.text for b in p.blocks.values()}) > 1
        and not _has_fixed_prefix(p, count)
        for p in slots
    )


def _consistent(slot: SlotCandidate) -> float:
    kinds = [text_kind(b.text) for b in slot.blocks.values()]
    return max(kinds.count(s) for s in set(kinds)) / len(kinds)


def _has_fixed_prefix(slot: SlotCandidate, count: int) -> bool:
    """Whether the slot has a value after the same wording in every row: ``Colour: red``, ``Colour: blue``"""
    prefixes = {split_prefix(b.text)[0] for b in slot.blocks.values()}
    return len(slot.blocks) == count and len(prefixes) == 1 and "" not in prefixes


def is_fixed(slot: SlotCandidate, count: int) -> bool:
    """Whether the slot has the same text in every row, worded as forms are."""
    texts = {"".join(b.text.split()) for b in slot.blocks.values()}
    whole = len(slot.blocks) == count
    return (
        whole and len(texts) == 1 and text_kind(slot.first.text) == "text" and (count > 2 or is_label(slot.first.text))
    )
