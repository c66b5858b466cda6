"""Values as people write them, read as the class of their field or not at all."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.filling.values import FormatEvidence, Kind, Unreadable, kind_of, read, style_of
from bandsmith.shared.model.filling import Cell
from tests.each_case import each

DECIMAL, INTEGER, LONG, DATE = "java.math.BigDecimal", "java.lang.Integer", "java.lang.Long", "java.util.Date"


def column(
    cells: list[Cell], java_class: str, pattern: str = "", others: list[str] | None = None, semicolons: bool = False
) -> list[Cell]:
    """Read a column beside another one of amounts; what cannot be read is "?"."""
    evidence, beside = _evidence(cells, kind_of(java_class)), _evidence(others or [], "decimal")
    style = style_of(evidence, [beside], semicolons=semicolons, pattern=pattern)
    return [_read(cell, java_class, style, pattern) for cell in cells]


def _evidence(cells: list[Cell] | list[str], kind: Kind | None) -> FormatEvidence:
    found = FormatEvidence()
    for cell in cells:
        found.add(cell, kind or "text")
    return found


def _read(cell: Cell, java_class: str, style, pattern: str) -> Cell:
    try:
        return read(cell, java_class, style, pattern)
    except Unreadable:
        return "?"


@each(
    "text, number",
    [
        ("1,234.50", "1234.50"), ("1.234,50", "1234.50"), ("12,5", "12.5"), ("1 234,50", "1234.50"),
        ("1'234.50", "1234.50"), ("1,23,456.00", "123456.00"), ("1.234.567", "1234567"), ("1,234", "1234"),
        ("$1,234.50", "1234.50"), ("EUR 12.00", "12.00"), ("￥１２．５", "12.5"), ("12元", "12"),
        ("(12.50)", "-12.50"), ("-3", "-3"), ("−3", "-3"), ("12-", "-12"), (".5", "0.5"), ("1e3", "1000"),
        ("12345678901234567890.12", "12345678901234567890.12"),
        ("12 pcs", "?"), ("1.2.3", "?"), ("1,2,3", "?"), ("n/a", "?"), ("5 %", "?"), ("NaN", "?"), ("", None),
    ],
)  # fmt: skip
def test_amounts_are_read_as_they_are_written(text: str, number: str | None):
    assert column([text], DECIMAL) == [number]


def test_other_values_of_the_column_show_the_decimal_mark():
    assert column(["1.234", "0,50"], DECIMAL) == ["1234", "0.50"]
    assert column(["1,234", "0.50"], DECIMAL) == ["1234", "0.50"]


def test_another_column_shows_the_decimal_mark():
    assert column(["1.234"], DECIMAL, others=["99,95"]) == ["1234"]


def test_a_decimal_mark_that_nothing_shows_is_a_point_and_that_is_said():
    evidence = _evidence(["1.234"], "decimal")
    assert style_of(evidence, [], semicolons=False, pattern="").is_assumed
    assert not style_of(_evidence(["1.25"], "decimal"), [], semicolons=True, pattern="").is_assumed


def test_a_percentage_needs_a_field_that_prints_percents():
    assert column(["5 %"], DECIMAL, "0.0%") == ["0.05"]


@pytest.mark.parametrize(
    ("cell", "java_class", "value"),
    [
        ("3", INTEGER, "3"), (3.0, INTEGER, "3"), ("3.5", INTEGER, "?"), ("3000000000", INTEGER, "?"),
        ("9007199254740993", LONG, "9007199254740993"), (True, INTEGER, "?"), ("007", "java.lang.String", "007"),
        (7.0, "java.lang.String", "7.0"), ("是", "java.lang.Boolean", True), ("no", "java.lang.Boolean", False),
        ("maybe", "java.lang.Boolean", "?"), ("x", "java.util.List", "?"),
    ],
)  # fmt: skip
def test_a_value_is_one_of_its_class_or_unread(cell: Cell, java_class: str, value: Cell):
    assert column([cell], java_class) == [value]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-03-01", "2026-03-01"), ("2026/3/1", "2026-03-01"), ("2026年3月1日", "2026-03-01"),
        ("01.03.2026", "2026-03-01"), ("25/04/2026", "2026-04-25"), ("04/25/2026", "2026-04-25"),
        ("20260301", "2026-03-01"), ("March 1, 2026", "2026-03-01"), ("31.12.97", "1997-12-31"),
        ("2026-03-01 09:30", "2026-03-01T09:30:00"), ("2026-03-01T10:20:30Z", "2026-03-01T10:20:30"),
        ("2026-02-30", "?"), ("03/04/2026", "?"), ("soon", "?"),
    ],
)  # fmt: skip
def test_dates_are_read_as_they_are_written(text: str, day: str):
    assert column([text], DATE) == [day]


def test_another_date_or_the_reports_pattern_shows_which_number_is_the_day():
    assert column(["03/04/2026", "25/04/2026"], DATE) == ["2026-04-03", "2026-04-25"]
    assert column(["03/04/2026"], DATE, "dd/MM/yyyy") == ["2026-04-03"]
    assert column(["03/04/2026"], DATE, "M/d/yyyy") == ["2026-03-04"]
    assert column(["03/04/2026"], DATE, "yyyy-MM-dd") == ["?"]


@pytest.mark.parametrize("java_class", ["java.util.Date", "java.sql.Timestamp"])
def test_what_is_printed_as_a_time_takes_times(java_class: str) -> None:
    cells: list[Cell] = ["07:00", "7:30 pm", "1970-01-01T08:30:00", "2026-05-31"]
    times = ["1970-01-01T07:00:00", "1970-01-01T19:30:00", "1970-01-01T08:30:00", "?"]
    assert column(cells, java_class, "HH:mm") == times
    assert column(["07:00"], java_class, "yyyy-MM-dd HH:mm") == ["?"]
