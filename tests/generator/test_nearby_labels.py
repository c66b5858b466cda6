"""A value without a label is named after wording that belongs to it by its place; no meaning is made up."""

from __future__ import annotations

from typing import Literal

import pytest

from bandsmith.services.generator.mapping.nearby_labels import nearby_labels
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fields.value_types import is_currency
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Block, Layout, Repeat, Slot, TextStyle

STYLE = TextStyle(family="Liberation Sans", size=10)


def block(name: str, x: float, y: float, width: float = 60, role: Literal["fixed", "value"] = "fixed") -> Block:
    box = Box(x=x, y=y, width=width, height=12)
    return Block(id=name, text=name, lines=[name], box=box, style=STYLE, role=role)


def value(name: str, x: float, y: float, width: float = 60) -> Block:
    return block(name, x, y, width, "value")


def layout_of(*blocks: Block, repeat: Repeat | None = None) -> Layout:
    return Layout(page=Size(width=595, height=842), blocks=list(blocks), repeat=repeat)


def packing_list(*beside: Block) -> Layout:
    """Rows with one heading of their own; two more columns have theirs in a line further up."""
    headings = [block("13.Net weight", 200, 100), block("14.Gross weight", 300, 100)]
    rows = [
        value(f"{name}{row}", x, 200 + 14 * row) for row in range(2) for name, x in (("A", 20), ("N", 205), ("G", 305))
    ]
    slots = [
        Slot(label=label, blocks=[f"{name}0", f"{name}1"])
        for name, label in (("A", "Container"), ("N", None), ("G", None))
    ]
    area = Box(x=20, y=200, width=400, height=28)
    repeat = Repeat(box=area, tops=[200, 214], pitch=14, slots=slots)
    return layout_of(*headings, block("Container", 20, 180), *rows, *beside, repeat=repeat)


def test_a_currency_between_a_label_and_its_amount_names_nothing():
    page = layout_of(block("Subtotal", 300, 100), block("EUR", 380, 100, 20), value("606,25", 420, 100))

    assert nearby_labels(page) == {"606,25": "Subtotal"}


def test_a_currency_alone_is_no_name():
    assert nearby_labels(layout_of(block("EUR", 380, 100, 20), value("606,25", 420, 100))) == {}


@pytest.mark.parametrize("text", ["EUR", "€", "CHF", "元"])
def test_codes_and_signs_are_currencies(text: str):
    assert is_currency(text)
    assert not is_currency(f"{text} 12")


def test_a_figure_belongs_to_the_only_wording_of_its_line_however_far():
    page = layout_of(block("Net Pay", 40, 100), value("81,500.00", 450, 100))

    assert nearby_labels(page) == {"81,500.00": "Net Pay"}


def test_a_text_far_from_the_wording_of_its_line_does_not_belong_to_it():
    assert nearby_labels(layout_of(block("Head Office", 40, 100), value("Anna Weber", 450, 100))) == {}


def test_a_figure_with_another_value_between_is_not_named_after_the_line():
    page = layout_of(block("Lamp", 40, 100), value("Brass", 200, 100), value("12.00", 450, 100))

    assert nearby_labels(page) == {}


def test_columns_are_named_by_headings_further_up():
    found = nearby_labels(packing_list())

    assert {found[name] for name in ("N0", "N1")} == {"13.Net weight"}
    assert {found[name] for name in ("G0", "G1")} == {"14.Gross weight"}


def test_a_text_between_a_heading_and_its_column_keeps_it_nameless():
    found = nearby_labels(packing_list(value("Something else", 200, 150)))

    assert "N0" not in found
    assert "G0" not in found  # one heading alone heads nothing


def test_a_figure_below_a_column_is_named_after_its_line_and_the_column():
    figures = (block("Total", 20, 300), value("100,000KGS", 205, 300), value("100,550KGS", 305, 300))
    found = nearby_labels(packing_list(*figures))

    assert found["100,000KGS"] == "Total Net weight"
    assert found["100,550KGS"] == "Total Gross weight"


def test_the_number_of_a_box_is_no_part_of_its_name():
    assert name_for("4. Port of Loading", "note", ()) == "port_of_loading"
    assert name_for("12A) Current pay", "note", ()) == "current_pay"
    assert name_for("2.5 mm", "note", ()) == "n2_5_mm"


def test_a_town_with_its_state_is_no_name_of_the_postcode_behind_it():
    page = layout_of(block("Henderson, TX", 40, 100), value("75653", 105, 100))

    assert nearby_labels(page) == {"75653": "Postcode"}


def test_the_title_of_the_form_names_no_value_below_it():
    page = layout_of(block("Payslip", 250, 40), value("Innovate Digital", 250, 54))

    assert nearby_labels(page.model_copy(update={"title": "Payslip"})) == {}
