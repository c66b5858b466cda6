"""The columns of a receipt's items, as a table without a header.

What most items have in front of their names is a column: the number of the item, its code, or how many were bought. So
is what stands between name and amount, and the parts of ``1,000 kg x 3,49`` where every item has such a line. What only
some items have stays a line of their description.

The texts of a slip are cut where columns meet, and joined where a name was read in pieces. On a crooked photo, the
texts of one line are brought to one height, as large as most are: so they are printed on one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import fmean, median
from typing import NamedTuple

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Grid, TextLine, TextStyle

from ..page_marks import PageMarks
from .slip_items import QUANTITY_LINE, SlipItem, find_items
from .slip_lines import MONEY, Amount, SlipRow, place, slip_rows
from .slip_wording import SlipSum, sums_of
from .table_choice import best_table
from .table_model import HeadedTable, Heading, TableRecord

MIN_COLUMN_SHARE = 0.7
"""Share of the items that have a text in a column."""
MIN_TAXED_SHARE = 0.25
"""Share of the items with a letter beside their amounts, from which on these are a column and no specks."""
MIN_CODE_CHARS = 4
MAX_UNLEVEL = 0.3
"""Difference in height between the texts of a line, in heights of text, from which on they are levelled."""
MAX_TALL = 1.25
"""Height of a text with letters that reach below its line, in heights of figures."""
MAX_LINE_SHARE = 0.78
"""Height of figures, in distances between lines, at most."""
MIN_SHARED_CELLS = 2
_LEADING = re.compile(r"(\d{8,}(?=[^\W\d_])|\d+(?:\s?[xX×])?(?=\s))\s*(?=\S)")
"""A number in front of a name. A long code is soon read as one word with it."""
_TRAILING_PRICE = re.compile(rf"\s({MONEY})$")
_DESCRIPTION, _AMOUNT, _TAX, _QUANTITY, _UNIT, _PRICE = (
    "Description",
    "Amount",
    "Tax code",
    "Quantity",
    "Unit",
    "Unit price",
)
_SIGN = ""
"""The sign between quantity and price has no name: it is wording."""


class SlipTable(NamedTuple):
    """The marks of a page with the texts of its items as they stand in columns, and the table of these."""

    marks: PageMarks
    table: HeadedTable | None
    sums: list[SlipSum] = []
    """The amounts around the items."""


class _Part(NamedTuple):
    """A part of a line: from which of its characters to which, and the column in which it stands."""

    column: str
    start: int
    end: int


def with_items(marks: PageMarks) -> SlipTable:
    """Return the table of a receipt's items; none where the page has no items, or a table that explains more of it."""
    rows = slip_rows(marks.lines)
    items, ends = find_items(rows)
    if not items or _is_ruled(items, marks.grids):
        return SlipTable(marks, None)
    records = _records(items)
    columns = [name for name in _order(records) if any(name in record for record in records)]
    table = HeadedTable(
        [_heading(name, records) for name in columns],
        [TableRecord({n: record[name] for n, name in enumerate(columns) if name in record}) for record in records],
        ends,
    )
    _, points = best_table(marks.lines, marks.grids, marks.rules)
    if points >= _score(table):
        return SlipTable(marks, None, sums_of(rows, items))
    return SlipTable(marks.with_lines(_rewritten(marks.lines, items, table)), table, sums_of(rows, items))


def _is_ruled(items: Sequence[SlipItem], grids: Sequence[Grid]) -> bool:
    """Whether rules part the items into cells: those of a table say more than a column of amounts."""
    texts = [line.box for item in items for row in item.rows for line in row.lines]
    holding = [cell for grid in grids for cell in grid.cells if any(cell.box.holds(*box.middle) for box in texts)]
    return len(holding) >= MIN_SHARED_CELLS


def _score(table: HeadedTable) -> float:
    """Return how much speaks for the items, on the scale of ``table_choice.py``: all headings are certain."""
    width = table.headings[-1].right - min(heading.left for heading in table.headings)
    return sum(len(record.cells) for record in table.records) * (0.5 + 0.5 * min(1.0, width / 250)) * 1.3


def _heading(name: str, records: Sequence[dict[str, list[TextLine]]]) -> Heading:
    area = Box.around(line.box for record in records for line in record.get(name, []))
    return Heading([], area.x, area.right, name=name)


