"""Sample data for a template that has none: values that suit each field's name and class and fit its element."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any, TypeVar

from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.expressions import referenced_names, sole_reference
from bandsmith.shared.jrxml.template import Template, TemplateElement
from bandsmith.shared.model.plan import Data

from . import text_fit

SAMPLE_ROWS = 3

_FIRST_DAY = dt.datetime(2026, 1, 15, 9, 30)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_DATE_NAME = re.compile(r"date|day|日期|时间|\btime", re.IGNORECASE)
_PASSED_TO = re.compile(r"(?<![\w.])([\w.]+)\(\s*\$([FP])\{([^{}]+)\}")
_PARSERS = ("Double", "Integer", "Long", "Float", "Short", "BigDecimal", "BigInteger")
_WHITE_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg=="
_WHOLE_NUMBERS = ("Integer", "Long", "Short", "Byte", "BigInteger")
_DECIMALS = ("Double", "Float", "BigDecimal", "Number")
_DATES = ("Date", "Timestamp", "Time", "LocalDate", "LocalDateTime")

T = TypeVar("T")
Sample = str | int | float | bool | None


def data_for(template: Template) -> Data:
    """Return values for the parameters without a default, and three rows of values for the fields.

    A field that rows are grouped by has the same value in the first two rows.
    """
    elements, parsers = _narrowest_elements(template), _parsers(template)

    def sample(letter: str, name: str, node: Any, row: int) -> Sample:
        key = letter, name
        kind = node.get("class", "java.lang.String").rpartition(".")[2]
        if kind == "String" and key in parsers:
            return _as_text(parsers[key], row)
        return _sample(template, name, kind, elements.get(key), row)

    parameters = {
        name: sample("P", name, node, 0)
        for name, node in template.declared("parameter").items()
        if node.find(f"{J}defaultValueExpression") is None
    }
    grouped = {
        name
        for node in template.root.iterfind(f"{J}group/{J}groupExpression")
        for name in referenced_names(node.text or "", "F")
    }
    rows = [
        {
            name: sample("F", name, node, max(1, row - 1) if name in grouped else row)
            for name, node in template.declared("field").items()
        }
        for row in range(1, SAMPLE_ROWS + 1)
    ]
    return Data(
        parameters={name: value for name, value in parameters.items() if value is not None},
        rows=rows if rows[0] else [],
    )


def _narrowest_elements(template: Template) -> dict[tuple[str, str], TemplateElement]:
    """By letter and name, the narrowest text field that prints only that field or parameter."""
    found: dict[tuple[str, str], TemplateElement] = {}
    for element in template.elements:
        expression = element.node.findtext(f"{J}textFieldExpression") or ""
        at = sole_reference(expression, "FP")
        if at and (at not in found or element.width < found[at].width):
            found[at] = element
    return found


def _parsers(template: Template) -> dict[tuple[str, str], str]:
    """By letter and name, the method or class that an expression passes a value to, such as ``Double.parseDouble``."""
    return {
        (letter, name): how
        for _, expression in template.expressions
        for how, letter, name in _PASSED_TO.findall(expression)
        if how.endswith(("parse", "decode")) or any(parser in how for parser in _PARSERS)
    }


def _as_text(how: str, row: int) -> str:
    if how.endswith("decode"):
        return _WHITE_PIXEL
    if not how.endswith("parse"):
        return str(max(1, row))
    day = _FIRST_DAY + dt.timedelta(days=row)
    return day.isoformat() if "DateTime" in how else day.date().isoformat()


def _sample(template: Template, name: str, kind: str, element: TemplateElement | None, row: int) -> Sample:
    number = max(1, row)
    if kind == "Boolean":
        return number % 2 == 1
    if kind in _DATES:
        day = _FIRST_DAY + dt.timedelta(days=number)
        return day.date().isoformat() if kind in ("Date", "LocalDate") else day.isoformat()
    if kind in _WHOLE_NUMBERS:
        return number
    if kind in _DECIMALS:
        amounts = [1234.5 * number, 12.5 * number, number]
        return _fitting(template, element, amounts, lambda amount: f"{amount:,.2f}")
    if kind in ("String", "Object", "CharSequence", "Comparable"):
        return _fitting(template, element, _wordings(name, row), str)
    return None


def _wordings(name: str, row: int) -> list[str]:
    """Sample texts from the longest to the shortest: ``Customer name 1``, ``Name 1``, ``Cus1``, ``1``."""
    if _DATE_NAME.search(name):
        return [(_FIRST_DAY + dt.timedelta(days=row)).date().isoformat(), str(max(1, row))]
    words = _WORD.findall(name.lower() if name.isupper() else name) or [name]
    number = f" {row}" if row else ""
    whole = " ".join([words[0][:1].upper() + words[0][1:], *(word.lower() for word in words[1:])])
    return [
        whole + number,
        words[-1].capitalize() + number,
        f"{words[0][:3].capitalize()}{row or ''}",
        str(max(1, row)),
    ]


def _fitting(template: Template, element: TemplateElement | None, values: list[T], text: Callable[[T], str]) -> T:
    """Return the first value that fits the element; the last one where none does."""
    if element is None or not text_fit.is_measurable(element):
        return values[0]
    return next((value for value in values[:-1] if text_fit.fits(template, element, text(value))), values[-1])
