"""Rows of data are read from a sentence or from an attached table, each value under its column."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rules.row_entry import read_row_entry
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.add_rows import AddRows
from bandsmith.shared.edits.base import Row
from bandsmith.shared.edits.compute_column import ComputeColumn

from .templates import ALL

HAMMER: dict[str, str | int | float | bool | None] = {
    "order_date": "2026-04-01T00:00:00", "customer": "Quay", "item": "Hammer", "quantity": 3, "unit_price": "12.50",
    "amount": "37.50",
}  # fmt: skip


def view(form: str = "sales") -> TemplateView:
    template, data = ALL[form]()
    return TemplateView(Editor(template), data)


@pytest.mark.parametrize(
    "text",
    [
        "add a row: 2026-04-01, Quay, Hammer, 3, 12.50, 37.50",
        "Please add a new row 2026-04-01 | Quay | Hammer | 3 | 12.50 | $37.50",
        "add an item: date=2026-04-01, customer=Quay, item=Hammer, quantity=3, unit price=12.50, amount=37.50",
        "加一行：2026-04-01，Quay，Hammer，3，12.50，37.50",
        "新增一条记录：2026-04-01、Quay、Hammer、3、12.50元、37.50",
    ],
)
def test_a_typed_row_has_a_value_for_each_column(text: str):
    reading = read_row_entry(text, view(), [])
    assert reading is not None and reading.edits == [AddRows(rows=[HAMMER])]


def test_several_rows_are_typed_at_once():
    text = "add rows: date=2026-04-01, item=Saw; date=2026-04-02, item=Axe"
    reading = read_row_entry(text, view(), [])
    assert reading is not None and reading.edits == [
        AddRows(
            rows=[
                {"order_date": "2026-04-01T00:00:00", "item": "Saw"},
                {"order_date": "2026-04-02T00:00:00", "item": "Axe"},
            ]
        )
    ]


def test_the_number_of_a_row_may_be_left_out():
    reading = read_row_entry("加一行：锤子，把，2，12.5，25，赠品", view("slip"), [])
    assert reading is not None and reading.edits == [
        AddRows(
            rows=[
                {
                    "number": "3", "product": "锤子", "unit": "把", "quantity": 2, "unit_price": 12.5, "amount": 25,
                    "remark": "赠品",
                }
            ]
        )
    ]  # fmt: skip


def test_computed_columns_get_no_value():
    editor = Editor(ALL["sales"]()[0])
    editor.carry_out([ComputeColumn(field="amount", formula="quantity * unit_price")])
    reading = read_row_entry("add a row: 2026-04-01, Quay, Hammer, 3, 12.50", TemplateView(editor), [])
    assert reading is not None
    assert reading.edits == [AddRows(rows=[{key: value for key, value in HAMMER.items() if key != "amount"}])]


@pytest.mark.parametrize(
    ("text", "files", "refusal"),
    [
        ("add a row: hammer, 3, 12.50", [], "A row has 6 values (Date, Customer, Item, Quantity, Unit price and"),
        ("add a row: 2026-04-01, Quay, Hammer, many, 12.50, 37.50", [], "“many” is not a valid value for Quantity."),
        ("add the rows of this file", [], "Attach a CSV or text file with a table"),
        ("add the rows of this file", ["colour,size\nred,4\n"], "The report has none of the file's columns: colour"),
        ("add the columns of this file", ["item,amount\nSaw,4\n"], "The report already has all columns of the file."),
    ],
)
def test_what_is_no_row_of_the_report_is_refused(text: str, files: list[str], refusal: str):
    reading = read_row_entry(text, view(), files)
    assert reading is not None and not reading.edits
    assert reading.refusals[0].en.startswith(refusal)


@pytest.mark.parametrize(
    "text",
    [
        "add a line for VAT, total",
        "add lines for prepared by, approved by",
        "add a row with totals",
        "add a line below the title",
        "make the title red, please",
    ],
)
def test_other_sentences_are_left_to_other_rules(text: str):
    assert read_row_entry(text, view(), []) is None


@pytest.mark.parametrize(
    ("text", "replaced"), [("add the rows of this file", False), ("用附件的数据替换现有的数据", True)]
)
def test_rows_of_a_file_go_to_the_columns_of_their_names(text: str, replaced: bool):
    content = "Item,Quantity,Unit price,Colour\nSaw,4,7.25,red\nAxe,,3,\n"
    reading = read_row_entry(text, view(), [content])
    saw: Row = {"item": "Saw", "quantity": 4, "unit_price": 7.25}
    axe: Row = {"item": "Axe", "quantity": None, "unit_price": 3}
    assert reading is not None and reading.edits == [AddRows(rows=[saw, axe], replace=replaced)]


def test_columns_of_a_file_are_added_with_their_values():
    reading = read_row_entry("add the columns of this file", view(), ["Colour,Weight\nred,1.5\nblue,2.25\n,3.125\n"])
    assert reading is not None
    colour, weight, rows = reading.edits
    assert isinstance(colour, AddColumn) and colour.label == "Colour"
    assert isinstance(weight, AddColumn) and weight.java_class == "java.math.BigDecimal"
    assert isinstance(rows, AddRows) and rows.replace
    own = ALL["sales"]()[1].rows
    new = [("red", 1.5), ("blue", 2.25), (None, 3.125)]
    assert rows.rows == [
        {**row, colour.field: one, weight.field: other} for row, (one, other) in zip(own, new, strict=True)
    ]


def test_values_of_new_columns_go_to_the_rows_that_they_belong_to():
    content = "item,colour,amount\nLinen roll,white,1\nWall lamp,black,2\n"
    reading = read_row_entry("add the columns of this file", view(), [content])
    assert reading is not None
    colour, rows = reading.edits
    assert isinstance(colour, AddColumn) and isinstance(rows, AddRows)
    assert [row[colour.field] for row in rows.rows] == ["black", None, "white"]
    assert [row["amount"] for row in rows.rows] == [1250.0, 966.0, 192.0]  # the report's own


def test_columns_are_added_beside_a_column_that_is_computed():
    template, data = ALL["sales"]()
    editor = Editor(template)
    editor.carry_out([ComputeColumn(field="amount", formula="quantity * unit_price")])
    reading = read_row_entry("add the columns of this file", TemplateView(editor, data), ["colour,size\nred,1\n"])
    assert reading is not None
    assert all(outcome.changed for outcome in editor.carry_out(reading.edits))
