"""Find the lines of a receipt that have an amount at the right: its items, its totals and what was paid.

Theory of operation
===================

A receipt or another slip is a strip of paper some forty characters wide. It has no table in the ordinary sense: no
headings, no rules, and an item may take one line or several. What all slips share is one column of amounts at the
right, with the wording that each belongs to at the left.

1. **Slip**: the widest extent of all texts is at most 64 characters of the page's typical width. Pages for letters
   hold about a hundred.
2. **Amounts**: a text may end with an amount, perhaps followed by one or two letters that say how it is taxed, or by a
   sign (``12.95 S``, ``4.00- H``, ``0,25*B``). The longest run of such amounts down the page whose right edges differ
   little from one to the next is the column. It may drift: paper on photos leans and curls.
3. **Level**: where a photo is crooked, the right end of a line stands lower or higher than its left. The boxes of long
   texts are higher than those of short ones then, which tells how steep the lines are, but not whether they rise or
   fall. Both are tried.
4. **Pairs**: wordings and amounts are matched in their order, with the least total cost. A pair costs what its two
   texts are apart in height, and what this differs from the pair above, since paper curls slowly. Wording without an
   amount costs little (an item of two lines), an amount without wording much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextLine

MAX_SLIP_CHARS = 64
"""Characters on a line of the widest slips."""
MIN_CHARS = 6
"""A text of fewer characters does not tell how wide a character is."""
MIN_LENGTH = 5.0
"""A text that is this many times as long as high tells how steep the lines are."""
MIN_AMOUNTS = 2
MAX_EDGE_STEP = 1.6
"""Difference between the right edges of amounts that follow each other, in heights of text."""
MAX_APART = 1.0
"""Height between a wording and its amount, in heights of text, at most."""
WORDING_ALONE, AMOUNT_ALONE = 0.35, 1.2
"""Costs of what has no counterpart. A pair costs half of what it is apart, in heights of text, and of the change."""
MAX_MARK_GAP = 4.0
"""Space between an amount and such letters, in heights of text, at most."""
MAX_MARK_CHARS = 2
"""Characters of what says how an item is taxed; a single letter is soon misread as a figure."""
MAX_SKIPPED = 12
"""Wordings, or amounts, without a counterpart that may follow each other."""
MAX_OVERLAP_GAP = 0.5
"""Texts whose levels differ by less than this, in heights of text, stand on one line."""

MONEY = (
    r"[-+]?\s?(?:[$€£¥₹]|R\$|Rs\.?|Rp\.?)?\s?-?(?:\d{1,3}(?:[., ]\d{3}){1,4}(?:[.,]\d{2})?|\d{0,12}[.,]\d{2})(?!\d)-?"
)
_ENDS_IN_AMOUNT = re.compile(rf"(?:^|.*?[^\d.,\-+$€£¥₹])(?P<money>{MONEY})\s*(?P<mark>[*#×]?\s?[A-Z]{{0,2}}\*?)$")


class Amount(NamedTuple):
    """An amount with the text in which it stands, and the letters beside it that say how it is taxed."""

    line: TextLine
    start: int
    """Where in the text it begins."""
    end: int
    box: Box
    marks: list[TextLine]
    """Texts of their own to the right of it."""

    @property
    def text(self) -> str:
        return self.line.text[self.start : self.end].strip()


@dataclass
class SlipRow:
    """Texts that stand on one line of a slip, without the amount at its right."""

    lines: list[TextLine]
    level: float
    """The height of its middle at the left edge of the slip."""
    amount: Amount | None = None

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


class _Slip(NamedTuple):
    """What the texts of a slip have in common."""

    left: float
    height: float
    """Typical height of a text."""
    slope: float
    """How much lower than its left end a line is at its right end, in lengths of it."""

    def level(self, box: Box) -> float:
        x, y = box.middle
        return y - self.slope * (x - self.left)


def slip_rows(lines: Sequence[TextLine]) -> list[SlipRow]:
    """Return the lines of a slip from top to bottom, with their amounts; nothing where the page is no slip."""
    worded = [line for line in lines if len(line.text) >= MIN_CHARS]
    if len(worded) < MIN_AMOUNTS or not _is_narrow(lines, worded):
        return []
    amounts = _column(lines)
    if len(amounts) < MIN_AMOUNTS:
        return []
    left, height = min(line.box.x for line in lines), median(line.box.height for line in lines)
    slope = _steepness(lines, amounts)
    found = [_paired(lines, amounts, _Slip(left, height, sign * slope)) for sign in (1, -1)]
    return min(found, key=lambda each: each[0])[1]


def _is_narrow(lines: Sequence[TextLine], worded: Sequence[TextLine]) -> bool:
    character = median(line.box.width / len(line.text) for line in worded)
    extent = max(line.box.right for line in lines) - min(line.box.x for line in lines)
    return extent <= MAX_SLIP_CHARS * character


def _steepness(lines: Sequence[TextLine], amounts: Sequence[Amount]) -> float:
    """Return how steep the lines with amounts are: what long texts are higher than amounts, in lengths."""
    top, bottom = amounts[0].box.y, amounts[-1].box.bottom
    low = median(amount.box.height for amount in amounts)
    ends = {amount.line.id for amount in amounts}
    beside = [line for line in lines if top - low <= line.box.y <= bottom and line.id not in ends]
    long = [line.box for line in beside if line.box.width >= MIN_LENGTH * low]
    return max(0.0, median((box.height - low) / box.width for box in long)) if long else 0.0


def place(line: TextLine, start: int, end: int) -> Box:
    """Return where a part of a text stands; the characters of slips are about equally wide."""
    width = line.box.width / len(line.text)
    return line.box.model_copy(update={"x": line.box.x + start * width, "width": (end - start) * width})


def _amounts(lines: Sequence[TextLine]) -> Iterator[Amount]:
    for line in lines:
        if found := _ENDS_IN_AMOUNT.match(line.text):
            start, end = found.span("money")
            yield Amount(line, start, end, place(line, start, end), [])


def _column(lines: Sequence[TextLine]) -> list[Amount]:
    """Return the longest run of amounts down the page with about the same right edge, the one more to the right."""
    amounts = sorted(_amounts(lines), key=lambda amount: amount.box.middle[1])
    runs: list[list[Amount]] = []
    for amount in amounts:
        near = [run for run in runs if _continues(run[-1].box, amount.box)]
        if near:
            min(near, key=lambda run: abs(run[-1].box.right - amount.box.right)).append(amount)
        else:
            runs.append([amount])
    longest = max(map(len, runs), default=0)
    long = [run for run in runs if 2 * len(run) >= longest]
    run = max(long, key=lambda run: median(amount.box.right for amount in run), default=[])
    return [amount._replace(marks=_marks(amount, lines)) for amount in run]


def _continues(above: Box, below: Box) -> bool:
    height = max(above.height, below.height)
    return below.middle[1] - above.middle[1] > 0.4 * height and abs(above.right - below.right) <= MAX_EDGE_STEP * height


def _marks(amount: Amount, lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the texts of one or two letters just to the right of an amount."""
    box = amount.box
    return [
        line
        for line in lines
        if line is not amount.line
        and len(line.text) <= MAX_MARK_CHARS
        and -0.3 * box.height <= line.box.x - box.right <= MAX_MARK_GAP * box.height
        and abs(line.box.middle[1] - box.middle[1]) < 0.6 * box.height
    ]


