"""Sentences that ask to fill the report with a file, and sentences that ask for something else."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.filling import read_filling


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
