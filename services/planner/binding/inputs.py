"""The values that a user gives for a filling, as bound parameters of its queries: none becomes part of the SQL."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date
from typing import NamedTuple

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.binding import InputKind, QueryInput

from ..language.periods import Period, read_period

PERIOD = "period"
"""Name of the parameter for a period that the user names without one."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?")
"""What is passed as a number. A code such as 007, or a longer number, would lose digits, and stays a text."""


class Inputs(NamedTuple):
    """Bound parameters, and what the report itself prints of the user's values."""

    bound: list[QueryInput]
    printed: dict[str, str]
    """By parameter of the report."""


def read_inputs(values: Mapping[str, str], printed: Collection[str], today: date) -> Inputs:
    """Return the parameters; a value of a parameter that the report prints need not limit the rows, but a period does.

    Raises ``BadInput`` for a name that no query can have.
    """
    bound, own = [], {}
    for name, value in values.items():
        if not _NAME.fullmatch(name):
            raise BadInput.of("data.binding.input_name", code="parameter", name=name)
        period = read_period(value, today)
        if period is not None:
            bound += _window(name, period)
        if period is None or period.is_day:
            bound.append(_value(name, value, period, is_needed=name not in printed and period is None))
        if name in printed:
            own[name] = period.name if period else value
    return Inputs(bound, own)


def _window(name: str, period: Period) -> list[QueryInput]:
    first = QueryInput(name=f"{name}_start", kind="date", value=period.start.isoformat(), window=name, is_needed=True,
                       meaning=f"first day of {name} ({period.name})")  # fmt: skip
    after = QueryInput(name=f"{name}_end", kind="date", value=period.end.isoformat(), window=name, is_needed=True,
                       meaning=f"the day after the last day of {name} ({period.name})")  # fmt: skip
    return [first, after]


def _value(name: str, value: str, period: Period | None, *, is_needed: bool) -> QueryInput:
    if period is not None:
        return QueryInput(name=name, kind="date", value=period.name, meaning="a day")
    kind: InputKind = "number" if _NUMBER.fullmatch(value) else "text"
    return QueryInput(name=name, kind=kind, value=value, is_needed=is_needed, meaning=f"a {kind} that the user gives")
