"""Figures in a text by reference: ``{{step.column}}``, ``{{step.column[3]}}``, ``{{step.column.sum}}``.

A text of a model names figures by these references only. The program replaces them by values of the results, so that a
figure that no query gave cannot stand in a report. ``[n]`` counts rows from 1; a result of one row needs none.
"""

from __future__ import annotations

import datetime
import decimal
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow
import pyarrow.compute

Results = Mapping[str, pyarrow.Table]
"""The rows of each step that was answered, by its name."""

MAX_PLAIN_NUMBER = 10_000
"""Whole numbers below this get no thousands separators: they may be years."""
DECIMALS = 2
SMALL_DIGITS = 3
"""Significant digits of a figure below 1."""
_REFERENCE = re.compile(r"\{\{\s*(?P<step>[a-z][a-z0-9_]*)\s*\.(?P<column>[^{}\[\]]+?)(?:\[(?P<row>\d+)\])?"
                        r"(?:\.(?P<total>sum|max|min|mean))?\s*\}\}")  # fmt: skip
_BRACES = re.compile(r"\{\{.{,500}?\}\}", re.DOTALL)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_WORDS = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|"
    r"billion|dozen|half|twice|double[ds]?|triple[ds]?|thirds?|quarters?)\b|百分之|一半|翻番|翻倍|"
    r"[一二两三四五六七八九十百千]{1,20}(?:倍|成(?!为|本|功|长|立|交|果|绩)|万|亿|元|个百分点)",
    re.IGNORECASE,
)
"""Words for quantities. A number below them is not found: "one" and 一 have other meanings."""


class BadReference(ValueError):
    """A reference to no figure; the message says why, for a model."""


def faults(text: str, results: Results, allowed: str) -> Iterator[str]:
    """Yield what is wrong with a model's text: references to nothing, and figures of its own.

    `allowed` is the question with its steps: the numbers that it names are no figures of the model.
    """
    for reference in _BRACES.findall(text):
        try:
            _figure(reference, results)
        except BadReference as error:
            yield f"{reference}: {error}"
    words = _BRACES.sub(" ", text)
    known = set(_DIGITS.findall(allowed)) | {word.casefold() for word in _WORDS.findall(allowed)}
    for found in [*_DIGITS.findall(words), *_WORDS.findall(words)]:
        if found.casefold() not in known:
            yield f"“{found}” is a figure of your own; refer to one of a result as {{{{step.column}}}}, or leave it out"


def with_figures(text: str, results: Results) -> str:
    """Return the text with its figures. Raises ``BadReference``."""
    return _BRACES.sub(lambda match: _figure(match[0], results), text)


def shown(value: object) -> str:
    """Return a value as a report prints it."""
    match value:
        case None:
            return "–"
        case bool():
            return "✓" if value else "✗"
        case int():
            return str(value) if abs(value) < MAX_PLAIN_NUMBER else f"{value:,}"
        case float() | decimal.Decimal():
            return _decimal(value)
        case datetime.datetime() if value.time() == datetime.time():
            return value.date().isoformat()
    return str(value)


def _decimal(value: float | decimal.Decimal) -> str:
    if not math.isfinite(value):
        return "–"
    if value != 0 and -1 < value < 1:  # a share or a rate: 0.0043 is not 0.00
        return format(decimal.Decimal(f"{value:.{SMALL_DIGITS}g}"), "f")
    rounded = f"{value:,.{DECIMALS}f}"
    return rounded.removesuffix("." + "0" * DECIMALS) if value == int(value) else rounded


def is_number(column: pyarrow.ChunkedArray) -> bool:
    kind = column.type
    return bool(pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind) or pyarrow.types.is_decimal(kind))


def column_of(table: pyarrow.Table, name: str) -> pyarrow.ChunkedArray | None:
    """Return the column of that name, without regard to case; None if there is none."""
    found = next((one for one in table.column_names if one.casefold() == name.strip().casefold()), None)
    return None if found is None else table.column(found)


def _figure(reference: str, results: Results) -> str:
    parts = _REFERENCE.fullmatch(reference)
    if parts is None:
        raise BadReference("a reference is {{step.column}}, {{step.column[1]}}, {{step.column.sum}} or {{step.rows}}")
    table = results.get(parts["step"])
    if table is None:
        raise BadReference(f"there is no result {parts['step']}; the results are {', '.join(results)}")
    column = column_of(table, parts["column"])
    if column is None and parts["column"] == "rows" and not parts["row"] and not parts["total"]:
        return shown(table.num_rows)
    if column is None:
        raise BadReference(f"{parts['step']} has the columns {', '.join(table.column_names)}")
    return shown(_total(column, parts["total"]) if parts["total"] else _value(column, parts["row"]))


def _value(column: pyarrow.ChunkedArray, row: str | None) -> Any:
    if row is None and len(column) != 1:
        raise BadReference(f"the result has {len(column)} rows: name one as [1], or write .sum, .max, .min or .mean")
    number = int(row or 1)
    if not 1 <= number <= len(column):
        raise BadReference(f"the result has {len(column)} rows")
    return column[number - 1].as_py()


def _total(column: pyarrow.ChunkedArray, name: str) -> Any:
    if not len(column) or (name in ("sum", "mean") and not is_number(column)):
        raise BadReference(f"the column has no {name}")
    return getattr(pyarrow.compute, name)(column).as_py()
