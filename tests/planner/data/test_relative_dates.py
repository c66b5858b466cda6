"""Dates that depend on the day become absolute; what is said of the source's own time stays."""

from __future__ import annotations

from datetime import date

import pytest

from bandsmith.services.planner.data.relative_dates import with_absolute_dates

TODAY = date(2026, 11, 27)


@pytest.mark.parametrize(
    ("question", "absolute"),
    [
        ("How many orders were there last month?", "How many orders were there in October 2026?"),
        ("Orders of this year by city", "Orders of 2026 by city"),
        ("What was sold last quarter?", "What was sold in Q3 2026?"),
        ("Did this year's sales exceed last year's?", "Did 2026's sales exceed 2025's?"),
        ("What was ordered yesterday?", "What was ordered on 2026-11-26?"),
        ("Which orders came last week?", "Which orders came from 2026-11-16 to 2026-11-22?"),
        ("上个月有多少订单？", "2026年10月有多少订单？"),
        ("今年和去年的销售额", "2026年和2025年的销售额"),
        ("昨天的订单", "2026年11月26日的订单"),
        ("上季度卖了什么？", "2026年第3季度卖了什么？"),
        ("上周的订单", "2026-11-16到2026-11-22的订单"),
    ],
)
def test_words_for_a_period_become_its_date(question: str, absolute: str):
    assert with_absolute_dates(question, TODAY) == absolute


@pytest.mark.parametrize(
    "question",
    [
        "Which month sold more than the month before?",
        "Which five customers bought most in March 2026?",
        "What is the last name of each employee?",
        "Sales of the last year in the table",
        "Students in their last year",
        "How many were sold in the last 30 days?",
        "每个月的订单",
        "比上一笔多的订单",
        "本月底到期的账单",
    ],
)
def test_what_is_no_date_by_today_stays_as_it_is(question: str):
    assert with_absolute_dates(question, TODAY) == question


def test_the_first_month_of_a_year_follows_the_last_of_the_year_before():
    assert with_absolute_dates("sales in last month", date(2026, 1, 3)) == "sales in December 2025"
