"""Change values in one row of the data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Literal

from pydantic import Field

from ..jrxml.dom import declared_nodes
from ..jrxml.draft import Draft
from ..jrxml.java_literals import as_written, is_iso_moment, is_time, parse_decimal
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, already_done, no_field
from ..jrxml.row_values import MAX_SHOWN_CHARS, RowValue, in_form_of, is_of_class
from ..language import Language
from ..replies import Text, listed, text
from .base import Edit, EditClause, KnownNames, Row

MAX_VALUES = 60


class SetValue(Edit):
    """Change values in one row of the data, which `row` or `where` names; computed columns and totals follow.

    Amounts that are fields of their own do not: give them in `values`, too.
    """

    do: Literal["set_value"] = "set_value"
    values: dict[str, RowValue] = Field(max_length=MAX_VALUES)
    """The new values by field; dates as 2026-05-31, times as 17:00."""
    row: int | None = None
    """The row's number, from 1."""
    where: dict[str, RowValue] = Field(default={}, max_length=MAX_VALUES)
    """Instead of the number, values by field that only this row has, such as {"item": "Hammer"}."""

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """The template stays as it is; the data follows when the change is carried out."""
        fields = declared_nodes(draft.root, "field")
        for name in [*self.where, *self.values]:
            if name not in fields and draft.declared("variable", name) is not None:
                raise EditRefused("field", Text.of("edits.set_value.computed", field=_heading(draft, name)))
            if name not in fields:
                raise no_field(name)
        if not self.values or not (self.row or self.where):
            raise EditRefused("value", Text.of("edits.set_value.incomplete"))
        for name, value in self.values.items():
            if not is_of_class(value, fields[name].get("class", "java.lang.String")):
                shown = str(value)[:MAX_SHOWN_CHARS]
                raise EditRefused("value", Text.of("edits.set_value.value", field=_heading(draft, name), value=shown))
        return True

    def check_rows(self, rows: Sequence[Row]) -> None:
        number = row_index(rows, self.row, self.where)
        for name, value in self.changed(rows)[number].items():
            if name in self.values and is_time(str(value)) and _has_days(row.get(name) for row in rows):
                raise EditRefused("value", Text.of("edits.set_value.value", field=name, value=str(value)))
        if all(_is_same(rows[number].get(name), value) for name, value in self.values.items()):
            raise already_done()

    def changed(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows with the new values. Raises ``EditRefused`` if not exactly one row is named."""
        number = row_index(rows, self.row, self.where)
        values = {name: in_form_of(value, [row.get(name) for row in rows]) for name, value in self.values.items()}
        return [{**row, **values} if n == number else row for n, row in enumerate(rows)]

    def describe(self, labels: TemplateLabels) -> EditClause:
        language = labels.language
        changes = [value_change(labels, name, value) for name, value in self.values.items()]
        row = named_row(self.row, self.where, language)
        return EditClause("edits.set_value.done", row, {"changes": listed(changes, language)})

    def is_known(self, names: KnownNames) -> bool:
        return set(self.names()) <= names.fields | names.columns

    def names(self) -> list[str]:
        return list(dict.fromkeys([*self.values, *self.where]))


def row_index(rows: Sequence[Row], row: int | None, where: Mapping[str, RowValue]) -> int:
    """Return the index of the row that a number, values, or both name. Raises ``EditRefused`` if not exactly one is."""
    if row is not None and not 1 <= row <= len(rows):
        raise EditRefused("value", Text.of("edits.set_value.no_number", row=row, count=len(rows)))
    found = [
        n
        for n, one in enumerate(rows)
        if row in (None, n + 1) and all(_is_same(one.get(name), value) for name, value in where.items())
    ]
    if len(found) == 1:
        return found[0]
    named = _named(where)
    if not found:
        raise EditRefused("value", Text.of("edits.set_value.no_row", value=named))
    raise EditRefused("value", Text.of("edits.set_value.several_rows", value=named, count=len(found)))


def named_row(row: int | None, where: Mapping[str, RowValue], language: Language) -> str:
    """Return what a row is called in a reply."""
    if row is not None:
        return text("edits.set_value.row.number", language, row=row)
    return text("edits.set_value.row.named", language, name=_named(where))


def value_change(labels: TemplateLabels, name: str, value: RowValue) -> str:
    """Return what becomes of a value, by its label: “Qty to 10”."""
    return text("edits.set_value.change", labels.language, field=labels.field(name), value=_written(value))


def _heading(draft: Draft, field: str) -> str:
    """Return the heading of a field's column, by which the user knows it."""
    return TemplateLabels(draft, "en").field(field)


def _is_same(one: RowValue, other: RowValue) -> bool:
    """Whether two values are equal as a person sees them: 7 and "7.0", a date with or without a time of zero."""
    first, second = (" ".join(_plain(value).split()).casefold() for value in (one, other))
    numbers: list[Decimal | None] = [parse_decimal(first), parse_decimal(second)]
    if None not in numbers:
        return numbers[0] == numbers[1]
    return first == second


def _has_days(values: Iterable[RowValue]) -> bool:
    """Whether there are dates among the values of a field."""
    return any(is_iso_moment(str(value)) for value in values if value is not None)


def _plain(value: RowValue) -> str:
    return as_written(str("" if value is None else value))


def _named(where: Mapping[str, RowValue]) -> str:
    return ", ".join(map(_written, where.values()))


def _written(value: RowValue) -> str:
    return _plain(value)[:MAX_SHOWN_CHARS] or "“”"
