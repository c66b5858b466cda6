"""Write comparisons of a row's value as Java conditions."""

from __future__ import annotations

from typing import Literal

from ..replies import Text
from .declarations import DATE_CLASSES, NUMBER_CLASSES
from .java_literals import is_iso_date, java_string, parse_decimal
from .refusals import MAX_VALUE_CHARS, EditRefused

Comparison = Literal[">", ">=", "<", "<=", "==", "!="]
COMPARISON_SIGNS = {"==": "=", "!=": "≠", ">=": "≥", "<=": "≤", ">": ">", "<": "<"}


def comparison(field: str, reference: str, java_class: str, sign: Comparison, value: str) -> str:
    """Return a comparison as a Java expression that is false for missing values.

    `reference` is an expression of the field's value. Raises ``EditRefused`` if the value is of another kind.
    """
    if java_class in NUMBER_CLASSES and (number := parse_decimal(value)) is not None:
        exact = reference if java_class == "java.math.BigDecimal" else f"new BigDecimal({reference}.toString())"
        return f'{reference} != null && {exact}.compareTo(new BigDecimal("{number:f}")) {sign} 0'
    if java_class in DATE_CLASSES and is_iso_date(value):
        day = f'java.sql.Date.valueOf("{value.strip()}").getTime()'
        return f"{reference} != null && {reference}.getTime() {sign} {day}"
    if sign in ("==", "!=") and java_class not in NUMBER_CLASSES | DATE_CLASSES:
        negated = "!" if sign == "!=" else ""
        return f"{reference} != null && {negated}{java_string(value)}.equals({reference}.toString())"
    simple = java_class.rpartition(".")[2]
    shown = value[:MAX_VALUE_CHARS]
    raise EditRefused("class", Text.of("edits.highlight.type", field=field, type=simple, comparison=sign, value=shown))
