"""Sample values for a report without data: plausible, and always the same for the same spec."""

from __future__ import annotations

import random
import re
import tomllib
import zlib
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
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
_ENDINGS: dict[Language, dict[str, str]] = {
    language: {ending: name for name, endings in _FILE["endings"][language].items() for ending in endings}
    for language in ("en", "zh")
}
PRICE_FOR_ONE = "price_for_one"
"""What a price means where no column says of which thing."""
_PERSONS = frozenset(_FILE["person"]["labels"])

_NUMBERED_LABEL = re.compile(r"(?:\b(?:no|nr|number|code|id)\b\.?|#|编号|单号|编码|号码|号)$", re.IGNORECASE)
"""How a label ends whose values are numbers of documents or things."""
FIRST_DAY = datetime(2026, 3, 2)
_LATER_DATES = frozenset(
    {"due_date", "delivery_date", "end_date", "expiry_date", "check_out_date", "target_date", "required_date"}
)
"""Dates that come after the other dates of their row."""
_BACK = re.compile(r"\bback\b|\breturn|归还|返回", re.IGNORECASE)
_RANGE_OF_KIND: dict[Kind, list[float]] = {
    "money": [120, 2400, 5],
    "integer": [1, 40, 1],
    "number": [1, 60, 0.5],
    "percent": [0.05, 0.9, 0.05],
}


def around(names: Iterable[str], labels: Iterable[str]) -> set[str]:
    """Return the names that stand beside each other, and ``person`` where a label is that of people."""
    return {*names, *(["person"] if any("".join(label.casefold().split(" ")) in _PERSONS for label in labels) else [])}


def in_context(name: str, others: Container[str]) -> str:
    """Return what a name means beside other names: beside a quantity, a description is that of a product."""
    for context in _CONTEXTS:
        is_excluded = any(other in others for other in context.get("without", ()))
        is_beside = "beside" not in context or any(other in others for other in context["beside"])
        if context["name"] == name and is_beside and not is_excluded:
            return str(context["means"])
    return name


def rows_in_category(language: Language, count: int) -> list[int]:
    """Return rows whose products belong to the most common categories, one category after the other."""
    categories = _WORDS[language]["category"]
    common = [category for category, _ in Counter(categories).most_common(3)]
    return [row for category in common for row, one in enumerate(categories) if one == category][:count]


def sample(name: str, kind: Kind, label: str, language: Language, row: int) -> SampleValue:
    """Return a field's value in a row, counted from 0, as ``Data`` stores it."""
    if kind == "date":
        is_later = name in _LATER_DATES or _BACK.search(label)
        return (FIRST_DAY + timedelta(days=row * 3 + (14 if is_later else 0))).date().isoformat()
    if kind == "datetime":
        return _moment(name, row).isoformat()
    if kind == "tick":
        return None
    if kind == "flag":
        return (row + _seed(name)) % 3 != 0
    words = _WORDS[language]
    exact = _ENDINGS[language].get(label.casefold(), "") if kind == "text" else ""
    listed = (
        words.get(exact)
        or words.get(name)
        or words.get(_LIKE.get(name, ""))
        or words.get(_by_ending(name, label, kind, language))
    )
    if listed and _fits(listed[0], kind):
        return listed[row % len(listed)]
    if kind == "text":
        return _code(name, language, row) or _wording(label, language, row)
    meant = meaning(label)
    is_unknown = kind == "number" and not meant.known  # as likely counted as measured
    return _number(name, "integer" if is_unknown else kind, row, is_for_one=meant.known and not meant.adds_up)


def _by_ending(name: str, label: str, kind: Kind, language: Language) -> str:
    """Return the name whose values fit a label by its last characters, or its last words: persons for `signed by`."""
    if kind == "money" and name != PRICE_FOR_ONE:
        return "price" if re.match(r"price(?! per)|单价", label.casefold()) else ""
    if kind != "text":
        return ""
    endings, words = _ENDINGS[language], label.casefold().split()
    ends = (
        [" ".join(words[n:]) for n in range(len(words))] if language == "en" else [label[n:] for n in range(len(label))]
    )
    return next((endings[end] for end in ends if end in endings), "")


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


_PRINTED_PLACES: dict[Kind, int | None] = {"integer": None, "number": 1}
"""Decimals that a kind is printed with, so that made-up rows add up on the page; two for the others."""


def _number(name: str, kind: Kind, row: int, is_for_one: bool = False) -> int | float:
    known = _RANGES.get(name) or (_RANGES[PRICE_FOR_ONE] if kind == "money" and is_for_one else None)
    low, high, step = known if known and _fits(known[1], kind) else _RANGE_OF_KIND[kind]
    steps = round((high - low) / step)
    chosen = random.Random(_seed(f"{name}/{row}")).randint(0, steps)  # noqa: S311 - sample data
    return round(low + chosen * step, _PRINTED_PLACES.get(kind, 2))


def _seed(text: str) -> int:
    return zlib.crc32(text.encode())