def _paired(lines: Sequence[TextLine], amounts: Sequence[Amount], slip: _Slip) -> tuple[float, list[SlipRow]]:
    """Return the rows of a slip with the amounts that belong to them, and what matching these cost."""
    rows = _rows(lines, amounts, slip)
    cost, pairs = _matched([row.level for row in rows], [slip.level(amount.box) for amount in amounts], slip.height)
    for row, amount in pairs:
        rows[row].amount = amounts[amount]
    return cost, rows


def _rows(lines: Sequence[TextLine], amounts: Sequence[Amount], slip: _Slip) -> list[SlipRow]:
    """Return the texts that are neither amounts of the column nor beside these, by the lines on which they stand."""
    taken = {line.id for amount in amounts for line in (amount.line, *amount.marks)}
    parted = [_before(amount) for amount in amounts if amount.start > 0]
    texts = [line for line in lines if line.id not in taken and any(map(str.isalnum, line.text))]
    rows: list[SlipRow] = []
    for line in sorted([*texts, *parted], key=lambda line: slip.level(line.box)):
        level = slip.level(line.box)
        row = rows[-1] if rows else None
        if row and level - row.level < MAX_OVERLAP_GAP * slip.height and not _overlaps(row, line):
            row.lines = sorted([*row.lines, line], key=lambda each: each.box.x)
            row.level = sum(slip.level(each.box) for each in row.lines) / len(row.lines)
        else:
            rows.append(SlipRow([line], level))
    return rows


def _before(amount: Amount) -> TextLine:
    """Return the wording in front of an amount with which it was read as one text."""
    line, end = amount.line, len(amount.line.text[: amount.start].rstrip())
    return line.model_copy(update={"text": line.text[:end], "box": place(line, 0, end)})


def _overlaps(row: SlipRow, line: TextLine) -> bool:
    """Whether a text stands above or below one of a row, so that it is on another line."""
    box = line.box
    return any(min(box.right, each.box.right) - max(box.x, each.box.x) > 0.5 * box.height for each in row.lines)


def _matched(wordings: Sequence[float], amounts: Sequence[float], height: float) -> tuple[float, list[tuple[int, int]]]:
    """Match the levels of wordings and amounts in their order with the least cost; return it and the pairs."""
    best: dict[tuple[int, int], tuple[float, tuple[int, int] | None]] = {}
    ending: tuple[float, tuple[int, int] | None] = (WORDING_ALONE * len(wordings) + AMOUNT_ALONE * len(amounts), None)
    for i, wording in enumerate(wordings):
        for j, amount in enumerate(amounts):
            apart = (amount - wording) / height
            if abs(apart) > MAX_APART:
                continue
            choices = [(WORDING_ALONE * i + AMOUNT_ALONE * j, None)] + [
                (
                    best[a, b][0]
                    + WORDING_ALONE * (i - a - 1)
                    + AMOUNT_ALONE * (j - b - 1)
                    + 0.5 * abs(apart - (amounts[b] - wordings[a]) / height),
                    (a, b),
                )
                for a in range(max(0, i - MAX_SKIPPED), i)
                for b in range(max(0, j - MAX_SKIPPED), j)
                if (a, b) in best
            ]
            cost, before = min(choices, key=lambda each: each[0])
            best[i, j] = (cost + 0.5 * abs(apart), before)
            rest = WORDING_ALONE * (len(wordings) - i - 1) + AMOUNT_ALONE * (len(amounts) - j - 1)
            ending = min(ending, (best[i, j][0] + rest, (i, j)), key=lambda each: each[0])
    pairs, last = list[tuple[int, int]](), ending[1]
    while last is not None:
        pairs.append(last)
        last = best[last][1]
    return ending[0], pairs[::-1]
