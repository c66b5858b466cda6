"""What the texts of a report print, also where it is computed: sums, taxes and totals of them."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

from bandsmith.shared.jrxml.expressions import ROUNDING, reference, reference_pattern, sole_reference, without_guard

from ..language.view_elements import ViewElement
from .report import OwnReport
from .row_table import exactly

_VARIABLE = reference_pattern("V", r"(\w+)")
_OPERAND = rf"(?:{_VARIABLE}|new BigDecimal\(\"(\d+(?:\.\d+)?)\"\))"
_FIRST = re.compile(_VARIABLE)
_STEP = re.compile(rf"\.(multiply|add|subtract)\({_OPERAND}\)|{ROUNDING}")
_MAX_DEPTH = 5


def printed_text(report: OwnReport, piece: ViewElement) -> str:
    """Return what a text prints once, as an answer shows it; empty where it prints nothing or that is not known."""
    number = printed_number(report, piece)
    if number is not None:
        return exactly(number)
    printed = report.view.printed(piece)
    return re.sub(r"T00:00(?::00)?$", "", printed.replace("\n", " "))


def printed_number(report: OwnReport, piece: ViewElement) -> Decimal | None:
    """Return the number that a text prints once: a parameter, or what a variable computes of all rows."""
    if piece.words or len(piece.references) != 1:
        return None
    scope, name = piece.references[0]
    if scope == "V" and piece.expression == reference("V", name):
        return _variable(report, name, 0)
    return next((Decimal(str(number)) for number in report.view.numbers(piece)), None)


def _variable(report: OwnReport, name: str, depth: int) -> Decimal | None:
    node = next((one for one in report.view.root.iterchildren("{*}variable") if one.get("name") == name), None)
    if node is None or node.get("resetGroup") or depth > _MAX_DEPTH:
        return None
    expression = (node.findtext("{*}variableExpression") or "").strip()
    if node.get("calculation") == "Sum":
        summed = sole_reference(expression, "FV")
        values = report.values(summed[1]) if summed else []
        return sum(values, Decimal()) if values and len(values) == len(report.data.rows) else None
    if node.get("calculation") not in (None, "Nothing"):
        return None
    return _chain(report, without_guard(expression, "VF"), depth)


def _chain(report: OwnReport, expression: str, depth: int) -> Decimal | None:
    """Return what a variable computes from others: a product, sums and roundings, one after the other."""
    first = _FIRST.match(expression)
    result = _variable(report, first[1], depth + 1) if first else None
    at = first.end() if first else 0
    while result is not None and at < len(expression):
        step = _STEP.match(expression, at)
        if step is None:
            return None
        result, at = _after_step(report, result, step, depth), step.end()
    return result


def _after_step(report: OwnReport, number: Decimal, step: re.Match[str], depth: int) -> Decimal | None:
    name, variable, constant, digits = step.groups()
    if digits is not None:
        return number.quantize(Decimal(1).scaleb(-int(digits)), ROUND_HALF_UP)
    other = _variable(report, variable, depth + 1) if variable else Decimal(constant)
    if other is None:
        return None
    if name == "multiply":
        return number * other
    return number + other if name == "add" else number - other
