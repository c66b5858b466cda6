"""Rows that a request lists cell by cell become the rows of the report; rows that do not fit are said."""

from __future__ import annotations

from bandsmith.shared.errors import TerminalError
from tests.each_case import each

from .readings import columns, reading, whole


@each(
    "text, rows",
    [
        (
            "花店进货单：品名 产地 枝数 单价 金额，数据：百合 云南 20 3 60；月季 昆明 50 1.5 75；合计金额",
            [["百合", "云南", "20", "3", "60"], ["月季", "昆明", "50", "1.5", "75"]],
        ),
        (
            "rowing results: place, lane, boat, club, time. Here are the rows: 1, 4, Heron, Ouse RC, 7:12; "
            "2, 3, Old Oak, Cam BC, 7:20. Sorted by place",
            [["1", "4", "Heron", "Ouse RC", "7:12"], ["2", "3", "Old Oak", "Cam BC", "7:20"]],
        ),
        (
            "价目表：品名、产地、单价。数据如下：绿茶，杭州，12；红茶，祁门，15。",
            [["绿茶", "杭州", "12"], ["红茶", "祁门", "15"]],
        ),
        ("price list: item, price. Data: Tea, 3.50; Coffee, 1,280", [["Tea", "3.50"], ["Coffee", "1,280"]]),
    ],
)
def test_rows_that_are_listed_cell_by_cell_are_those_of_the_report(text: str, rows: list[list[str]]):
    assert whole(text).rows == rows


def test_words_behind_the_rows_are_read_as_well():
    spec = whole("花店进货单：品名 枝数 金额，数据：百合 20 60；月季 50 75；合计金额")
    assert [column.label for column in spec.columns if column.total == "sum"] == ["金额"]


@each(
    "text",
    [
        "进货单：品名 件数 单价，数据：苹果 10 85；香蕉 6 70 420",
        "price list: item, size, price. Data: Tea, 3.50; Coffee, 2.80",
    ],
)
def test_rows_that_do_not_fit_the_columns_are_said_to_be_unread(text: str):
    try:
        found = reading(text)
    except TerminalError as refused:
        assert "Coffee" in refused.message
    else:
        assert found.spec.rows == [] and found.unread


@each(
    "text, labels",
    [
        ("Class register: no, name, Mon Tue Wed Thu Fri", ["No", "Name", "Mon", "Tue", "Wed", "Thu", "Fri"]),
        ("Shift plan: name, Mon/Tue/Wed, hours", ["Name", "Mon", "Tue", "Wed", "Hours"]),
        ("budget plan: category, Q1 Q2 Q3 Q4", ["Category", "Q1", "Q2", "Q3", "Q4"]),
        ("值班表：姓名、周一周二周三、备注", ["姓名", "周一", "周二", "周三", "备注"]),
    ],
)
def test_days_and_quarters_in_a_run_are_a_column_each(text: str, labels: list[str]):
    assert columns(whole(text)) == labels
