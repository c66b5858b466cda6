"""Requests for reports in English and Chinese are read as specs."""

from typing import Any

import pytest

from bandsmith.services.planner.language.spec.rule_reader import read
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.language import language_of
from bandsmith.shared.model.spec import Computed
from tests.each_case import each

from .specs import CASES, spec_of, wrong


@each("meant", CASES["practice"])
def test_request_is_read_as_labelled(meant: dict[str, Any]) -> None:
    assert wrong(meant) == []


def test_label_gives_the_type_of_its_values() -> None:
    spec = spec_of("包含工号、日期、数量、单价、金额、完成率、上班时间、是否含税的表格", "zh")
    assert [column.type for column in spec.columns] == [
        "text", "date", "integer", "money", "money", "percent", "datetime", "flag",
    ]  # fmt: skip


def test_formula_has_the_labels_of_the_columns_as_operands() -> None:
    spec = spec_of("Orders with item, qty, unit price and a total column (quantity x unit price)", "en")
    assert spec.columns[-1].label == "Total"
    assert spec.columns[-1].computed == Computed(operator="*", operands=["Qty", "Unit price"])


def test_table_in_a_text_file_gives_columns_and_rows() -> None:
    spec = spec_of("make a report of this", "en", texts=["Item,Qty,Price\nTea,3,4.50\nMilk,12,0.90\n"])
    assert [column.label for column in spec.columns] == ["Item", "Qty", "Price"]
    assert spec.rows == [["Tea", "3", "4.50"], ["Milk", "12", "0.90"]]


def test_sentences_with_commas_are_no_table() -> None:
    spec = spec_of("Hi, I need a list\nwith name, city and phone, please", "en")
    assert [column.label for column in spec.columns] == ["Name", "City", "Phone"]
    assert spec.rows == []


def test_assumptions_are_in_the_language_of_the_turn() -> None:
    english, chinese = read("make me an invoice", "en"), read("一张送货单", "zh")
    assert "No columns were named" in english.notes[0] and "Unit price" in english.notes[0]
    assert "常用的列" in chinese.notes[0]
    assert english.spec.columns[-1].computed and english.spec.header_fields


def test_reading_is_unsure_where_words_are_unread() -> None:
    assert read("a table with name, city and phone", "en").unread == []
    reading = read("a table with name, city; and make it look like the ones that our auditors know", "en")
    assert reading.unread == ["and make it look like the ones that our auditors know"]


@pytest.mark.parametrize("text", ["hello", "你好", "make a report", "", "   ", "?!"])
def test_request_without_columns_or_a_known_report_is_refused(text: str) -> None:
    with pytest.raises(TerminalError) as refused:
        spec_of(text, "en")
    assert refused.value.code == "wish"
    assert "columns" in refused.value.message and "列" in refused.value.message_zh


@pytest.mark.parametrize(
    "text",
    [
        "with a, " * 2000,
        "按" * 5000,
        pytest.param("and with show " * 1000, marks=pytest.mark.slow),
        "(a=b+" * 2000,
        "\x00\n|" * 900,
    ],
)
def test_long_and_malformed_texts_are_read_or_refused(text: str) -> None:
    try:
        assert len(spec_of(text, "en").columns) <= 40
    except TerminalError as refused:
        assert refused.code == "wish"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("I'd like an attendance sheet with name and date", "Attendance Sheet"),
        ("a report on vehicle maintenance (date; driver; amount)", "Vehicle Maintenance Report"),
        ("帮我做出库单，有品名、数量、单位", "出库单"),
        ("用这些数据做一个销售报表，有收入、支出、余额", "销售报表"),
        ("a price list for our shop: article no, price", "Price List"),
        ("小饭馆用的后厨单，菜名、份数", "后厨单"),
        ("stock availability, fields sku, warehouse, on hand", "Stock Availability"),
    ],
)
def test_title_leaves_out_the_words_that_ask_for_the_report(text: str, title: str) -> None:
    assert spec_of(text, language_of(text)).title == title


@pytest.mark.parametrize(
    ("text", "language", "left", "right"),
    [
        ("purchase order: on the left buyer and phone, on the right order no and date. Table: item, qty", "en",
         ["Buyer", "Phone"], ["Order no", "Date"]),
        ("做一张采购订单，左边：供应商、电话；右边：订单号。表格列：名称、数量", "zh", ["供应商", "电话"], ["订单号"]),
    ],
)  # fmt: skip
def test_lines_stand_in_the_half_that_is_named(text, language, left, right) -> None:
    fields = spec_of(text, language).header_fields
    assert [field.label for field in fields if field.side == "left"] == left
    assert [field.label for field in fields if field.side == "right"] == right


def test_a_semicolon_ends_a_sentence_after_an_abbreviation_too() -> None:
    spec = spec_of("item, batch, qty; checked by and packed by at the bottom", "en")
    assert [column.label for column in spec.columns] == ["Item", "Batch", "Qty"]


def test_the_signature_of_a_form_is_a_place_to_sign() -> None:
    spec = spec_of("bank transfer form: name, IBAN, amount, date, signature", "en")
    assert spec.signatures == ["signature"] and "Signature" not in [field.label for field in spec.header_fields]


def test_what_is_called_a_time_has_date_and_time() -> None:
    spec = spec_of("做一张后厨单，上面是下单时间，表格列：菜名、份数", "zh")
    assert spec.header_fields[0].type == "datetime"
