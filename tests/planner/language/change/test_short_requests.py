"""Short requests as people type them: several headings at once, two renames, a place on the line of another text."""

from __future__ import annotations

from typing import Any

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor

from .templates import ALL


def read(form: str, sentence: str) -> RequestReading:
    template, data = ALL[form]()
    return read_request(sentence, TemplateView(Editor(template), data))


def edits(form: str, sentence: str) -> list[dict[str, Any]]:
    """The edits of a sentence of which every word is read, without what is as usual."""
    found = read(form, sentence)
    assert (found.unread, found.refusals) == ([], [])
    return [edit.model_dump(exclude_defaults=True) for edit in found.edits]


@pytest.mark.parametrize(
    ("form", "sentence", "elements"),
    [
        ("slip", "数量、单价的表头都靠右", ["quantity_header", "price_header"]),
        ("sales", "the headings of Quantity and Amount right aligned", ["quantity_header", "amount_header"]),
    ],
)
def test_headings_of_several_columns_are_changed_without_their_values(form: str, sentence: str, elements: list[str]):
    made = edits(form, sentence)
    assert [edit["value"] for edit in made] == ["Right"] * len(elements)
    view = TemplateView(Editor(ALL[form]()[0]))
    heads = [column.head.key for column in view.columns if column.head]
    assert {edit["element"] for edit in made} <= set(heads) and len(made) == len(elements)


@pytest.mark.parametrize(
    ("form", "sentence", "texts"),
    [
        ("sales", "rename Quantity and Unit price to Pieces and Price each", ["Pieces", "Price each"]),
        ("slip", "数量和单价分别改成件数和价格", ["件数", "价格"]),
        ("sales", "Quantity -> Pieces", ["Pieces"]),
    ],
)
def test_two_texts_are_renamed_in_one_sentence(form: str, sentence: str, texts: list[str]):
    assert [edit["text"] for edit in edits(form, sentence)] == texts


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ("sales", "make Quantity bold, leave the rest as it is"),
        ("slip", "数量加粗，别的不变"),
    ],
)
def test_the_rest_stays_as_it_is_without_a_word(form: str, sentence: str):
    assert {edit["name"] for edit in edits(form, sentence)} == {"isBold"}


def test_only_what_is_asked_for_is_not_asked_for_alone():
    assert read("slip", "别的不变").unread == ["别的不变"]


@pytest.mark.parametrize(
    ("form", "sentence", "label"),
    [
        ("sales", "merge Customer and Quantity into one column", "Customer / Quantity"),
        ("sales", "combine the columns Customer and Quantity into one column called Order", "Order"),
    ],
)
def test_two_columns_become_one(form: str, sentence: str, label: str):
    expression, text, removed = edits(form, sentence)
    assert text["text"] == label and removed["field"] == "quantity"
    assert expression["expression"].index("$F{customer}") < expression["expression"].index("$F{quantity}")


def test_joined_chinese_columns_keep_both_names_in_their_heading():
    assert edits("slip", "把品名和单位合并成一列")[1]["text"] == "品名/单位"


def test_columns_with_a_pattern_are_not_joined_as_plain_text():
    assert not read("sales", "merge Quantity and Unit price into one column").edits


@pytest.mark.parametrize(
    ("sentence", "field"),
    [("anything over 8 in red", "quantity"), ("超过8的标红", "quantity")],
)
def test_condition_without_a_name_is_about_the_only_column_that_it_tells_apart(sentence: str, field: str):
    template, data = ALL["sales"]()
    rows = [
        {**row, "quantity": quantity, "unit_price": 100.0, "amount": 100.0}
        for row, quantity in zip(data.rows, (5, 12), strict=False)
    ]
    view = TemplateView(Editor(template), data.model_copy(update={"rows": rows}))
    (edit,) = read_request(sentence, view).edits
    assert edit.model_dump()["field"] == field


def test_condition_that_may_mean_several_columns_is_asked_about():
    template, data = ALL["sales"]()
    rows = [
        {**row, "quantity": number, "unit_price": float(number), "amount": float(number)}
        for row, number in zip(data.rows, (5, 12), strict=False)
    ]
    found = read_request("超过8的标红", TemplateView(Editor(template), data.model_copy(update={"rows": rows})))
    assert not found.edits and len(found.refusals) == 1


def test_grey_row_has_a_grey_background():
    assert {edit["name"] for edit in edits("sales", "make the header row grey")} >= {"backcolor"}
