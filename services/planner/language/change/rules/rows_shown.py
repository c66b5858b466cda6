"""Which rows are printed, and blank rows. What users say is in ``templates/*/rows_shown.toml``."""

from __future__ import annotations

from bandsmith.shared.edits.fill_rows import FillRows
from bandsmith.shared.edits.filter_rows import FilterRows
from bandsmith.shared.edits.limit_rows import LimitRows
from bandsmith.shared.edits.show_all_rows import ShowAllRows
from bandsmith.shared.jrxml.declarations import DATE_CLASSES
from bandsmith.shared.jrxml.java_literals import is_iso_date

from ...numbers import number_of
from ...references import Missing
from ...sentence_templates import Slots, matches
from ...view_elements import TableColumn
from ..column_choice import amount_column
from ..reading import Clause, ClauseReading, compared_column, refused, templated

PHRASES = frozenset({"condition"})
"""Sentences of the files that are parts of others."""
MAX_BLANK_ROWS = 100
MAX_COUNT = 100_000
"""Rows that a report can be limited to."""


def only_rows(clause: Clause, slots: Slots) -> ClauseReading | None:
    if slots["comparison"]:
        column = amount_column(clause, "", "language.which_column")
        return _compared(clause, column, slots, hide=False) if isinstance(column, TableColumn) else column
    reading = _filtered(clause, slots["condition"], hide=False)
    return _including(reading, clause.words(slots["included"])) if slots["included"] else reading


def _including(reading: ClauseReading | None, words: str) -> ClauseReading | None:
    """“数量150以上的，含150”: the limit itself is among the rows; None where another number is named."""
    edits = reading.edits if reading else []
    if len(edits) != 1 or not isinstance(edit := edits[0], FilterRows):
        return None
    limit, included = number_of(edit.value or ""), number_of(words)
    if limit is None or limit != included or edit.comparison not in (">", "<"):
        return None
    return ClauseReading([edit.model_copy(update={"comparison": f"{edit.comparison}="})])


def hide_rows(clause: Clause, slots: Slots) -> ClauseReading | None:
    if slots["empty_name"]:
        column = clause.known(clause.column(slots["empty_name"]))
        return _compared(clause, column, slots, hide=True) if isinstance(column, TableColumn) else column
    return _filtered(clause, slots["condition"], hide=True)


def _filtered(clause: Clause, condition: str, hide: bool) -> ClauseReading | None:
    """Return the filter for a condition: "amount is over 100", "金额大于100"."""
    absent: ClauseReading | None = None
    for slots in matches("rows_shown", "condition", condition):
        name = slots["name"] or slots["empty_name"] or slots["zero_name"]
        column = clause.column(name)
        if isinstance(column, Missing):
            absent = absent or clause.absent(column)
        if not isinstance(column, TableColumn):
            continue
        reading = _compared(clause, column, slots, hide)
        if reading is not None and reading.edits:
            return reading
        absent = reading or absent
    return absent


def _compared(clause: Clause, column: TableColumn, slots: Slots, hide: bool) -> ClauseReading | None:
    """Return the filter for a column and what it is compared with; None where the value is of no known kind."""
    if slots["empty"] or slots["empty_name"]:
        return ClauseReading([FilterRows(field=column.field, comparison="empty", hide=hide)])
    sign = slots["comparison"] or slots["after"] or "=="
    words = "0" if slots["zero_name"] else clause.words(slots["value"] or slots["number"])
    if (other := compared_column(clause, column, words)) is not None and sign != "contains":
        between = {"field": column.field, "comparison": sign, "other": other.field, "hide": hide}
        return ClauseReading([FilterRows.model_validate(between)])
    value = _value(clause, column, slots["value"], words, sign)
    if value is None:
        return None
    if not value:
        return refused("language.text_not_comparable", column=column.label, value=words)
    edit = FilterRows.model_validate({"field": column.field, "comparison": sign, "value": value, "hide": hide})
    return ClauseReading([edit])


def _value(clause: Clause, column: TableColumn, slot: str, words: str, sign: str) -> str | None:
    """Return the value of a comparison: a number, a date, or a quotation; empty if the column cannot have it.

    Other words are None: they may be more than a value.
    """
    if column.numeric:
        number = number_of(words)
        if number is None:
            return None
        return f"{number:f}".rstrip("0").rstrip(".")
    if column.java_class in DATE_CLASSES:
        return words if is_iso_date(words) else None
    if sign not in ("==", "!=", "contains"):
        return "" if number_of(words) is not None else None
    is_value = clause.is_quotation(slot) or words in clause.view.values(column.field)
    return words if is_value else None


def top(clause: Clause, slots: Slots) -> ClauseReading | None:
    number = number_of(slots["number"])
    if number is None or not 0 < number < MAX_COUNT or number != int(number):
        return None
    if not slots["name"]:
        # "The top 5" of rows that are in no order would be any five.
        return None if slots["end"] else ClauseReading([LimitRows(count=int(number))])
    column = clause.known(clause.column(slots["name"]))
    if not isinstance(column, TableColumn):
        return column
    return ClauseReading([LimitRows(count=int(number), field=column.field, descending=slots["end"] != "lowest")])


def show_all(clause: Clause, slots: Slots) -> ClauseReading | None:
    return ClauseReading([ShowAllRows()])


def fill(clause: Clause, slots: Slots) -> ClauseReading | None:
    number = number_of(slots["number"])
    fewer = number_of(slots["fewer"]) if slots["fewer"] else number
    if number is None or fewer != number or not clause.view.columns:
        return None
    if not 0 < number <= MAX_BLANK_ROWS:
        return refused("language.too_many_blank_rows", limit=MAX_BLANK_ROWS)
    return ClauseReading([FillRows(count=int(number))])


def fill_page(clause: Clause, slots: Slots) -> ClauseReading | None:
    return ClauseReading([FillRows()]) if clause.view.columns else None


def fill_none(clause: Clause, slots: Slots) -> ClauseReading | None:
    return ClauseReading([FillRows(count=0)])


RULES = tuple(
    templated("rows_shown", rule) for rule in (only_rows, hide_rows, top, show_all, fill, fill_page, fill_none)
)
