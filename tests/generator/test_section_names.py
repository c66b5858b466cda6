"""Equal labels are told apart by the section of the form that they stand in."""

from __future__ import annotations

import pytest

from bandsmith.services.generator.mapping.section_names import qualified, sections_of
from bandsmith.shared.fields.identifiers import section_name
from bandsmith.shared.model.layout import Block

from .test_nearby_labels import block, layout_of


def labelled(name: str, x: float, y: float, label: str) -> Block:
    return block(name, x, y, role="value").model_copy(update={"label": label})


def upright(text: str, x: float, y: float) -> Block:
    one = block("\n".join(text), x, y, 10)
    return one.model_copy(update={"box": one.box.model_copy(update={"height": 60})})


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("BILL TO:", "bill_to"),
        ("Delivery details", "delivery"),
        ("购买方信息", "buyer"),
        ("销 售 方", "seller"),
        ("1. Customer information", "customer"),
        ("Vehicle details", "vehicle"),
        ("Invoice", ""),
        ("Thank you", ""),
        ("Details", ""),
    ],
)
def test_a_heading_names_its_section_where_it_names_a_party_or_says_details(heading: str, name: str):
    assert section_name(heading) == name


def test_wording_that_runs_down_names_the_labels_to_its_right():
    page = layout_of(
        upright("购买方信息", 18, 100), upright("销售方信息", 303, 100),
        block("名称：", 34, 110, 20), labelled("东方公司", 60, 110, "名称"),
        block("名称：", 319, 110, 20), labelled("西方公司", 345, 110, "名称"),
    )  # fmt: skip

    assert sections_of(page) == {"东方公司": "buyer", "西方公司": "seller"}


def test_a_heading_names_what_stands_closely_below_it():
    page = layout_of(
        block("Bill to", 40, 100), block("Ship to", 300, 100),
        block("Phone", 40, 114, 30), labelled("111", 80, 114, "Phone"),
        block("Phone", 300, 114, 30), labelled("222", 340, 114, "Phone"),
        block("Due", 40, 190, 30), labelled("1 May", 80, 190, "Due"),
    )  # fmt: skip

    assert sections_of(page) == {"111": "bill_to", "222": "ship_to"}


def test_a_label_with_its_value_beside_it_heads_nothing():
    page = layout_of(
        block("Customer", 40, 100), labelled("Anna", 110, 100, "Customer"),
        block("Date", 40, 114), labelled("1 May", 110, 114, "Date"),
    )  # fmt: skip

    assert sections_of(page) == {}


def test_only_names_that_several_sections_share_get_the_section_in_front():
    names = {"a": "name", "b": "name", "c": "date", "d": "date", "e": "phone", "f": "total", "g": "total",
             "h": "count", "i": "count"}  # fmt: skip
    sections = {"a": "buyer", "b": "seller", "d": "delivery", "e": "buyer", "f": "payment", "g": "payment",
                "h": "buyer", "i": "seller"}  # fmt: skip

    assert qualified(names, sections) == {
        "a": "buyer_name", "b": "seller_name", "c": "date", "d": "delivery_date", "e": "phone",
        "f": "total", "g": "total", "h": "count", "i": "count",
    }  # fmt: skip
