"""The paper: its size, orientation and margins. What users say is in ``templates/*/spec_page.toml``."""

from __future__ import annotations

import re
from typing import Any

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.model.spec import Paper

from ...numbers import number_of
from ...sentence_templates import Slots
from ..data_rows import is_data_row
from .base import Builder, SpecClauses

MIN_ROLL_MM, MAX_ROLL_MM = 40, 300
MAX_MARGIN_MM = 60
MIN_SHEET_MM, MAX_SHEET_MM = 50, 600
_TIMES = re.compile(r"\d\s*(?:mm|cm|毫米|厘米)?\s*(?:[x×*]|by)\s*$", re.IGNORECASE)
_ENTRY_MARK = re.compile("[,;:、]")
_SAYS_PAPER = re.compile(
    r"\b(?:on|paper|pages?|sheets?|labels?|cards?|print)\b|纸|页面|标签|卡片|打印|^\s*(?:用|使用)", re.IGNORECASE
)
_ISO_NAMES = frozenset({"a2", "a6", "a7", "b4", "b5", "b6"})
_LIES = re.compile(r"\s*(?:in |的)?(?:landscape|portrait|[横竖纵])", re.IGNORECASE)
"""What behind a size says that it is one of paper: which way it lies."""
_ISO = re.compile(r"(?<![A-Za-z0-9])[ab][24567](?![A-Za-z0-9])", re.IGNORECASE)
_NO_PAPER = re.compile(r"[车型系号区座栋班款级维类室柜架口楼仓库线段层]")
"""What a Chinese word begins with behind a letter and a number that are no paper: A6车型, B5栋."""
_MARKS = (",", ";", ":", "(", ".", "-", "—", "、", "")
"""What stands before a size that is an entry of its own."""
_PAPER_WORDS = re.compile("打印|打(?!折)|纸|幅面|页面|尺寸|大小|的")
"""What belongs to a size and is read with it."""
_ENTRY_END = re.compile(r"[、,;；:\n。]")
_MM = {"cm": 10.0, "厘米": 10.0, "公分": 10.0}
"""Millimetres in a unit; any other unit is a millimetre."""


def roll(clauses: SpecClauses, slots: Slots) -> str | None:
    """`80 mm roll paper`, `58mm小票打印机`."""
    width = _millimetres(slots)
    if _TIMES.search(clauses.before):
        return None  # the height of a page: 100 x 50 mm
    return _set(clauses, roll_mm=width) if MIN_ROLL_MM <= width <= MAX_ROLL_MM else None


def margins(clauses: SpecClauses, slots: Slots) -> str | None:
    width = _millimetres(slots)
    return _set(clauses, margin_mm=width) if width <= MAX_MARGIN_MM else None


def size(clauses: SpecClauses, slots: Slots) -> str | None:
    """`on A4 paper`, A5纸打印. The A4 of a name is none: `A4 paper 18.5 17.9` is a row, 部门、A4张数 are columns."""
    if _PAPER_WORDS.match(clauses.after) or _is_in_a_name(clauses):
        return None
    return _set(clauses, size=slots["size"] or slots["us_size"])


def iso_size(clauses: SpecClauses, slots: Slots) -> str | None:
    """`on A6`, `B5 paper`, `label list, A6`. A6 without a word or a mark beside it may be anything: a car, a seat."""
    before = clauses.before.rstrip()[-1:]
    is_bare = clauses.phrase.strip().casefold() in _ISO_NAMES and not _LIES.match(clauses.after)
    if is_bare and (_NO_PAPER.match(clauses.after) or len(_ISO.findall(clauses.before + clauses.after)) > 0):
        return None
    if _PAPER_WORDS.match(clauses.after) or _is_in_a_name(clauses) or (is_bare and before not in _MARKS):
        return None
    width, height = slots["iso_size"].split("x")
    return _set(clauses, width_mm=int(width), height_mm=int(height))


def sheet(clauses: SpecClauses, slots: Slots) -> str | None:
    """`on 241 x 140 mm paper`: a page of another size, as it is read."""
    is_named_first = not _ENTRY_MARK.search(clauses.before)
    if not (is_named_first or _SAYS_PAPER.search(clauses.phrase)):
        return None  # a column: “size 100 x 50 mm”
    unit = _MM.get(slots["unit"].casefold(), 1.0)
    width, height = (round((number_of(slots[name]) or 0.0) * unit) for name in ("number", "height"))
    is_page = all(MIN_SHEET_MM <= length <= MAX_SHEET_MM for length in (width, height))
    return _set(clauses, width_mm=width, height_mm=height) if is_page else None


def landscape(clauses: SpecClauses, slots: Slots) -> str:
    return _set(clauses, orientation="landscape")


def portrait(clauses: SpecClauses, slots: Slots) -> str:
    return _set(clauses, orientation="portrait")


def turned(paper: Paper) -> Paper:
    """Return paper of another size as it lies where the request says how: the longer side across or down."""
    if not (paper.width_mm and paper.height_mm) or paper.orientation == "auto":
        return paper
    short, long = sorted((paper.width_mm, paper.height_mm))
    width, height = (long, short) if paper.orientation == "landscape" else (short, long)
    return paper.model_copy(update={"width_mm": width, "height_mm": height})


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


BUILDERS: tuple[Builder, ...] = (sheet, roll, margins, size, iso_size, landscape, portrait)
