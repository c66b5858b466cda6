"""Plain requests of everyday trades: papers, places of lines, notes, totals, signatures and blank rows."""

from __future__ import annotations

import pytest

from bandsmith.shared.errors import TerminalError
from tests.each_case import each

from .readings import columns, reading, whole


@each(
    "text, title, size",
    [
        ("boat receipt on A6: payer, boat, amount", "Boat Receipt", (105, 148)),
        ("label list A6 landscape: code, name, price", "Label List", (148, 105)),
        ("Delivery note on B5 with item, qty", "Delivery Note", (176, 250)),
        ("cards 90 x 55 mm: name, role, phone", "Cards", (90, 55)),
        ("Packing slip on 100 x 150 mm labels: item, qty, weight", "Packing Slip", (100, 150)),
        ("出货单 B5横向 品名 数量 单价", "出货单", (250, 176)),
        ("送货单，241×140mm针打纸，列：品名、数量", "送货单", (241, 140)),
        ("A6收据：交款人、金额、事由", "收据", (105, 148)),
    ],
)
def test_other_papers_are_pages_of_their_size(text: str, title: str, size: tuple[int, int]):
    spec = whole(text)
    assert (spec.title, (spec.page.width_mm, spec.page.height_mm)) == (title, size)


@each(
    "text, labels",
    [
        ("Car service list: model Audi A6, km, date", ["model Audi A6", "Km", "Date"]),
        ("shirt sizes: A6, B4, count", ["A6", "B4", "Count"]),
        ("登记表：A6、B5、数量", ["A6", "B5", "数量"]),
        ("quote: item, qty, price, total price", ["Item", "Qty", "Price", "Total price"]),
        ("点菜单 菜名 数量 单价 小计 总价", ["菜名", "数量", "单价", "小计"]),
        ("inventory: item, counted by and checked by", ["Item", "Counted by", "Checked by"]),
    ],
)
def test_names_that_could_be_paper_or_a_total_or_a_group_are_columns(text: str, labels: list[str]):
    spec = whole(text)
    assert (columns(spec), spec.page.width_mm) == (labels, None)


@each(
    "text, header, below",
    [
        ("帮我做个苗圃领用单：领用人、棚号在表上，表格有名称、数量", ["领用人", "棚号"], []),
        ("请购单，部门、日期在左上角，表格品名、规格、数量", ["部门", "日期"], []),
        ("count sheet: sku, qty, counted by and checked by at the bottom", [], ["Counted by", "Checked by"]),
    ],
)
def test_lines_stand_where_the_request_says(text: str, header: list[str], below: list[str]):
    spec = whole(text)
    assert [field.label for field in spec.header_fields] == header
    assert [field.label for field in spec.closing] == below


@each(
    "text, title",
    [
        ("做苗木登记表，列品种、株数", "苗木登记表"),
        ("要货单：品名、数量", "要货单"),
        ("要来访登记表：日期、姓名", "来访登记表"),
        ("做工明细表：工序、单价", "做工明细表"),
        ("学校食堂每日菜谱，列星期、早餐、午餐", "学校食堂每日菜谱"),
        ("Fees report for a rowing club - member, fee due", "Fees Report"),
        ("Checklist for a new employee: task, done", "Checklist for a New Employee"),
    ],
)
def test_title_is_what_the_request_calls_the_report(text: str, title: str):
    assert whole(text).title == title


@each(
    "text, rows",
    [
        ("签到表，序号、姓名、签名，20个空行", 20),
        ("签到表：姓名、签名，空15行", 15),
        ("sign-in sheet: name, signature, room for 12 names", 12),
        ("attendance list: name, date, 10 rows empty", 10),
    ],
)
def test_blank_rows_need_no_verb(text: str, rows: int):
    assert whole(text).blank_rows == rows


@each(
    "text, summed",
    [
        ("Fees list: name, fee due, fee paid, balance (due minus paid), totals", ["Fee due", "Fee paid", "Balance"]),
        (
            "loan plan: no, principal, interest, payment = principal + interest, totals",
            ["Principal", "Interest", "Payment"],
        ),
        ("考勤表，姓名、出勤天数、日工资、应发工资（出勤天数×日工资），合计", ["应发工资"]),
        ("Order sheet: item, quantity, unit price, total price. Total at the end", ["Total price"]),
        ("损耗表：品名、生产数、售出数、报废数，合计三列", ["生产数", "售出数", "报废数"]),
    ],
)
def test_totals_are_those_of_what_adds_up(text: str, summed: list[str]):
    assert [column.label for column in whole(text).columns if column.total == "sum"] == summed


def test_total_net_tax_and_gross_may_follow_a_word_for_below():
    spec = whole("报价表，品名、数量、单价、小计（数量乘单价），下面合计、13%税、含税总价")
    assert [line.kind for line in spec.summary] == ["net", "tax", "gross"]


def test_note_below_the_table_is_no_column():
    spec = whole('Bike repair list: part, qty, price; note underneath "Keep dry"; mechanic to sign')
    assert columns(spec) == ["Part", "Qty", "Price"]
    assert (spec.closing_texts, spec.signatures) == (["Keep dry"], ["mechanic"])


def test_all_who_sign_are_named_alike():
    assert whole("领用单：品名、数量，底下领用人签字、库管签字").signatures == ["领用人", "库管"]


def test_ok_between_columns_is_a_column():
    assert columns(whole("Checklist: item, ok, not ok, remarks")) == ["Item", "Ok", "Not ok", "Remarks"]


NEAR = [
    "Timber list: size 100 x 50 mm, length, qty",
    "会议签到表，姓名、签名，20个空行加粗",
    "会议签到表，姓名、签名，空三行再写备注",
    'Bike repair list: part, qty, price; note underneath in red "Keep dry"',
    "attendance sheet with name and signature, space for 15 cars",
    "报价：品名、数量、单价、金额；下面税前总价、6%增值税、价税合计加粗",
    "Seat plan with row, seat B6, name",
    "Guest list on A5 or A6: name, table",
    "Menu on A6 folded: dish, price",
    "tickets 80 x 50 mm two per row: seat, price",
    "Order list: item, qty, note underneath each item",
    "Sales: item, qty. Data: apples, 5; pears, 6; bold",
    "sign-out sheet: key, name, time; room for 20 rows and a stamp",
]


@pytest.mark.parametrize("text", NEAR)
def test_no_word_of_a_near_miss_is_lost(text: str):
    try:
        assert reading(text).unread
    except TerminalError as refused:
        assert refused.code == "wish"
