"""The size of paper in a sentence is a size; the A4 of a name is part of the name. What no formula says is said."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.spec.rule_reader import read
from bandsmith.shared.language import language_of

from .specs import spec_of


@pytest.mark.parametrize(
    ("text", "size", "columns"),
    [
        ("点检表，A5纸，设备、项目、结果", "A5", ["设备", "项目", "结果"]),
        ("点检表：设备、项目、结果，A3打印", "A3", ["设备", "项目", "结果"]),
        ("点检表：设备、项目、结果，打印在A5纸上", "A5", ["设备", "项目", "结果"]),
        ("一张A5领料单：品名、数量", "A5", ["品名", "数量"]),
        ("文印统计：部门、A5张数、A3张数", "A4", ["部门", "A5张数", "A3张数"]),
        ("A5 packing list with item, qty", "A5", ["Item", "Qty"]),
    ],
)
def test_a_size_is_read_and_a_name_keeps_it(text, size, columns):
    reading = read(text, language_of(text))
    assert (reading.spec.page.size, [column.label for column in reading.spec.columns]) == (size, columns)
    assert reading.sure


@pytest.mark.parametrize(
    ("text", "name", "picked"),
    [
        ("询价表 品名、东店、西店、最低价：A5笔记本 3.5 3.2；M8螺栓 0.4 0.5；直尺 2 1.8", "A5笔记本", "最低价"),
        (
            "quote sheet with article, north, south, lowest quote: A5 pads 3.5 3.2; M8 bolts 0.4 0.5; rulers 2 1.8",
            "A5 pads",
            "Lowest quote",
        ),
    ],
)
def test_rows_are_read_whole_and_what_is_picked_from_others_is_said_not_to_be_computed(text, name, picked):
    reading = read(text, language_of(text))
    assert reading.sure and reading.spec.page.size == "A4"
    assert reading.spec.rows[0][0] == name
    assert [row[3] for row in reading.spec.rows] == ["", "", ""]
    assert any(picked in note for note in reading.notes)


@pytest.mark.parametrize("text", ["stock list: item, minimum stock", "价目表：品名、最低价"])
def test_a_column_with_nothing_to_pick_from_needs_no_note(text):
    reading = read(text, language_of(text))
    picked = reading.spec.columns[-1].label
    assert not any(picked in note for note in reading.notes)


def test_a_row_behind_the_columns_is_no_line_below_the_table():
    text = "wage table with worker, monday, tuesday: Ann 8 7.5; Bob 7 8; Cid 6 6"
    assert [row[0] for row in spec_of(text, "en").rows] == ["Ann", "Bob", "Cid"]
