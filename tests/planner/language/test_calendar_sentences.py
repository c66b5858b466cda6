"""Questions about the calendar, in plain words: which days they name, and what is no such question."""

from __future__ import annotations

from datetime import date

import pytest

from bandsmith.services.planner.language.calendar_sentences import read_calendar_question
from tests.each_case import each

FRIDAY = date(2026, 11, 27)
"""Today."""


def asked(text: str) -> str:
    """Return the days of a question, what part of them, and whether entries are listed; empty for no question."""
    found = read_calendar_question(text, FRIDAY)
    if found is None:
        return ""
    days = found.days
    until = f"..{days.last:%m-%d}" if days.last != days.first else ""
    return f"{'what' if found.lists_entries else 'free'} {days.first:%m-%d}{until} {days.part}".strip()


@each(
    "text, meant",
    [
        ("what do I have on Friday?", "what 11-27"),
        ("What do I have planned for next week?", "what 11-30..12-06"),
        ("please tell me what's in my calendar tomorrow", ""),
        ("what's in my calendar tomorrow?", "what 11-28"),
        ("what is on Friday?", "what 11-27"),
        ("what's on on Tuesday afternoon?", "what 12-01 afternoon"),
        ("how full is next week?", "free 11-30..12-06"),
        ("How busy am I on Tuesday afternoon?", "free 12-01 afternoon"),
        ("am I free on Monday morning?", "free 11-30 morning"),
        ("do I have anything on 3 December?", "what 12-03"),
        ("what do I have on Friday, December 4?", ""),
        ("what do I have on Friday December 4?", "what 12-04"),
        ("what do I have on Monday December 4?", ""),
        ("what do I have tonight?", "what 11-27 evening"),
        ("when am I free next Wednesday?", "free 12-02"),
        ("do I have anything on 31 February?", ""),
        ("我周五有什么安排？", "what 11-27"),
        ("下周忙不忙？", "free 11-30..12-06"),
        ("下周三上午有空吗？", "free 12-02 morning"),
        ("12月3号有什么安排", "what 12-03"),
        ("今晚我有什么安排", "what 11-27 evening"),
        ("看看这周末的日程", "what 11-28..11-29"),
    ],
)
def test_a_question_about_the_calendar_names_its_days(text: str, meant: str):
    assert asked(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "what do I have to change to get a total?",
        "how full is the page?",
        "what is on page 2?",
        "what is on the report?",
        "is the report free of errors?",
        "what do I have on Friday, and move it to Monday",
        "put the dentist into my calendar on Friday",
        "what did we sell on Friday?",
        "周五卖了多少？",
        "把周五的会改到下周",
    ],
)
def test_anything_else_is_no_question_about_the_calendar(text: str):
    assert asked(text) == ""
