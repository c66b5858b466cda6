"""A value without a label is named after what kind of value it is."""

from __future__ import annotations

import pytest

from bandsmith.services.generator.mapping.telling_values import name_of_values
from bandsmith.services.generator.mapping.unlabelled import stem_of
from bandsmith.shared.fields.value_types import DATE, STRING
from tests.each_case import each


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Quayside 2, Falmouth TR11 3XY", "address"),
        ("Springfield, IL 62704", "address"),
        ("10115 Berlin", "address"),
        ("+20%", "percentage"),
        ("GSTIN 27AAACB1234C1Z5\n22 boxes in all", "tax_number"),
        ("Dock Street 7\n1050 Brussels", "address"),
        ("128-130 HAMPSHIRE ROAD", "address"),
        ("Level 2, 917 Riversdale Road", "address"),
        ("1 Hacker Way", "address"),
        ("52 RUE DES FLEURS", "address"),
        ("Lindenstraße 14 b", "address"),
        ("SUNSHINE VIC 3020", "address"),
        ("東京都港区虎ノ門１丁目", "address"),
        ("无锡市锡山区友谊北路 88 号", "address"),
        ("632c College Dr.", "address"),
        ("Colorado Springs CO 80907", "address"),
        ("08100,MOLLET DEL VALLÈS", "address"),
        ("PO BOX 61050", "address"),
        ("Calder Valley Nurseries Ltd", "company"),
        ("Haitong Tools Co., Ltd.", "company"),
        ("CENTRE COM SUNSHINE PTY LTD", "company"),
        ("株式会社青空", "company"),
        ("100000499", "number"),
        ("杭州青禾文化传播有限公司", "company"),
        ("Brightwater Marina", "heading"),
        ("Order 66120 was late", "heading"),
    ],
)
def test_addresses_companies_and_long_numbers_are_called_so(text: str, name: str):
    assert stem_of([text], STRING, "title") == name


def test_a_time_of_day_is_no_date():
    assert stem_of(["16:42"], DATE, "title") == "time"
    assert stem_of(["05/10/2026"], DATE, "title") == "date"


@each(
    "label, texts, name",
    [
        ("单位：", ["人民币（元/含税）"], "currency"),
        ("单位", ["元"], "currency"),
        ("单位", ["松山湖材料实验室"], ""),
        ("Qty", ["pcs", None, "box"], "unit"),
        ("Qty", ["3", "5 pcs"], ""),
        ("USt-ID", ["info@hof.example"], "email"),
        ("Tel.", ["www.hof.example"], "website"),
        ("Contact", ["info@hof.example"], ""),
    ],
)
def test_values_that_tell_more_than_their_label_name_the_field(label: str, texts: list[str | None], name: str) -> None:
    assert name_of_values(texts, label) == name


def test_an_amount_in_words_and_a_date_behind_its_place_are_named_after_what_they_are():
    assert stem_of(["Forty Thousand Two Hundred"], STRING, "title") == "amount_in_words"
    assert stem_of(["Rs. Two Lakh Ten Thousand Only"], STRING, "title") == "amount_in_words"
    assert stem_of(["壹佰贰拾玖元玖角整"], STRING, "title") == "amount_in_words"
    assert stem_of(["Celje, 30.12.2025"], STRING, "title") == "date"


@pytest.mark.parametrize("text", ["Thousand Oaks", "Million Dollar Arcade", "One Hundred Acre Wood", "元正"])
def test_a_name_with_a_numeral_is_no_amount_in_words(text: str):
    assert stem_of([text], STRING, "title") == "heading"
