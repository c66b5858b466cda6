"""The paper: its size, orientation and margins. What users say is in ``templates/*/spec_page.toml``."""

from __future__ import annotations

from typing import Any

from ...numbers import number_of
from ...sentence_templates import Slots
from .base import Builder, SpecClauses

MIN_ROLL_MM, MAX_ROLL_MM = 40, 300
MAX_MARGIN_MM = 60
_MM = {"cm": 10.0, "厘米": 10.0, "公分": 10.0}
"""Millimetres in a unit; any other unit is a millimetre."""


def roll(clauses: SpecClauses, slots: Slots) -> str | None:
    """`80 mm roll paper`, `58mm小票打印机`."""
    width = _millimetres(slots)
    return _set(clauses, roll_mm=width) if MIN_ROLL_MM <= width <= MAX_ROLL_MM else None


def margins(clauses: SpecClauses, slots: Slots) -> str | None:
    width = _millimetres(slots)
    return _set(clauses, margin_mm=width) if width <= MAX_MARGIN_MM else None


def size(clauses: SpecClauses, slots: Slots) -> str:
    return _set(clauses, size=slots["size"] or slots["us_size"])


def landscape(clauses: SpecClauses, slots: Slots) -> str:
    return _set(clauses, orientation="landscape")


def portrait(clauses: SpecClauses, slots: Slots) -> str:
    return _set(clauses, orientation="portrait")


def _millimetres(slots: Slots) -> int:
    return round((number_of(slots["number"]) or 0.0) * _MM.get(slots["unit"].casefold(), 1.0))


def _set(clauses: SpecClauses, **values: Any) -> str:
    clauses.paper = clauses.paper.model_copy(update=values)
    return " "


BUILDERS: tuple[Builder, ...] = (roll, margins, size, landscape, portrait)
