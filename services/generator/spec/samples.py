"""Sample values for a report without data: plausible, and always the same for the same spec."""

from __future__ import annotations

import random
import re
import tomllib
import zlib
from collections.abc import Container, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import reduce
from pathlib import Path
from typing import Any

from bandsmith.shared.fields.column_kinds import CLOCK, meaning
from bandsmith.shared.language import Language
from bandsmith.shared.model.spec import Kind

SampleValue = str | int | float | bool | None

_FILE = tomllib.loads(Path(__file__).with_name("samples.toml").read_text(encoding="utf-8"))
_WORDS: dict[Language, dict[str, list[str | float]]] = {"en": _FILE["en"], "zh": _FILE["zh"]}
_LIKE: dict[str, str] = _FILE["like"]
_CODES: dict[str, list[str]] = _FILE["code"]
_RANGES: dict[str, list[float]] = _FILE["range"]
_SUMS: dict[str, list[list[str]]] = _FILE["sums"]

_CONTEXTS: list[dict[str, Any]] = _FILE["context"]

_NUMBERED_LABEL = re.compile(r"(?:\b(?:no|nr|number|code|id)\b\.?|#|编号|单号|编码|号码|号)$", re.IGNORECASE)
"""How a label ends whose values are numbers of documents or things."""
FIRST_DAY = datetime(2026, 3, 2)
_LATER_DATES = frozenset(
    {"due_date", "delivery_date", "end_date", "expiry_date", "check_out_date", "target_date", "required_date"}
)
"""Dates that come after the other dates of their row."""
_RANGE_OF_KIND: dict[Kind, list[float]] = {
    "money": [120, 2400, 5],
    "integer": [1, 40, 1],
    "number": [1, 60, 0.5],
    "percent": [0.05, 0.9, 0.05],
}


def in_context(name: str, others: Container[str]) -> str:
    """Return what a name means beside other names: beside a quantity, a description is that of a product."""
    for context in _CONTEXTS:
        if context["name"] == name and any(other in others for other in context["beside"]):
            return str(context["means"])
    return name


def sample(name: str, kind: Kind, label: str, language: Language, row: int) -> SampleValue:
    """Return a field's value in a row, counted from 0, as ``Data`` stores it."""
    if kind == "date":
        return (FIRST_DAY + timedelta(days=row * 3 + (14 if name in _LATER_DATES else 0))).date().isoformat()
    if kind == "datetime":
        return _moment(name, row).isoformat()
    if kind == "tick":
        return None
    if kind == "flag":
        return (row + _seed(name)) % 3 != 0
    listed = _WORDS[language].get(name) or _WORDS[language].get(_LIKE.get(name, ""))
    if listed and _fits(listed[0], kind):
        return listed[row % len(listed)]
    if kind == "text":
        return _code(name, language, row) or _wording(label, language, row)
    is_unknown = kind == "number" and not meaning(label).known  # as likely counted as measured
    return _number(name, "integer" if is_unknown else kind, row)


def _fits(value: str | float, kind: Kind) -> bool:
    """Whether a value that is known by a field's name may be one of its kind: a rate in percent is no price."""
    if isinstance(value, str):
        return kind == "text"
    return kind != "text" and (kind != "percent" or value <= 1)


def with_derived_values(values: Mapping[str, SampleValue]) -> dict[str, SampleValue]:
    """Return a row's values with consistent derived ones: an amount is quantity times price."""
    derived = dict(values)
    for name, formulas in _SUMS.items():
        formula = next((each for each in formulas if all(_is_known(operand, values) for operand in each[1:])), None)
        if formula and name in values:
            derived[name] = calculate(formula[0], [_operand(operand, derived) for operand in formula[1:]])
    return derived


def calculate(operator: str, operands: Sequence[Decimal]) -> int | float:
    """Apply an operator to numbers, rounded to two decimals. Division by zero gives zero."""
    result = reduce(lambda a, b: _apply(operator, a, b), operands)
    is_whole = all(number == number.to_integral_value() for number in (result, *operands))
    return int(result) if is_whole else float(result.quantize(Decimal("0.01"), ROUND_HALF_UP))


def _apply(operator: str, a: Decimal, b: Decimal) -> Decimal:
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
    return a / b if b else Decimal(0)


def _is_known(operand: str, values: Mapping[str, SampleValue]) -> bool:
    return operand.lstrip("-") in values or operand.isdigit()


def _operand(operand: str, values: Mapping[str, SampleValue]) -> Decimal:
    if operand.isdigit():
        return Decimal(operand)
    value = Decimal(str(values[operand.lstrip("-")] or 0))
    return -value if operand.startswith("-") else value


def _moment(name: str, row: int) -> datetime:
    if name in CLOCK:
        hour = 17 if "out" in name else 8
        return datetime(1970, 1, 1, hour, 30 + (row * 7 + _seed(name)) % 29)
    return FIRST_DAY + timedelta(days=row, hours=9 + row % 8, minutes=row * 13 % 60)


def _code(name: str, language: Language, row: int) -> str | None:
    """Return a document's number; its last digits count up with the rows."""
    codes = _CODES.get(name)
    if codes is None:
        return None
    first = codes[language == "zh"]
    head = first.rstrip("0123456789")
    digits = first[len(head) :]
    return f"{head}{int(digits) + row:0{len(digits)}d}"


def _wording(label: str, language: Language, row: int) -> str:
    if found := _NUMBERED_LABEL.search(label):
        initials = "".join(word[0] for word in label[: found.start()].split() if word[0].isascii()).upper() or "N"
        return f"{initials}-{1001 + row}"
    letter = "ABCDEFGHIJKL"[row % 12]
    return f"{label[:8]}{letter}" if language == "zh" else f"{label[:16].capitalize()} {letter}"


def _number(name: str, kind: Kind, row: int) -> int | float:
    known = _RANGES.get(name)
    low, high, step = known if known and _fits(known[1], kind) else _RANGE_OF_KIND[kind]
    steps = round((high - low) / step)
    chosen = random.Random(_seed(f"{name}/{row}")).randint(0, steps)  # noqa: S311 - sample data
    value = low + chosen * step
    return round(value) if kind == "integer" else round(value, 2)


def _seed(text: str) -> int:
    return zlib.crc32(text.encode())
