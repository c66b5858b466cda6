"""The paper: its size, orientation and margins. What users say is in ``templates/*/spec_page.toml``."""

from __future__ import annotations

import re
from typing import Any

from bandsmith.shared.fonts import is_cjk

from ...numbers import number_of
from ...sentence_templates import Slots
from ..data_rows import is_data_row
from .base import Builder, SpecClauses

MIN_ROLL_MM, MAX_ROLL_MM = 40, 300
MAX_MARGIN_MM = 60
_PAPER_WORDS = re.compile("打印|打(?!折)|纸|幅面|页面|尺寸|大小|的")
"""What belongs to a size and is read with it."""
_ENTRY_END = re.compile(r"[、,;；:\n。]")
_MM = {"cm": 10.0, "厘米": 10.0, "公分": 10.0}
"""Millimetres in a unit; any other unit is a millimetre."""


def roll(clauses: SpecClauses, slots: Slots) -> str | None:
    """`80 mm roll paper`, `58mm小票打印机`."""
    width = _millimetres(slots)
    return _set(clauses, roll_mm=width) if MIN_ROLL_MM <= width <= MAX_ROLL_MM else None


def margins(clauses: SpecClauses, slots: Slots) -> str | None:
    width = _millimetres(slots)
    return _set(clauses, margin_mm=width) if width <= MAX_MARGIN_MM else None


def size(clauses: SpecClauses, slots: Slots) -> str | None:
    """`on A4 paper`, A5纸打印. The A4 of a name is none: `A4 paper 18.5 17.9` is a row, 部门、A4张数 are columns."""
    if _PAPER_WORDS.match(clauses.after) or _is_in_a_name(clauses):
        return None
    return _set(clauses, size=slots["size"] or slots["us_size"])


def landscape(clauses: SpecClauses, slots: Slots) -> str:
    return _set(clauses, orientation="landscape")


def portrait(clauses: SpecClauses, slots: Slots) -> str:
    return _set(clauses, orientation="portrait")


def _is_in_a_name(clauses: SpecClauses) -> bool:
    """Whether the words around a size are a row of values, or the name of one thing in a Chinese list."""
    before, after = _ENTRY_END.split(clauses.before)[-1], _ENTRY_END.split(clauses.after)[0]
    if is_data_row(f"{before}{clauses.phrase}{after}"):
        return True
    is_first, is_last = clauses.after[len(after) :].startswith("、"), clauses.before.endswith("、")
    goes_on = is_cjk(after[:1] or " ") or (is_first and not after)
    return not before.strip() and (is_first or is_last) and goes_on


def _millimetres(slots: Slots) -> int:
    return round((number_of(slots["number"]) or 0.0) * _MM.get(slots["unit"].casefold(), 1.0))


def _set(clauses: SpecClauses, **values: Any) -> str:
    clauses.paper = clauses.paper.model_copy(update=values)
    return " "


BUILDERS: tuple[Builder, ...] = (roll, margins, size, landscape, portrait)