def _order(records: Sequence[dict[str, list[TextLine]]]) -> list[str]:
    """Return the columns in the order in which they are read: those of an item's first line come first."""
    names = {name for record in records for name in record}

    def place_of(name: str) -> tuple[int, float]:
        cells = [(record, record[name][0].box) for record in records if name in record]
        tops = [min(line.box.y for lines in record.values() for line in lines) for record, _ in cells]
        down = median((box.y - top) / box.height for top, (_, box) in zip(tops, cells, strict=True))
        return round(down), median(box.x for _, box in cells)

    return sorted(names, key=place_of)


def _rewritten(lines: Sequence[TextLine], items: Sequence[SlipItem], table: HeadedTable) -> list[TextLine]:
    """Return the texts of a page with those of the items as they are in the table."""
    used = {heading.name for heading in table.headings}
    rows = [row for item in items for row in item.rows]
    taken = {line.id for row in rows for line in row.lines}
    taken |= {row.amount.line.id for row in rows if row.amount}
    taken |= {mark.id for row in rows if row.amount and _TAX in used for mark in row.amount.marks}
    return [line for line in lines if line.id not in taken] + table.lines


def _records(items: Sequence[SlipItem]) -> list[dict[str, list[TextLine]]]:
    """Return the texts of each item by the name of their column."""
    style = _style(items)
    height = _height(items)
    leading = _leading_columns([item.name.text for item in items])
    prices = _share(items, lambda item: _TRAILING_PRICE.search(item.name.text) is not None) >= MIN_COLUMN_SHARE
    taxed = _share(items, lambda item: bool(item.priced.amount and _marks(item.priced.amount))) >= MIN_TAXED_SHARE
    bought = _share(items, lambda item: _quantity_row(item) is not None) >= MIN_COLUMN_SHARE
    found = []
    for item in items:
        quantities = _quantity_row(item) if bought else None
        record: dict[str, list[TextLine]] = {}
        for row in item.rows:
            if row is quantities:
                parts = _quantity_parts(row.text)
            elif row is item.name:
                parts = _name_parts(row.text, leading, prices and row is item.priced)
            else:
                parts = [_Part(_DESCRIPTION, 0, len(row.text))]
            for name, line in _texts(row, parts, style, taxed, height):
                record.setdefault(name, []).append(line)
        found.append(record)
    return found


def _height(items: Sequence[SlipItem]) -> float:
    """Return how high a text of the items is at most: as amounts are, and no higher than the lines are apart."""
    rows = [row for item in items for row in item.rows]
    amounts = [row.amount.box.height for row in rows if row.amount]
    steps = [below.level - above.level for above, below in pairwise(rows) if below.level > above.level]
    return min(median(amounts), MAX_LINE_SHARE * median(steps)) if steps else median(amounts)


def _share(items: Sequence[SlipItem], holds: Callable[[SlipItem], bool]) -> float:
    return sum(map(holds, items)) / len(items)


def _quantity_row(item: SlipItem) -> SlipRow | None:
    """Return the line below an item's name that says how much of it was bought."""
    return next((row for row in item.rows if row is not item.name and QUANTITY_LINE.match(row.text)), None)


def _leading_columns(names: Sequence[str]) -> list[str]:
    """Return the columns of numbers in front of the names: most items have such a number, and wording after it."""
    columns = list[str]()
    while True:
        found = [match for match in map(_LEADING.match, names) if match and _has_words(match.string[match.end() :])]
        name = _number_name([match[1] for match in found]) if found else ""
        if len(found) < MIN_COLUMN_SHARE * len(names) or name in columns:
            return columns
        columns.append(name)
        names = [name[match.end() :] if (match := _LEADING.match(name)) else name for name in names]


def _has_words(text: str) -> bool:
    return any(map(str.isalpha, text))


def _number_name(numbers: Sequence[str]) -> str:
    """Return what numbers in front of names are: those of the items, their codes, or how many were bought."""
    values = [int(number) for number in numbers if number.isdigit() and len(number) < MIN_CODE_CHARS]
    counts_up = len(values) > 2 and all(below == above + 1 for above, below in pairwise(values))
    if counts_up and len(values) == len(numbers):
        return "Item no."
    return "Item code" if median(map(len, numbers)) >= MIN_CODE_CHARS else _QUANTITY


