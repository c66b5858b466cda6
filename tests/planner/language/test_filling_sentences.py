"""Sentences that ask to fill the report with a file, and sentences that ask for something else."""

from __future__ import annotations

from datetime import date

import pytest

from bandsmith.services.planner.language.filling_sentences import read_filling, read_source_filling


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("fill it with this file", []),
        ("Please fill in the report with the attached data.", []),
        ("fill the form using this spreadsheet and export it as excel", ["xlsx"]),
        ("print the report with these rows as pdf and word", ["pdf", "docx"]),
        ("用这个文件填充", []),
        ("请用附件里的数据填充报表", []),
        ("把这个文件填进报表里", []),
        ("用这份数据打印报表，导出成excel", ["xlsx"]),
    ],
)
def test_a_filling_is_read_with_its_formats(text: str, formats: list[str]):
    filling = read_filling(text)
    assert filling is not None and filling.formats == formats


@pytest.mark.parametrize(
    "text",
    [
        "add the rows of this file",
        "fill up to 10 rows with blank rows",
        "fill the title with blue",
        "导出excel",
        "填满一页",
    ],
)
def test_other_sentences_ask_for_no_filling(text: str):
    assert read_filling(text) is None


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("fill it with this file for each customer", "customer"),
        ("fill the statement for every customer with the attached data", "customer"),
        ("用这个文件为每个客户填充一份", "客户"),
        ("fill it with this file", ""),
    ],
)
def test_a_report_for_each_value_is_read(text: str, each: str):
    filling = read_filling(text)
    assert filling is not None and filling.each == each


@pytest.mark.parametrize(
    ("text", "each", "period"),
    [
        ("fill the statement of every customer from the shop database for October", "customer", "october"),
        ("fill it from the database for each customer for last month", "customer", "last month"),
        ("用数据库填充每个客户10月的报表", "客户", "10月"),
        ("用shop数据库为每个客户填一份上个月的报表", "客户", "上个月"),
    ],
)
def test_a_report_for_each_value_is_read_from_a_source(text: str, each: str, period: str):
    filling = read_source_filling(text, date(2026, 11, 23))
    assert filling is not None and (filling.each, filling.period.casefold()) == (each, period)


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("fill it with the data of April 2026", "april 2026"),
        ("please fill the report again with the figures for last month", "last month"),
        ("用2026年4月的数据填充", "2026年4月"),
        ("用四月份的数据重新填一下", "四月份"),
        ("换成上个月的数据", "上个月"),
    ],
)
def test_the_rows_of_a_period_come_from_the_source(text: str, period: str):
    filling = read_source_filling(text, date(2026, 11, 23))
    assert filling is not None and (filling.source, filling.period.casefold()) == ("", period)
    assert read_filling(text) is None


@pytest.mark.parametrize("text", ["fill it with the rows from the file", "用附件里的数据填充"])
def test_the_rows_of_a_file_are_no_period(text: str):
    assert read_source_filling(text, date(2026, 11, 23)) is None
    assert read_filling(text) is not None


def test_each_month_says_when_and_divides_nothing():
    assert read_filling("fill it with this file for each month") is None
