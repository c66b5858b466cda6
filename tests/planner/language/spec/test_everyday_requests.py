"""Requests as people put them: with a story in front, with formulas in passing, with sentences to be printed."""

from __future__ import annotations

import pytest

from .readings import columns, reading, whole


@pytest.mark.parametrize(
    ("text", "title", "labels"),
    [
        (
            "we are a small charity and have to send a donation receipt to our donors: name, date, amount",
            "Donation Receipt",
            None,  # a receipt has lines
        ),
        (
            "i have a small cafe and want a sheet for the till: day, cash sales, card sales",
            "Sheet for the Till",
            ["Day", "Cash sales", "Card sales"],
        ),
        ("our club needs a membership list: member no, surname, phone", "Membership List", None),
        (
            "something to hand out to our drivers, with stop, address, parcels",
            "Stop, Address and Parcels",
            ["Stop", "Address", "Parcels"],
        ),
        ("budget against actual for each department - department, budget, actual", "Budget Against Actual", None),
    ],
)
def test_a_story_in_front_is_no_part_of_the_title(text: str, title: str, labels: list[str] | None) -> None:
    spec = whole(text)
    assert spec.title == title
    assert labels is None or columns(spec) == labels


@pytest.mark.parametrize(
    ("text", "label", "formula"),
    [
        ("till: day, cash, card, takings which is cash plus card", "Takings", "Cash + Card"),
        ("km log: date, start, end, distance. distance is end minus start. no totals", "Distance", "End - Start"),
        (
            "budgets: team, budget, actual, difference. Difference is budget less actual",
            "Difference",
            "Budget - Actual",
        ),
        ("claims: date, mileage, rate, cost worked out from those two", "Cost", "Mileage * Rate"),
        ("水费通知单：户号、上月读数、本月读数、用量，用量=本月读数-上月读数", "用量", "本月读数 - 上月读数"),
    ],
)
def test_a_formula_in_passing_is_that_of_its_column(text: str, label: str, formula: str) -> None:
    spec = whole(text)
    column = next(column for column in spec.columns if column.label == label)
    assert column.computed is not None
    assert f" {column.computed.operator} ".join(column.computed.operands) == formula
    assert len({column.label for column in spec.columns}) == len(spec.columns)


@pytest.mark.parametrize(
    ("text", "closing"),
    [
        ("缴费单：姓名、金额，再写一句“请于开学前缴清”", "请于开学前缴清"),
        ("price list: item, price, and a closing sentence “Valid this year”", "Valid this year"),
        ("price list: item, price. End with the words “Thank you”", "Thank you"),
    ],
)
def test_a_sentence_that_is_to_stand_below_is_printed(text: str, closing: str) -> None:
    assert whole(text).closing_texts == [closing]


@pytest.mark.parametrize(
    ("text", "signers"),
    [
        ("退货单：货号、数量，底下经手人和供应商各签一个字", ["经手人", "供应商"]),
        ("入库单：品名、数量，下面仓管和送货人两个签名", ["仓管", "送货人"]),
        ("car log: date, km. two signatures at the bottom, driver and manager", ["driver", "manager"]),
    ],
)
def test_who_signs_is_read_from_everyday_words(text: str, signers: list[str]) -> None:
    assert whole(text).signatures == signers


def test_weekdays_of_a_range_are_columns_to_tick():
    spec = whole("class register: pupil, Monday to Friday to tick")
    assert columns(spec) == ["Pupil", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
    assert {column.type for column in spec.columns[1:]} == {"tick"}
    assert columns(whole("训练签到表：队员、周一到周三")) == ["队员", "周一", "周二", "周三"]


def test_totals_of_as_many_columns_as_were_said():
    spec = whole("daily sheet: product, baked, sold, left over. Totals for the three numbers underneath")
    assert [column.label for column in spec.columns if column.total == "sum"] == ["Baked", "Sold", "Left over"]
    assert reading("daily sheet: product, sold. Totals for the three numbers underneath").unread


def test_totals_are_shown_for_the_columns_that_are_named():
    spec = whole(
        "Packing list: carton, pieces, net weight, gross weight. Show the total pieces and both total weights."
    )
    assert [column.label for column in spec.columns if column.total == "sum"] == [
        "Pieces",
        "Net weight",
        "Gross weight",
    ]


def test_what_heads_a_paper_is_its_title_or_who_sends_it():
    assert whole("入库单，抬头“入库单”居中：品名、数量").company is None
    slip = whole("我要一张送货单，抬头是公司名称“恒达五金”，表格里有品名、数量")
    assert (slip.title, slip.company) == ("送货单", "恒达五金")
    assert whole("delivery docket, title Delivery Docket, with qty, item").title == "Delivery Docket"


def test_a_receipt_for_money_has_lines_and_no_table():
    spec = whole("帮我弄个收据，抬头收据，交款人、金额、收款事由、日期")
    assert (spec.title, spec.columns) == ("收据", [])
    assert [field.label for field in spec.header_fields] == ["交款人", "金额", "收款事由", "日期"]
    assert columns(whole("收据：品名、数量、单价")) == ["品名", "数量", "单价"]


def test_rows_that_are_about_days_get_a_column_for_them():
    found = reading("sheet for the till, one line per day: cash sales, card sales")
    assert columns(found.spec) == ["Day", "Cash sales", "Card sales"]
    assert any("Day" in note for note in found.notes)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("lost property: item, where found, date found", ["Item", "Where found", "Date found"]),
        ("visitors: name, who they visit, time in", ["Name", "Who they visit", "Time in"]),
        ("run sheet: stop, parcels and a blank for the signature", ["Stop", "Parcels", "Signature"]),
        ("点检表，一行一台设备：编号、位置、结果", ["编号", "位置", "结果"]),
        ("登记表，上面填姓名、部门，表格有日期、事由", ["日期", "事由"]),
    ],
)
def test_columns_in_everyday_words(text: str, labels: list[str]) -> None:
    assert columns(whole(text)) == labels


