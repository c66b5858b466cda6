"""A report's rows as a CSV file: a line of headings and a line for each record."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import datetime

from ..engine import PrintedCell
from .arrange import Sheet, SheetRow
from .number_formats import is_time, min_decimals

BYTE_ORDER_MARK = "\ufeff"
"""Without it a Chinese Excel reads UTF-8 as GBK."""
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def as_csv(sheet: Sheet) -> bytes:
    """Write the records of a report; all lines of one without records."""
    file = io.BytesIO()
    with io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True) as text:
        text.write(BYTE_ORDER_MARK)
        csv.writer(text, lineterminator="\r\n").writerows(_lines(sheet))
        text.flush()
        return file.getvalue()


def _lines(sheet: Sheet) -> Iterator[list[str]]:
    """Yield the lines of the table one by one."""
    records = sheet.records
    if not records:
        width = max((number + 1 for row in sheet.rows for number in row.cells), default=0)
        yield from (_values(row, width) for row in sheet.rows)
        return
    groups = _groups_to_show(sheet, records)
    yield [*(sheet.group_titles[key] for key in groups), *(column.heading for column in sheet.columns)]
    for row in records:
        yield [_value(row.groups.get(key)) for key in groups] + _values(row, len(sheet.columns))


def _groups_to_show(sheet: Sheet, records: Sequence[SheetRow]) -> list[str]:
    """Return the keys of what group headers say, without what a column says in every record too."""
    return [
        key
        for key in sheet.group_titles
        if not any(
            all(_value(row.cells.get(number)) == _value(row.groups.get(key)) for row in records)
            for number in range(len(sheet.columns))
        )
    ]


def _values(row: SheetRow, width: int) -> list[str]:
    return [_value(row.cells.get(number)) for number in range(width)]


def _value(cell: PrintedCell | None) -> str:
    """Return a number or a date as other programs read it. A text that looks like a formula stays a text."""
    if cell is None or not cell.text:
        return ""
    if cell.number is not None:
        return _number(cell.number, min_decimals(cell.pattern))
    if cell.date is not None:
        return _date(cell.date, is_time(cell.pattern))
    return f"'{cell.text}" if cell.text.startswith(_FORMULA_STARTS) else cell.text


def _number(digits: str, decimals: int) -> str:
    """Return a number with all of its digits, and at least as many decimals as the report shows."""
    whole, point, fraction = digits.partition(".")
    if "E" in digits or not (point or decimals):
        return digits
    fraction = fraction.rstrip("0").ljust(decimals, "0")
    return f"{whole}.{fraction}" if fraction else whole


def _date(iso: str, is_time: bool) -> str:
    """Return a date, with its time only where it has one; or a time alone."""
    moment = datetime.fromisoformat(iso)
    if is_time:
        return moment.time().isoformat(timespec="auto" if moment.second else "minutes")
    return moment.isoformat(sep=" ") if moment.time().isoformat() != "00:00:00" else moment.date().isoformat()
