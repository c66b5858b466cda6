"""A new value or wording without quotation marks ends before a remark; what follows is never printed with it."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.change.unquoted import runs_on
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor

from .templates import ALL


def read(form: str, sentence: str) -> RequestReading:
    template, data = ALL[form]()
    return read_request(sentence, TemplateView(Editor(template), data))


@pytest.mark.parametrize(
    "words",
    [
        "20-11-43 - please do it quickly",
        "LM-2026-0148. Please double check",
        "LM-2026-0150 as the old one was used already",
        "Mrs H. Ashdown (she dislikes her first name)",
        "six weeks, not four",
        "Mr Peter Ashdown, he took over",
        "Price and tell the customer",
        "0573-87002217（原来的停机了）",
        "周敏，沈晓岚离职了",
        "清川机电有限公司（新名字）",
        "附注 之前的不对",
        "折扣。麻烦再检查一遍",
    ],
)
def test_a_remark_after_the_words_is_no_part_of_them(words: str):
    assert runs_on(words)


@pytest.mark.parametrize(
    "words",
    [
        "Tobias Renn, Harbour Cafe Ltd",
        "M. Delacroix",
        "Acme (UK) Ltd. Co",
        "12 High Street, Bath BA1 4QT",
        "Profit and loss",
        "QUOTATION - DRAFT",
        "海宁市文苑路 90 号 3 号仓库",
        "宏远（北京）贸易公司",
        "2026年3月20日，上午",
    ],
)
def test_marks_within_a_name_or_an_address_belong_to_it(words: str):
    assert not runs_on(words)


@pytest.mark.parametrize(
    ("form", "sentence", "unread"),
    [
        ("leave", "Name should be Ines Vandermeer. Please double check", "double check"),
        ("leave", "Name should be Ines Vandermeer, she got married", "she got married"),
        ("slip", "客户改成宏达贸易公司吧，之前写错了", "之前写错了"),
    ],
)
def test_the_value_is_set_without_the_remark(form: str, sentence: str, unread: str):
    found = read(form, sentence)
    [value] = found.edits[0].model_dump()["values"].values()
    assert value in ("Ines Vandermeer", "宏达贸易公司")
    assert [*found.unread, *found.passed_over] == [unread]


@pytest.mark.parametrize(
    ("sentence", "heading"),
    [("rename Item to Product. Please double check", "Product"), ("加一列规格在品名后面", "规格")],
)
def test_a_heading_ends_where_another_sentence_or_a_place_begins(sentence: str, heading: str):
    [edit] = read("sales" if sentence.isascii() else "slip", sentence).edits
    assert heading in edit.model_dump().values()
