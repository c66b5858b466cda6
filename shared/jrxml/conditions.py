"""Write comparisons of a row's value, with a constant or with another value of the row, as Java conditions."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from ..replies import Text
from .declarations import DATE_CLASSES, NUMBER_CLASSES, STRING_CLASS, is_row_variable
from .draft import Draft
from .expressions import reference, sole_reference
from .java_literals import is_iso_date, java_string, parse_decimal
from .refusals import MAX_VALUE_CHARS, EditRefused, no_field

Comparison = Literal[">", ">=", "<", "<=", "==", "!="]
COMPARISON_SIGNS = {"==": "=", "!=": "≠", ">=": "≥", "<=": "≤", ">": ">", "<": "<"}
BOOLEAN_CLASS = "java.lang.Boolean"
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ]+(\d{1,2}:\d{2}(?::\d{2})?)")
_FLAGS = {"true": True, "yes": True, "1": True, "是": True, "false": False, "no": False, "0": False, "否": False}


class RowValue(NamedTuple):
    """A value that every row has."""

    name: str
    reference: str
    """The expression that reads it: ``$F{amount}``."""
    java_class: str


def row_value(draft: Draft, name: str) -> RowValue:
    """Return the field, or the variable of each row, of this name. Raises ``EditRefused`` if there is none."""
    for scope, letter in (("field", "F"), ("variable", "V")):
        node = draft.declared(scope, name)
        if node is not None and (letter == "F" or is_row_variable(draft, name)):
            return RowValue(name, reference(letter, name), node.get("class") or STRING_CLASS)
    raise no_field(name)


def compared_field(draft: Draft, field: str, value: str, other: str | None) -> str | None:
    """Return the field that a comparison is with; None where it is with a constant.

    A value that is a reference, or a field's name where only numbers or dates can stand, means the field.
    """
    if other is not None:
        return other
    if (found := sole_reference(value, "FV")) is not None:
        return found[1]
    is_measured = row_value(draft, field).java_class in NUMBER_CLASSES | DATE_CLASSES
    return value if is_measured and draft.declared("field", value) is not None else None


def row_condition(draft: Draft, field: str, sign: Comparison, value: str, other: str | None) -> str:
    """Return a comparison of a row's value as a Java expression that is false for missing values.

    It is compared with the field `other`, else with `value`. Raises ``EditRefused`` if that is of another kind.
    """
    left = row_value(draft, field)
    against = compared_field(draft, field, value, other)
    if against is None:
        return _with_constant(left, sign, value)
    return _with_value(left, sign, row_value(draft, against))


def _with_value(left: RowValue, sign: Comparison, right: RowValue) -> str:
    present = f"{left.reference} != null && {right.reference} != null"
    classes = {left.java_class, right.java_class}
    if classes <= NUMBER_CLASSES:
        return f"{present} && {_decimal(left)}.compareTo({_decimal(right)}) {sign} 0"
    if classes <= DATE_CLASSES:
        return f"{present} && {left.reference}.getTime() {sign} {right.reference}.getTime()"
    if len(classes) == 1 and sign in ("==", "!="):
        negated = "!" if sign == "!=" else ""
        return f"{present} && {negated}{left.reference}.equals({right.reference})"
    raise _not_comparable(left, sign, right.name)


def _with_constant(left: RowValue, sign: Comparison, value: str) -> str:
    present = f"{left.reference} != null"
    if left.java_class in NUMBER_CLASSES and (number := parse_decimal(value)) is not None:
        return f'{present} && {_decimal(left)}.compareTo(new BigDecimal("{number:f}")) {sign} 0'
    if left.java_class in DATE_CLASSES and (comparable := _in_time(left.reference, value)) is not None:
        return f"{present} && {comparable[0]} {sign} {comparable[1]}"
    if sign in ("==", "!=") and left.java_class == BOOLEAN_CLASS:
        if (flag := _FLAGS.get(value.strip().lower())) is None:
            raise _not_comparable(left, sign, value)
        negated = "" if flag == (sign == "==") else "!"
        return f"{present} && {negated}{left.reference}.booleanValue()"
    if sign in ("==", "!=") and left.java_class not in NUMBER_CLASSES | DATE_CLASSES:
        negated = "!" if sign == "!=" else ""
        return f"{present} && {negated}{java_string(value)}.equals({left.reference}.toString())"
    raise _not_comparable(left, sign, value)


def _in_time(value: str, constant: str) -> tuple[str, str] | None:
    """Return what is compared of a date and of a constant: a day, a moment, or the time of day whatever the day is."""
    constant = constant.strip()
    if is_iso_date(constant):
        return f"{value}.getTime()", f'java.sql.Date.valueOf("{constant}").getTime()'
    if moment := _MOMENT.fullmatch(constant):
        time = _clock(moment[2])
        return (f"{value}.getTime()", f'java.sql.Timestamp.valueOf("{moment[1]} {time}").getTime()') if time else None
    if time := _clock(constant):
        return f'new java.text.SimpleDateFormat("HH:mm:ss").format({value}).compareTo("{time}")', "0"
    return None


def _clock(text: str) -> str | None:
    """Return a time of day as HH:mm:ss."""
    found = _TIME.fullmatch(text)
    return f"{int(found[1]):02}:{found[2]}:{found[3] or '00'}" if found else None


def _decimal(value: RowValue) -> str:
    is_decimal = value.java_class == "java.math.BigDecimal"
    return value.reference if is_decimal else f"new BigDecimal({value.reference}.toString())"


def _not_comparable(left: RowValue, sign: Comparison, value: str) -> EditRefused:
    simple = left.java_class.rpartition(".")[2]
    shown = value[:MAX_VALUE_CHARS]
    code = "edits.highlight.type"
    return EditRefused("class", Text.of(code, field=left.name, type=simple, comparison=sign, value=shown))
