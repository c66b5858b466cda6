"""What is wording and what a value around the items of a receipt.

Every amount below the items is named by the wording on its line, also where another label is nearer on a crooked
photo. Of what stands alone, only figures, dates and codes are values; names, addresses and thanks are printed on every
receipt of the shop, and one or two characters are mostly specks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bandsmith.shared.model.layout import Block

from .slip_items import SlipItem
from .slip_lines import SlipRow
from .text_classifier import is_label, is_payment, is_total, text_kind

MAX_SPECK_CHARS = 2


class SlipSum(NamedTuple):
    """An amount below the items: a total, a tax, what was paid. Texts are named by the ids of their lines."""

    label: str
    wording: frozenset[str]
    amount: str


def sums_of(rows: Sequence[SlipRow], items: Sequence[SlipItem]) -> list[SlipSum]:
    """Return the amounts of a slip that are no items', and that were read apart from their wording."""
    inside = {id(row) for item in items for row in item.rows}
    found = list[SlipSum]()
    for row in rows:
        worded = [line for line in row.lines if any(map(str.isalpha, line.text))]
        if row.amount is not None and row.amount.start == 0 and worded and id(row) not in inside:
            label = " ".join(line.text for line in worded).rstrip(" :.")
            found.append(SlipSum(label, frozenset(line.id for line in worded), row.amount.line.id))
    return found


def with_slip_wording(blocks: Sequence[Block], sums: Sequence[SlipSum], in_rows: set[str]) -> list[Block]:
    """Return the blocks of a slip; all but those `in_rows` become wording or values as described above."""
    wording = {line for one in sums for line in one.wording}
    labels = {one.amount: one.label for one in sums}
    return [block if block.id in in_rows else _with_role(block, wording, labels) for block in blocks]


def _with_role(block: Block, wording: set[str], labels: dict[str, str]) -> Block:
    if (label := labels.get(block.lines[0])) is not None and len(block.lines) == 1:
        return block.model_copy(update={"role": "value", "label": label, "prefix": ""})
    if wording.issuperset(block.lines) or (block.role == "value" and _is_wording(block)):
        return block.model_copy(update={"role": "fixed", "label": None, "prefix": ""})
    return block


def _is_wording(block: Block) -> bool:
    """Whether a block that was taken for a value is wording that no label names, or names something itself."""
    if block.prefix:
        return False
    if block.label is None:
        return text_kind(block.text) == "text" or len("".join(block.text.split())) <= MAX_SPECK_CHARS
    names = is_label(block.text) or is_total(block.text) or is_payment(block.text)
    return names and not any(map(str.isdigit, block.text))
