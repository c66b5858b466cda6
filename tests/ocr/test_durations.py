"""Spans of time in cells are printed as a spreadsheet program shows them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bandsmith.services.ocr.documents.durations import format_duration


@pytest.mark.parametrize(
    ("hours", "code", "text"),
    [
        (1.5, "[h]:mm", "1:30"),
        (26, "[h]:mm:ss", "26:00:00"),
        (26, "[h]", "26"),
        (1.5, "[mm]:ss", "90:00"),
        (0.02, "[ss]", "72"),
        (-2.5, "[h]:mm", "-2:30"),
        (30.25, "General", "30:15:00"),
    ],
)
def test_a_unit_in_brackets_counts_on(hours: float, code: str, text: str):
    assert format_duration(timedelta(hours=hours), code) == text


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ('[hh]:mm" hours"', "08:15 hours"),
        ('[h]:mm" hrs"', "8:15 hrs"),
        ('[h]"小时"mm"分"', "8小时15分"),
        (r"[h]\h mm\m", "8h 15m"),
        ('[Red][h]:mm;"-"', "8:15"),
    ],
)
def test_wording_within_a_format_is_printed_and_says_nothing_of_the_units(code: str, text: str):
    assert format_duration(timedelta(hours=8, minutes=15), code) == text


@pytest.mark.parametrize(
    ("code", "text"), [("[m]:ss.00", "1:35.26"), ("[m]:ss", "1:35"), ("[h]:mm", "0:01"), ("[s].0", "95.3")]
)
def test_units_that_a_format_does_not_show_are_cut_off(code: str, text: str):
    assert format_duration(timedelta(seconds=95.257), code) == text
