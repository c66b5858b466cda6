"""The items of a receipt: which of its lines are items, what belongs to each, and where they end.

Items begin with the first line that has an amount and end above the first whose wording sums up or says how it was
paid. Lines without an amount between two items belong to the one above: ``0,520 kg x 2,49`` below ``Apples 1,29``.
Where the amount stands beside the quantity (``1,000 kg x 3,49   3,49``), the line above it names the item instead.

They are rows if there are three of them, or two and a total; one needs its quantity in front and its amount as a total.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from .slip_lines import MONEY, SlipRow
from .text_classifier import is_label, is_payment, is_total

QUANTITY_LINE = re.compile(
    rf"(?P<quantity>\d+(?:[.,]\d+)?)\s*(?:(?P<unit>[^\W\d_]{{1,4}}\.?)\s*)??(?P<sign>[xX×*@])(?=[\s\d_]|$)"
    rf"\s*(?P<price>(?:{MONEY})\S*)?"
)
"""``2 x 1.99``, ``0,520 kg × 2,49EUR/kg``, ``3 Stk x``"""
MIN_BESIDE_QUANTITY = 0.6
"""Share of the items with their amounts beside their quantities, from which on the names stand above."""
MIN_CONFIDENCE = 0.8
"""Mean confidence with which the texts of items are read."""
MAX_ITEM_LINES = 7
MAX_LABEL_SHARE = 0.5
"""Share of wordings that forms print, from which on these are labels with their values."""
MIN_PLAIN_SHARE = 0.6
"""Share of the items below which nothing else stands, from which on other lines are items of their own."""
MAX_LINE_STEP = 2.0
"""Distance between the lines of a name, in heights of text, at most."""
MANY, FEW = 3, 2
MAX_TOTALS = 3
"""A total of the items is one of this many amounts below them."""


@dataclass
class SlipItem:
    """An item: the line with its name, the one with its amount, which may be the same, and further lines."""

    name: SlipRow
    priced: SlipRow
    further: list[SlipRow] = field(default_factory=list)

    @property
    def rows(self) -> list[SlipRow]:
        """Its lines from top to bottom."""
        return [self.name, *([] if self.priced is self.name else [self.priced]), *self.further]


def find_items(rows: Sequence[SlipRow]) -> tuple[list[SlipItem], bool]:
    """Return the items among the lines of a slip, and whether totals follow; none where too little speaks for them."""
    priced = [index for index, row in enumerate(rows) if row.amount is not None]
    count = next((n for n, index in enumerate(priced) if _ends_items(rows[index])), len(priced))
    ends = count < len(priced)
    own = priced[:count]
    items = _named_above(rows, own) or _named_beside(rows, own, priced[count] if ends else len(rows))
    sums_up = _is_sum(rows, priced, count)
    return (items, ends) if _are_sure(items, ends, sums_up) else ([], False)


def _ends_items(row: SlipRow) -> bool:
    """Whether a line sums up or says how it was paid. Less than nothing is a discount on the item above."""
    is_less = row.amount is not None and "-" in row.amount.text
    return is_payment(row.text) or (is_total(row.text) and not is_less)


def _named_above(rows: Sequence[SlipRow], priced: Sequence[int]) -> list[SlipItem]:
    """Return the items whose amounts stand beside their quantities, below their names."""
    beside = [index for index in priced if QUANTITY_LINE.match(rows[index].text)]
    above = [index for index in beside if index > 0 and rows[index - 1].amount is None]
    if not priced or len(above) < MIN_BESIDE_QUANTITY * len(priced):
        return []
    return [
        SlipItem(rows[index - 1], rows[index]) if index in above else SlipItem(rows[index], rows[index])
        for index in priced
    ]


def _named_beside(rows: Sequence[SlipRow], priced: Sequence[int], end: int) -> list[SlipItem]:
    """Return the items with their names and amounts on one line, and what stands below. `end` ends those of the last.

    The last takes as many further lines as every item has, and what says how much of it was bought.
    """
    items = [_item(rows, index) for index in priced]
    firsts = [index if item.name is rows[index] else index - 1 for item, index in zip(items, priced, strict=True)]
    for item, index, below in zip(items, priced, firsts[1:], strict=False):
        item.further = list(rows[index + 1 : below])
    if items:
        least = min((len(item.further) for item in items[:-1]), default=0)
        rest = rows[priced[-1] + 1 : end]
        extra = next((n for n, row in enumerate(rest) if not QUANTITY_LINE.match(row.text)), len(rest))
        items[-1].further = list(rest[: max(least, extra)])
    plain = sum(all(QUANTITY_LINE.match(row.text) for row in item.further) for item in items)
    return [one for item in items for one in _parted(item)] if plain >= MIN_PLAIN_SHARE * len(items) else items


def _item(rows: Sequence[SlipRow], index: int) -> SlipItem:
    """Return the item of a line with an amount; its name may begin on the line above, where it reaches the amounts."""
    row = rows[index]
    above = rows[index - 1] if index > 0 else None
    is_name = above is not None and above.amount is None and not is_label(above.text) and _reaches_amount(above, row)
    return SlipItem(above if above and is_name else row, row)


def _reaches_amount(above: SlipRow, row: SlipRow) -> bool:
    """Whether a text was too long for one line: it leaves no room for the amount of the line below."""
    if row.amount is None or not row.lines:
        return False
    last, first = above.lines[-1], row.lines[0]
    is_close = row.level - above.level < MAX_LINE_STEP * last.box.height
    starts_alike = abs(above.lines[0].box.x - first.box.x) < last.box.height
    return is_close and starts_alike and row.amount.box.x - last.box.right < last.box.height


def _parted(item: SlipItem) -> list[SlipItem]:
    """Return an item, and each line below it that names another one, whose amount was not read."""
    parts = [SlipItem(item.name, item.priced)]
    for row in item.further:
        if QUANTITY_LINE.match(row.text) or not _is_worded(row.text):
            parts[-1].further.append(row)
        else:
            parts.append(SlipItem(row, row))
    return parts


def _are_sure(items: Sequence[SlipItem], ends: bool, sums_up: bool) -> bool:
    """Whether enough speaks for items: their number, their wording, and how well they were read."""
    if not items or any(len(item.rows) > MAX_ITEM_LINES for item in items):
        return False
    names = [item.name.text for item in items]
    lines = [line for item in items for row in item.rows for line in row.lines]
    if fmean(line.confidence for line in lines) < MIN_CONFIDENCE or not all(map(_is_worded, names)):
        return False
    if sum(map(is_label, names)) >= MAX_LABEL_SHARE * len(names):
        return False
    if len(items) < FEW:
        return sums_up and bool(re.match(r"\d{1,3}\s", names[0]))
    return len(items) >= MANY or ends


def _is_worded(text: str) -> bool:
    return sum(map(str.isalpha, text)) >= 2


def _is_sum(rows: Sequence[SlipRow], priced: Sequence[int], count: int) -> bool:
    """Whether one of the amounts below the items is their sum."""
    values = [value_of(amount.text) for index in priced if (amount := rows[index].amount) is not None]
    return any(abs(sum(values[:count]) - total) < 0.005 for total in values[count : count + MAX_TOTALS])


def value_of(text: str) -> float:
    """Return the value of an amount; its last sign of one or two digits behind it is the decimal sign."""
    digits = re.sub(r"[^\d.,]", "", text)
    whole, decimals = (digits[:-3], digits[-2:]) if re.search(r"[.,]\d\d$", digits) else (digits, "0")
    value = float(f"{re.sub(r'[.,]', '', whole) or 0}.{decimals}")
    return -value if "-" in text else value
