"""A question is never the description of a new report."""

import pytest

from bandsmith.services.planner.language.spec.titles import is_question

from .specs import spec_of


@pytest.mark.parametrize(
    "text",
    ["页头是什么", "pdf 和 html 有什么区别", "docx 和 pdf 哪个好？", "what is a variable"],
)
def test_what_asks_for_an_answer_is_a_question(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text", ["送货单：品名、数量、备注", "做一张表，有什么时候、地点", "what i need is a list of item, qty"]
)
def test_what_asks_for_a_report_is_no_question(text: str) -> None:
    assert not is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "a report titled Sales 7 with customer, amount and date",
        "a sales report called Sales 7 showing customer, amount and date",
        "a report with customer, amount and date, titled Sales 7",
        "a report titled Sales 7, with customer, amount and date",
    ],
)
def test_a_title_without_quotation_marks_ends_where_the_columns_begin(text: str) -> None:
    spec = spec_of(text, "en")
    assert spec.title == "Sales 7" and [column.label for column in spec.columns] == ["Customer", "Amount", "Date"]
