"""A sentence changes a value of the row that it names, and only where one row is meant."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.delete_row import DeleteRow
from bandsmith.shared.edits.set_value import SetValue
from bandsmith.shared.jrxml.row_values import RowValue
from bandsmith.shared.model.plan import Data

from .templates import ALL


def read(text: str, form: str = "sales", data: Data | None = None) -> RequestReading:
    template, own = ALL[form]()
    return read_request(text, TemplateView(Editor(template), data or own))


LAMP = SetValue(values={"unit_price": "300.50", "amount": 1202.0}, where={"item": "Wall lamp"})


@pytest.mark.parametrize(
    "text",
    [
        "change the unit price of wall lamp to 300.50",
        "Please set the price for the wall lamps to $300.50",
        "the unit price of the wall lamp is now 300.50",
        "the wall lamp's unit price should be 300.50",
        "change the wall lamp unit price to 300.50",
    ],
)
def test_a_price_is_changed_in_the_row_that_is_named_and_the_amount_with_it(text: str):
    reading = read(text)
    assert (reading.edits, reading.unread) == ([LAMP], [])


@pytest.mark.parametrize(
    "text",
    [
        "冲击钻头的单价改成8",
        "把冲击钻头那一行的单价改为8元",
        "冲击钻头单价改成8",
        "冲击钻头的单价应该是8",
        "钻头的单价现在是8了",
    ],
)
def test_the_same_in_chinese(text: str):
    reading = read(text, "slip")
    edit = SetValue(values={"unit_price": 8, "amount": 320}, where={"product": "冲击钻头"})
    assert reading.unread == [] and [one.model_dump() for one in reading.edits] == [edit.model_dump()]


@pytest.mark.parametrize(
    ("text", "form", "values"),
    [
        ("change the quantity in row 2 to 5", "sales", {"quantity": 5, "amount": 402.5}),
        ("第1行的备注改成“急件”", "slip", {"remark": "急件"}),
        ("change the customer of the elm board to Quay Ltd", "sales", {"customer": "Quay Ltd"}),
        ("change the date of linen roll to 2026-04-01", "sales", {"order_date": "2026-04-01T00:00:00"}),
    ],
)
def test_rows_by_number_texts_and_dates(text: str, form: str, values: dict[str, RowValue]):
    [edit] = read(text, form).edits
    assert isinstance(edit, SetValue) and edit.values == values


def test_an_amount_that_is_no_product_stays():
    data = ALL["sales"]()[1]
    rows = [{**row, "amount": 5.0} for row in data.rows]
    [edit] = read("change the unit price of wall lamp to 300", data=Data(rows=rows)).edits
    assert edit == SetValue(values={"unit_price": 300}, where={"item": "Wall lamp"})


@pytest.mark.parametrize(
    ("text", "form", "refusal"),
    [
        ("change the unit price of Tamarack to 300", "sales", "2 rows of the data have the value Tamarack"),
        ("change the quantity in row 9 to 5", "sales", "There is no row 9"),
        ("第9行的单价改成3", "slip", "There is no row 9"),
    ],
)
def test_a_row_that_is_not_one_is_refused(text: str, form: str, refusal: str):
    reading = read(text, form)
    assert reading.edits == [] and refusal in reading.refusals[0].en


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("change the unit price of gloves to 300", "sales"),
        ("the item of Hollis & Co is too long", "sales"),
        ("the unit price of wall lamp is wrong", "sales"),
        ("change the item of Hollis & Co to bold", "sales"),
        ("手套的单价改成8", "slip"),
        ("冲击钻头的备注是错的", "slip"),
    ],
)
def test_what_names_no_row_or_no_value_changes_no_row(text: str, form: str):
    assert not any(isinstance(edit, SetValue) for edit in read(text, form).edits)


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("remove the last row", DeleteRow(row=3)),
        ("delete row 2", DeleteRow(row=2)),
        ("please take out the second row", DeleteRow(row=2)),
        ("remove the row with the wall lamp", DeleteRow(where={"item": "Wall lamp"})),
        ("delete the wall lamp row", DeleteRow(where={"item": "Wall lamp"})),
        ("delete wall lamp", DeleteRow(where={"item": "Wall lamp"})),
        ("删掉wall lamp", DeleteRow(where={"item": "Wall lamp"})),
        ("删掉最后一行", DeleteRow(row=3)),
        ("把第2行删掉", DeleteRow(row=2)),
    ],
)
def test_a_row_is_deleted(text: str, edit: DeleteRow):
    assert read(text).edits == [edit]


@pytest.mark.parametrize("text", ["delete the header row", "remove the second line", "delete row 9", "删掉第9行"])
def test_what_may_be_no_row_of_the_data_stays(text: str):
    assert not read(text).edits
