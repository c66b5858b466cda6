"""Results of queries, for users and replies."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bandsmith.shared.markdown_text import cell_text
from bandsmith.shared.result_tables import as_csv, as_markdown, rounded, table_of


def test_a_result_keeps_every_value_whatever_its_type():
    table = table_of(["a", "a", ""], [(1, "x", None), ("two", 2.5, b"\xff")], 10).content
    assert table.column_names == ["a", "a_2", "column"]
    assert table.to_pylist() == [
        {"a": "1", "a_2": "x", "column": None},
        {"a": "two", "a_2": "2.5", "column": "ff"},
    ]


def test_a_reply_shows_numbers_in_full_and_cuts_long_texts():
    table = table_of(["n", "t"], [(Decimal("12345678901234567890.12"), "a|b " + "x" * 100)], 10).content
    assert as_markdown(table).splitlines()[-1] == f"| 12345678901234567890.12 | a\\|b {'x' * 55}… |"
    assert as_csv(table).decode().splitlines()[0] == '"n","t"'


def test_an_empty_result_has_its_columns():
    table = table_of(["id", "name"], [], 10).content
    assert as_markdown(table) == "| id | name |\n|---|---|"


def test_a_small_number_is_not_shown_as_none():
    table = table_of(["rate", "sum"], [(0.0000000012, 7488.1100000000015)], 10).content
    assert as_markdown(table).splitlines()[-1] == "| 1.2e-09 | 7488.11 |"


def test_sums_are_rounded_to_what_they_mean():
    table = table_of(["name", "sum"], [("a", 0.1 + 0.2), ("b", None), ("c", 4214.840000000001)], 10).content
    assert rounded(table).to_pydict() == {"name": ["a", "b", "c"], "sum": [0.3, None, 4214.84]}


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("![x](http://evil.example/?q=1)", "![x]\\(http://evil.example/?q=1)"),
        ("<img src=x>", "\\<img src=x>"),
        ("\\<b>", "\\\\\\<b>"),
        ("a < b (c) [d]", "a < b (c) [d]"),
        (4214.840000000001, "4214.84"),
    ],
)
def test_a_cell_is_no_link_picture_or_html_and_else_as_it_is(value: object, shown: str):
    assert cell_text(value, 60) == shown