def _name_parts(text: str, leading: Sequence[str], has_price: bool) -> list[_Part]:
    parts, start = list[_Part](), 0
    for name in leading:
        match = _LEADING.match(text, start)
        if match and _has_words(text[match.end() :]):
            parts.append(_Part(name, match.start(1), match.end(1)))
            start = match.end()
    price = _TRAILING_PRICE.search(text, start) if has_price else None
    end = price.start() if price else len(text)
    if price:
        parts.append(_Part(_PRICE, price.start(1), price.end(1)))
    return [*parts, _Part(_DESCRIPTION, start, end)]


def _quantity_parts(text: str) -> list[_Part]:
    match = QUANTITY_LINE.match(text)
    assert match is not None
    groups = {_QUANTITY: "quantity", _UNIT: "unit", _SIGN: "sign", _PRICE: "price"}
    parts = [_Part(name, *match.span(group)) for name, group in groups.items() if match[group]]
    rest = len(text) - len(text[match.end() :].lstrip())
    return [*parts, *([_Part(_DESCRIPTION, rest, len(text))] if rest < len(text) else [])]


def _texts(
    row: SlipRow, parts: Sequence[_Part], style: TextStyle, taxed: bool, height: float
) -> Iterator[tuple[str, TextLine]]:
    """Yield the texts of a line by the names of their columns, those of its amount last."""
    cut = [(part.column, _cut(row, part)) for part in parts]
    if row.amount is not None:
        cut.append((_AMOUNT, _amount_line(row.amount, whole=not taxed)))
        cut += [(_TAX, mark) for mark in _marks(row.amount)] if taxed else []
    level = _levelled([line.box for _, line in cut], height)
    for (name, line), box in zip(cut, level, strict=True):
        text = line.text.lower().replace("×", "x") if name == _SIGN else line.text
        yield name, line.model_copy(update={"text": text, "box": box, "style": style})


def _levelled(boxes: Sequence[Box], height: float) -> list[Box]:
    """Return the places of the texts of one line, level and of the typical `height` where they are not.

    The box of a long text that is not level is too high.
    """
    middles = [box.middle[1] for box in boxes]
    is_level = max(middles) - min(middles) <= MAX_UNLEVEL * height
    if is_level and max(box.height for box in boxes) <= MAX_TALL * height:
        return list(boxes)
    top = fmean(middles) - height / 2
    return [box.model_copy(update={"y": top, "height": height}) for box in boxes]


def _cut(row: SlipRow, part: _Part) -> TextLine:
    """Return a part of a line as a text of its own."""
    pieces, at = list[TextLine](), 0
    for line in row.lines:
        start, end = max(part.start - at, 0), min(part.end - at, len(line.text))
        if start < end:
            pieces.append(line.model_copy(update={"box": place(line, start, end)}))
        at += len(line.text) + 1
    return pieces[0].model_copy(
        update={
            "id": f"{pieces[0].id}-{part.start}" if part.start else pieces[0].id,
            "text": row.text[part.start : part.end].strip(),
            "box": Box.around(piece.box for piece in pieces),
            "confidence": min(piece.confidence for piece in pieces),
        }
    )


def _amount_line(amount: Amount, *, whole: bool) -> TextLine:
    """Return an amount as a text of its own; the `whole` of it with the letters with which it was read."""
    line = amount.line
    end = len(line.text) if whole else amount.end
    update = {
        "id": f"{line.id}-amount",
        "text": line.text[amount.start : end].strip(),
        "box": place(line, amount.start, end),
    }
    return line.model_copy(update=update)


def _marks(amount: Amount) -> list[TextLine]:
    """Return the letters beside an amount, also where they were read with it as one text."""
    line = amount.line
    text = line.text[amount.end :].strip()
    start = len(line.text) - len(text)
    own = line.model_copy(update={"id": f"{line.id}-mark", "text": text, "box": place(line, start, len(line.text))})
    return [*([own] if text else []), *amount.marks][:1]


def _style(items: Sequence[SlipItem]) -> TextStyle:
    """Return the look that most texts of the items have: a slip prints them in one."""
    lines = [line for item in items for row in item.rows for line in row.lines]
    lines += [item.priced.amount.line for item in items if item.priced.amount]
    bold = 2 * sum(line.style.bold for line in lines) > len(lines)
    return lines[0].style.model_copy(
        update={"size": median(line.style.size for line in lines), "bold": bold, "underline": False}
    )
