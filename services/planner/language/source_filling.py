"""The sentence that asks to fill the report from a source of data: "fill it for October", 用数据库填报表."""

from __future__ import annotations

from datetime import date
from typing import get_args

from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.session import Format

from .change.clauses import without_politeness
from .periods import read_period
from .sentence_templates import matches

SUBJECT, RULE = "filling", "fill_from_source"
MAX_SENTENCE_CHARS = 300
_FORMATS: tuple[Format, ...] = get_args(Format)


def read_source_filling(text: str, today: date) -> Filling | None:
    """Return the source and the period of a sentence that asks to fill the report from a source of data."""
    sentence = without_politeness(text)
    for slots in matches(SUBJECT, RULE, sentence) if len(sentence) <= MAX_SENTENCE_CHARS else ():
        period, source = slots["period"] or "", slots["source"] or ""
        if period and read_period(period, today) is None:
            continue
        formats = [form for form in _FORMATS if form in (slots["format"], slots["other_format"])]
        return Filling(formats=formats, source=source, period=period, review=True)
    return None
