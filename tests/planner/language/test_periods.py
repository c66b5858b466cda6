"""A period that a user names becomes a window of days: from its start up to, and without, its end."""

from __future__ import annotations

from datetime import date

import pytest

from bandsmith.services.planner.language.filling_sentences import read_source_filling
from bandsmith.services.planner.language.periods import read_period
from tests.each_case import each

TODAY = date(2026, 11, 22)


@each(
    "said, start, end, name",
    [
        ("2026-10", "2026-10-01", "2026-11-01", "2026-10"),
        ("2026-12", "2026-12-01", "2027-01-01", "2026-12"),
        ("2026年10月", "2026-10-01", "2026-11-01", "2026-10"),
        ("October 2026", "2026-10-01", "2026-11-01", "2026-10"),
        ("october", "2026-10-01", "2026-11-01", "2026-10"),
        ("December", "2025-12-01", "2026-01-01", "2025-12"),
        ("十月", "2026-10-01", "2026-11-01", "2026-10"),
        ("last month", "2026-10-01", "2026-11-01", "2026-10"),
        ("上个月", "2026-10-01", "2026-11-01", "2026-10"),
        ("2026", "2026-01-01", "2027-01-01", "2026"),
        ("去年", "2025-01-01", "2026-01-01", "2025"),
        ("Q3 2026", "2026-07-01", "2026-10-01", "2026-Q3"),
        ("2026-Q4", "2026-10-01", "2027-01-01", "2026-Q4"),
        ("2026年第三季度", "2026-07-01", "2026-10-01", "2026-Q3"),
        ("last quarter", "2026-07-01", "2026-10-01", "2026-Q3"),
        ("last week", "2026-11-09", "2026-11-16", "2026-W46"),
        ("2026-10-05", "2026-10-05", "2026-10-06", "2026-10-05"),
        ("yesterday", "2026-11-21", "2026-11-22", "2026-11-21"),
    ],
)
def test_a_period_has_a_start_and_an_end(said: str, start: str, end: str, name: str):
    period = read_period(said, TODAY)
    assert period is not None
    assert (period.start.isoformat(), period.end.isoformat(), period.name) == (start, end, name)


@pytest.mark.parametrize("said", ["Ada", "12", "2026-13", "2026-02-30", "", "many months", "'; DROP TABLE orders; --"])
def test_other_values_are_no_periods(said: str):
    assert read_period(said, TODAY) is None


@pytest.mark.parametrize(
    ("text", "source", "period"),
    [
        ("fill it for October", "", "October"),
        ("fill this from the shop database", "shop", ""),
        ("Please fill the report from the shop database for last month", "shop", "last month"),
        ("fill it from the database", "", ""),
        ("用shop数据库填充报表", "shop", ""),
        ("用数据库填十月的报表", "", "十月"),
        ("填上个月的数据", "", "上个月"),
        ("按十月填充", "", "十月"),
        ("再按2026年10月填充这份报表", "", "2026年10月"),
    ],
)
def test_a_sentence_fills_the_report_from_a_source(text: str, source: str, period: str):
    filling = read_source_filling(text, TODAY)
    assert filling is not None and (filling.source, filling.period) == (source, period)


@pytest.mark.parametrize(
    "text", ["fill it with this file", "fill the title with blue", "fill it for Ada", "填满一页", "按客户填充"]
)
def test_other_sentences_name_no_source(text: str):
    assert read_source_filling(text, TODAY) is None
