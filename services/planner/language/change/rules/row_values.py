"""New values in a row: "change the price of bolts to 19.2". What users say is in ``templates/*/row_values.toml``."""

from __future__ import annotations

import re
from decimal import Decimal

from bandsmith.shared.edits.base import Row
from bandsmith.shared.edits.delete_row import DeleteRow
from bandsmith.shared.edits.set_value import SetValue
from bandsmith.shared.fields.value_types import STRING
from bandsmith.shared.jrxml.expressions import sole_reference
from bandsmith.shared.jrxml.java_literals import is_iso_date
from bandsmith.shared.jrxml.row_values import RowValue

from ...fuzzy_match import normal, singular
from ...numbers import number_of
from ...references import Target
from ...sentence_templates import Slots, matches
from ...template_view import TemplateView
from ...view_elements import DATES, NUMERIC, TableColumn
from ..reading import Clause, ClauseReading, refused, templated
from .row_entry import converted
from .wording import new_wording, says_how_it_looks

_HAN = re.compile("[\u3400-\u9fff]")


def cell(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Change the price of bolts to 19.2”."""
    column = _column(clause, slots["field"])
    return _changed(clause, column, slots, text_too=True) if column else None


def cell_is(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“The price of bolts is 19.2 now”: a number, a date or a quotation, as other words may say what is wrong."""
    column = _column(clause, slots["field"])
    return _changed(clause, column, slots, text_too=False) if column else None


def cell_joined(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Change the bolts price to 19.2”, “螺栓单价改成19.2”: the heading ends the name of the value."""
    name = slots["name"].strip()
    for column in _field_columns(clause.view):
        row = _before(name, column.label)
        if row:
            values = {"row": row, "new": slots["new"], "number": ""}
            return _changed(clause, column, Slots(values), text_too=False)
    return None


def no_row(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Remove the last row”, “删掉第三行”: a row of the data."""
    rows = clause.view.rows
    if not rows or not clause.view.columns:
        return None
    if slots["row"]:
        words = clause.words(slots["row"])
        found = rows_named(clause.view, words, "")
        if len(found) > 1:
            return refused("edits.set_value.several_rows", value=words, count=len(found))
        return ClauseReading([DeleteRow(where={name: rows[at][name]}) for at, name in found.items()]) if found else None
    at = {"first": 1, "last": len(rows)}.get(slots["end"]) or number_of(slots["number"] or slots["nth"])
    if at is None or at != int(at):
        return None
    if not 1 <= at <= len(rows):
        return refused("edits.set_value.no_number", row=int(at), count=len(rows))
    return ClauseReading([DeleteRow(row=int(at))])


def recomputed(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“K-118的数量改成90，金额跟着算”: nothing more to do where the amount is computed, or was given its new value."""
    edits = clause.before.edits if clause.before else []
    columns = clause.columns(slots["names"])
    if not isinstance(columns, list) or not edits or not all(isinstance(edit, SetValue) for edit in edits):
        return None
    given = {name for edit in edits if isinstance(edit, SetValue) for name in edit.values}
    changed = {next(iter(edit.values)) for edit in edits if isinstance(edit, SetValue)}
    printed = _field_columns(clause.view)
    follow = all(column not in printed or column.field in given - changed for column in columns)
    return ClauseReading() if follow else None


def row_gone(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Removal of green waste can go”: a row by what it is about, where the words name nothing else on the page."""
    words, about = clause.words(slots["row"]), _about(clause.view)
    is_whole = any(normal(words) == normal(str(row.get(about))) for row in clause.view.rows) if about else False
    return no_row(clause, slots) if is_whole and not isinstance(clause.find(slots["row"]), Target) else None


def _about(view: TemplateView) -> str:
    """Return the field that says what a row is about: the one with the longest texts, all of them different.

    A remark or a unit in a row is no name of it: “赠螺丝一盒去掉” is about the remark.
    """
    texts = {
        column.field: [str(row.get(column.field) or "") for row in view.rows]
        for column in _field_columns(view)
        if column.java_class == STRING
    }
    named = {field: values for field, values in texts.items() if all(values) and len(set(values)) == len(values)}
    return max(named, key=lambda field: sum(map(len, named[field])), default="")


def _before(name: str, label: str) -> str:
    """Return the words before a heading at the end of a name; nothing where it does not end so."""
    if not label or not name.casefold().endswith(label.casefold()):
        return ""
    rest = name[: -len(label)]
    return rest.strip() if rest.endswith(" ") or _HAN.match(label) else ""


def _changed(clause: Clause, column: TableColumn, slots: Slots, *, text_too: bool) -> ClauseReading | None:
    value = _value(clause, column, slots, text_too)
    if value is None:
        return None
    rows = clause.view.rows
    if slots["number"]:
        number = number_of(slots["number"])
        if number is None or number != int(number):
            return None
        if not 1 <= number <= len(rows):
            return refused("edits.set_value.no_number", row=int(number), count=len(rows))
        at = int(number) - 1
        edit = SetValue(values=_with_product(clause.view, column.field, value, rows[at]), row=at + 1)
        return ClauseReading([edit])
    words = clause.words(slots["row"])
    found = rows_named(clause.view, words, column.field)
    if len(found) > 1:
        return refused("edits.set_value.several_rows", value=words, count=len(found))
    if not found:
        return None
    [(at, field)] = found.items()
    values = _with_product(clause.view, column.field, value, rows[at])
    return ClauseReading([SetValue(values=values, where={field: rows[at][field]})])


def _column(clause: Clause, words: str) -> TableColumn | None:
    """Return the column that words name, if it prints a field and nothing else."""
    column = clause.column(words) if words else None
    return column if isinstance(column, TableColumn) and column in _field_columns(clause.view) else None


def _field_columns(view: TemplateView) -> list[TableColumn]:
    return [column for column in view.columns if sole_reference(column.cells[0].expression, "F")]


def _value(clause: Clause, column: TableColumn, slots: Slots, text_too: bool) -> RowValue:
    """Return the new value as the data has it; None where it is no value of the column."""
    if column.java_class in NUMERIC or column.java_class in DATES:
        return converted(clause.words(slots["new"]), column.java_class)
    is_quotation = clause.is_quotation(slots["new"])
    new = new_wording(clause, slots, is_sure=False)
    if column.java_class != STRING or new is None or not (text_too or is_quotation):
        return None
    return new if is_quotation or not says_how_it_looks(new) else None


def rows_named(view: TemplateView, words: str, changed: str) -> dict[int, str]:
    """Return the rows that words name, with the field whose value they are: the whole value, else a part of it."""
    wanted = normal(words)
    fields = [column.field for column in _field_columns(view) if column.field != changed]
    texts = {
        (n, name): normal(value)
        for n, row in enumerate(view.rows)
        for name in fields
        if isinstance(value := row.get(name), str) and not is_iso_date(value)
    }
    if not wanted or not any(char.isalpha() for char in wanted):
        return {}
    day = _weekday(words)
    same = {
        at: name
        for (at, name), text in texts.items()
        if singular(text) == singular(wanted) or (day and _weekday(text) == day)
    }
    return same or {at: name for (at, name), text in texts.items() if _is_part(wanted, text)}


def _weekday(words: str) -> str:
    """Return the number of a day of the week, which a report may print in another language; empty for other words."""
    days = (slots for slots in matches("calendar", "weekday", words) if not slots["week"] and not slots["part"])
    return next((slots["weekday"] for slots in days), "")


def _is_part(words: str, text: str) -> bool:
    """Whether words are whole words of a text, or several Chinese characters of it."""
    if _HAN.search(words):
        return len(words) > 1 and words in text
    return re.search(rf"(?<![a-z\d]){re.escape(singular(words))}(?![a-z\d])", singular(text)) is not None


def _with_product(view: TemplateView, field: str, value: RowValue, row: Row) -> dict[str, RowValue]:
    """Return the new value of a field, with that of a field that is its product with another one in all rows.

    An amount that is a field of its own would be wrong beside a new price.
    """
    values: dict[str, RowValue] = {field: value}
    numbers = [
        column.field for column in _field_columns(view) if column.java_class in NUMERIC and column.field != field
    ]
    for product in numbers:
        factors = [one for one in numbers if one != product and _is_product(view.rows, field, one, product)]
        if len(factors) == 1 and (factor := _number(row.get(factors[0]))) is not None:
            new = _number(value)
            assert new is not None
            amount = new * factor
            values[product] = (
                int(amount) if isinstance(row.get(product), int) and amount == int(amount) else float(amount)
            )
    return values


def _is_product(rows: list[Row], one: str, other: str, product: str) -> bool:
    """Whether a field is the product of two others in all rows, of which there are several."""
    triples = [[_number(row.get(name)) for name in (one, other, product)] for row in rows]
    return len(triples) > 1 and all(
        a is not None and b is not None and c is not None and abs(a * b - c) < Decimal("0.01") for a, b, c in triples
    )


def _number(value: RowValue) -> Decimal | None:
    is_number = isinstance(value, (int, float, str)) and not isinstance(value, bool)
    try:
        return Decimal(str(value)) if is_number else None
    except ArithmeticError:
        return None


RULES = tuple(templated("row_values", rule) for rule in (recomputed, cell, cell_is, cell_joined, no_row, row_gone))