def test_a_date_of_something_received_is_a_date():
    spec = whole("deposits: tenant, amount, date received")
    assert [column.type for column in spec.columns][-1] == "date"


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("逾期清单：读者、逾期天数、罚款，罚款=逾期天数×0.2", "逾期天数 * 0.2"),
        ("claims: date, km, amount = km x 0.45", "Km * 0.45"),
    ],
)
def test_a_formula_ends_behind_the_decimals_of_its_number(text: str, formula: str) -> None:
    found = [column.computed for column in whole(text).columns if column.computed]
    assert [f" {one.operator} ".join(one.operands) for one in found] == [formula]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("job card: part, quantity, price, amount, total incl. 20% VAT", ["Part", "Quantity", "Price", "Amount"]),
        ("领料单，领料部门在上面，名称、请领数在表里", ["名称", "请领数"]),
        ("公司要办年会，需要一份报名表：姓名、部门、人数", ["姓名", "部门", "人数"]),
    ],
)
def test_words_around_the_columns_are_none_of_them(text: str, labels: list[str]) -> None:
    assert columns(whole(text)) == labels


def test_two_signatures_are_two_places_to_sign():
    spec = whole("hire agreement with customer, address, price per day and two signatures")
    assert spec.signatures == ["Signature 1", "Signature 2"]


def test_a_trade_is_no_typing_error():
    assert whole("invoice for consulting: description, hours").title == "Invoice for Consulting"


def test_scores_are_totalled_and_averaged_where_that_was_said():
    spec = whole("成绩单，序号、学生姓名、语文、数学、英语、总分、平均分，总分和平均自动算")
    formulas = {column.label: column.computed for column in spec.columns if column.computed}
    assert {label: (one.operator, one.operands) for label, one in formulas.items()} == {
        "总分": ("+", ["语文", "数学", "英语"]),
        "平均分": ("/", ["总分", "3"]),
    }


def test_a_table_of_things_is_no_column_of_them():
    spec = whole("work order, customer at the top. Then a table of materials: item, qty, price. Signed by the customer")
    assert columns(spec) == ["Item", "Qty", "Price"]


def test_rows_of_days_have_a_date():
    assert columns(reading("体温登记表，每天一行：早上体温、晚上体温").spec) == ["日期", "早上体温", "晚上体温"]
    assert columns(whole("报名表，每个学生一行，姓名、班级、电话")) == ["姓名", "班级", "电话"]


@pytest.mark.parametrize(
    ("text", "label", "operands"),
    [
        ("mileage log, date, km, and the cost at 0.45 per km", "Cost", ["Km", "0.45"]),
        ("parking: car, days, fee at 5 euros per day, remark", "Fee", ["Days", "5"]),
        ("行车记录：日期、公里数、费用（每公里0.8元）", "费用", ["公里数", "0.8"]),
        (
            "a list with dog, price, deposit paid and the balance, worked out for me",
            "Balance",
            ["Price", "Deposit paid"],
        ),
    ],
)
def test_a_rate_and_what_is_owed_are_formulas(text: str, label: str, operands: list[str]) -> None:
    computed = next(column.computed for column in whole(text).columns if column.label == label)
    assert computed is not None and computed.operands == operands


def test_a_rate_of_what_is_no_column_is_left_unread():
    assert reading("km log: date, place, remark, cost at 0.45 per km").unread == ["cost at 0.45 per km"]


@pytest.mark.parametrize(
    ("text", "totals"),
    [
        (
            "fees: customer, date, fee; tell me at the bottom how many customers that is and how much altogether",
            {"Customer": "count", "Fee": "sum"},
        ),
        ("报名表：姓名、电话、费用，最后写一共多少人、多少钱", {"姓名": "count", "费用": "sum"}),
    ],
)
def test_how_many_and_how_much_are_a_count_and_a_sum(text: str, totals: dict[str, str]) -> None:
    assert {column.label: column.total for column in whole(text).columns if column.total != "none"} == totals


@pytest.mark.parametrize(
    "text",
    [
        "付款台账：供应商、日期、金额，同一个供应商的排在一起，每家后面小计，末尾来个总的",
        "付款清单：供应商、日期、金额，每家供应商分开列，各有小计",
    ],
)
def test_rows_that_stand_together_are_a_group(text: str) -> None:
    assert whole(text).group_by == ["供应商"]


def test_words_have_no_sum():
    text = "list with date, qty, place, remark, totals for the last two"
    assert reading(text).unread == ["totals for the last two"]
