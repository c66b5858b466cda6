"""A greeting and a reason in front of a description are no part of the report, and nothing that asks is left out."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.spec.rule_reader import read
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.language import language_of

from .readings import reading


@pytest.mark.parametrize(
    ("text", "title", "columns"),
    [
        ("Good evening! a boat log with boat, skipper, hours", "Boat Log", ["Boat", "Skipper", "Hours"]),
        ("Morning, a key register please: key, holder", "Key Register", ["Key", "Holder"]),
        (
            "Hi there! we need something for the ski school, a lesson sheet with pupil, teacher, hours",
            "Lesson Sheet",
            ["Pupil", "Teacher", "Hours"],
        ),
        (
            "our old notebook is full, so please make a visitor log: date, name, company",
            "Visitor Log",
            ["Date", "Name", "Company"],
        ),
        (
            "I look after the boats and often forget who has one. I need a boat log with boat, skipper, hours",
            "Boat Log",
            ["Boat", "Skipper", "Hours"],
        ),
        (
            "We have to keep the oven temperatures every day. Date, oven, checked by. Call it Oven log",
            "Oven log",
            ["Date", "Oven", "Checked by"],
        ),
        (
            "我是仓管，每个月要给领导看出入库，帮我弄一张出入库表：品名、日期、数量",
            "出入库表",
            ["品名", "日期", "数量"],
        ),
        (
            "老师让我帮忙登记钥匙，想要一个表：房间、谁借的、归还日期，名字就叫钥匙登记表",
            "钥匙登记表",
            ["房间", "谁借的", "归还日期"],
        ),
        ("早上好！帮我做个访客登记表：日期、姓名、单位", "访客登记表", ["日期", "姓名", "单位"]),
        ("早，来个车辆登记：车牌、司机、电话", "车辆登记", ["车牌", "司机", "电话"]),
        ("你好，因为检查要用，做一张消毒记录表：日期、地点、消毒人", "消毒记录表", ["日期", "地点", "消毒人"]),
        ("老板催着要，赶紧给我做个值班表：日期、姓名、电话", "值班表", ["日期", "姓名", "电话"]),
    ],
)
def test_a_greeting_and_a_reason_name_nothing(text, title, columns):
    reading = read(text, language_of(text))
    assert (reading.spec.title, [column.label for column in reading.spec.columns]) == (title, columns)
    assert reading.sure and not reading.spec.header_fields


STORIES = [
    (
        "Every evening we count the till and it never adds up, I need a till sheet: day, cash, cards",
        ["Day", "Cash", "Cards"],
        "Every evening we count the till and it never adds up",
    ),
    (
        "My neighbours keep borrowing my tools and nobody remembers who has what. Could you make me a loan list with "
        "tool, borrower, date out",
        ["Tool", "Borrower", "Date out"],
        "My neighbours keep borrowing my tools and nobody remembers who has what",
    ),
    (
        "The council wants to know about every tree that we inspect so I need a tree list: tree no, species, height",
        ["Tree no", "Species", "Height"],
        "The council wants to know about every tree that we inspect so",
    ),
    (
        "我在传达室上班，快递越来越多，现在都堆在门口。要日期、单号、收件人、电话",
        ["日期", "单号", "收件人", "电话"],
        "我在传达室上班，快递越来越多，现在都堆在门口",
    ),
    (
        "店里两个师傅，月底老是对不上账，帮我弄个表，姓名、日期、件数",
        ["姓名", "日期", "件数"],
        "店里两个师傅，月底老是对不上账",
    ),
]


@pytest.mark.parametrize(("text", "columns", "story"), STORIES)
def test_a_story_is_passed_over_and_the_reply_quotes_it(text, columns, story):
    reading = read(text, language_of(text))
    assert [column.label for column in reading.spec.columns] == columns
    assert reading.sure and any(story in note for note in reading.notes)


@pytest.mark.parametrize(
    "text",
    [
        "late visitors list for the school. visitor, date, reason",
        "我要姓名、电话，帮我做个表",
        "My boss says the totals should be at the end, I need a list with item, qty, price",
        "we keep bees and the columns are hive, date, honey, please make a bee list",
    ],
)
def test_what_names_or_asks_for_something_is_no_story(text):
    try:
        reading = read(text, language_of(text))
    except TerminalError:
        return
    assert not any(text.split(".")[0].split(",")[0].split("，")[0] in note for note in reading.notes)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("morning, afternoon and night as columns", ["Morning", "Afternoon", "Night"]),
        ("早、中、晚的用餐表", ["早", "中", "晚"]),
    ],
)
def test_times_of_day_may_be_columns(text, columns):
    assert [column.label for column in read(text, language_of(text)).spec.columns] == columns


@pytest.mark.parametrize(
    "text",
    [
        "since the title is red, make a cash list with date, purpose, amount",
        "I manage a team and the title should be red. Please make a cash list with date, purpose, amount",
        "我是老师，标题要红色，帮我做个成绩表：姓名、分数、备注",
        "because we want 12 rows, make a cash list with date, purpose, amount",
        "因为标题要红色，做一张消毒记录表：日期、地点、消毒人",
        "因为表格要横向，做一张消毒记录表：日期、地点、消毒人",
    ],
)
def test_a_reason_that_says_how_the_report_is_to_be_is_not_left_out(text):
    try:
        reading = read(text, language_of(text))
    except TerminalError:
        return
    assert reading.unread or reading.spec.page.orientation == "landscape"


def test_how_many_people_and_things_there_are_belongs_to_the_story():
    found = reading("我是民宿老板，三套房子，平台抽成还不一样。要一个月度收入表：房源、订单金额、实收")
    assert (found.spec.title, found.spec.header_fields) == ("月度收入表", [])
    key_register = reading("I look after the keys in a block of 80 flats. I need a key register: flat, key number")
    assert [one.label for one in key_register.spec.columns] == ["Flat", "Key number"]


def test_the_words_that_ask_for_a_report_are_no_part_of_its_title():
    assert reading("我想打印一张送货清单：品名、数量").spec.title == "送货清单"
    assert "Love" not in reading("I'd love a report that shows date, product, weight").spec.title
