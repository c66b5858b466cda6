"""Questions about rows that are named together: what they come to, which is more, what share of the total one is."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

from ..language.numbers import number_of
from ..language.sentence_templates import Slots, matches, pattern
from ..language.view_elements import TableColumn
from .printed_questions import grand_total
from .report import OwnReport
from .row_questions import aggregate_of, computed_over, with_note
from .row_table import ChosenRows, RowTable, exactly
from .row_values import cells_of

MIN_NAMES = 2
_PERCENT = Decimal(100)
_TENTH = Decimal("0.1")
_MEASURES_OF_MORE = {
    "price": ("price", "amount"),
    "quantity": ("quantity",),
    "amount": ("amount",),
    "duration": ("duration",),
}
"""The measures that answer which of two rows is more of something."""


def together(report: OwnReport, slots: Slots) -> str | None:
    """“How much do the gloves and the tape cost together?”, “前三行一共多少钱？”"""
    table = RowTable(report)
    rows = _named_together(table, slots["several"])
    columns = table.measures(slots["summed"] or "amount")
    if not rows or len(columns) != 1:
        return None
    chosen = ChosenRows(tuple(rows), len(table.rows))
    values = "\n".join(cells_of(table, row, columns) for row in rows)
    total = computed_over(table, columns[0], chosen)
    return with_note(report, f"{total}\n{values}") if total else None


def _named_together(table: RowTable, words: str) -> list[int]:
    """Return the rows that several names stand for, each of which has to name one; all of one name; or the first."""
    for slots in matches("row_conditions", "first_rows", words.strip()):
        count = int(number_of(slots["number"]) or 0)
        return list(range(count)) if 0 < count <= len(table.rows) else []
    names = _joints().split(words.strip())
    found = [table.holding(name) for name in names]
    if len(names) == 1:
        return found[0]  # “what do the benches cost together?”
    if len(names) < MIN_NAMES or any(len(rows) != 1 for rows in found):
        return []
    rows = [rows[0] for rows in found]
    return rows if len(set(rows)) == len(rows) else []


def _joints() -> re.Pattern[str]:
    joins = pattern("row_conditions", "joins_rows")
    return re.compile(rf"\s*(?:[,，、]\s*(?:and |和)?|(?<![A-Za-z])(?:{joins})(?![A-Za-z]))\s*", re.IGNORECASE)


def compare_two(report: OwnReport, slots: Slots) -> str | None:
    """“Which is more expensive, topsoil or hedge plants?”, “茶壶比托盘多值多少钱？”"""
    table, _ = RowTable(report), slots["again"]
    one, other = table.holding(slots["one"]), table.holding(slots["other"])
    kinds = _MEASURES_OF_MORE[slots["more"] or slots["differ"] or "amount"]
    columns = [column for kind in kinds for column in table.measures(kind)]
    if len(one) != 1 or len(other) != 1 or one == other or not columns:
        return None
    lines = [cells_of(table, row, columns) for row in (*one, *other)]
    lines += [line for column in columns if (line := _difference(table, column, one[0], other[0]))]
    return with_note(report, "\n".join(lines))


def _difference(table: RowTable, column: TableColumn, one: int, other: int) -> str:
    """Return by how much a row has more than another in a column."""
    first, second = table.numbers(column)[one], table.numbers(column)[other]
    if first is None or second is None:
        return ""
    high, low = max(first, second), min(first, second)
    if high == low:
        return table.report.say("same_value", column=column.label, value=exactly(high))
    more = table.name(one if first == high else other)
    return table.report.say(
        "difference", column=column.label, row=more, high=exactly(high), low=exactly(low), more=exactly(high - low)
    )


def share_of_total(report: OwnReport, slots: Slots) -> str | None:
    """“What percentage of the total is labour?”, “马克杯占总金额百分之几？”"""
    table = RowTable(report)
    rows = table.holding(slots["row"])
    columns = table.measures(slots["shared"] or "amount")
    if not rows or len(columns) != 1:
        return None
    numbers = [number or Decimal() for number in table.numbers(columns[0])]
    part, whole = sum((numbers[row] for row in rows), Decimal()), sum(numbers, Decimal())
    if not whole:
        return None
    percent = (part / whole * _PERCENT).quantize(_TENTH, ROUND_HALF_UP)
    return with_note(
        report,
        report.say(
            "share_of_total", rows=table.names(rows), column=columns[0].label, part=exactly(part),
            whole=exactly(whole), percent=f"{percent:g}",
        ),
    )  # fmt: skip


def in_price(report: OwnReport, slots: Slots) -> str | None:
    """“Is delivery in the price?”: the rows of that name, and which part of the total they are."""
    rows = RowTable(report).holding(slots["held"])
    return share_of_total(report, Slots({"row": slots["held"]})) if rows else None


def total_only(report: OwnReport, slots: Slots) -> str | None:
    """“加起来多少？”: the sums that are printed, else those of the amounts or the quantities."""
    table = RowTable(report)
    return grand_total(report, slots) or aggregate_of(table, table.measures("quantity"), "sum")


RULES = (total_only, together, compare_two, in_price, share_of_total)
