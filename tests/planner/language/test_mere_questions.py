"""A message is a mere question if no sentence of it may be a wish for the report."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.questions import is_mere_question, lists_names


@pytest.mark.parametrize(
    "text",
    [
        "what is a band?",
        "How do I set a footer? And why is it empty?",
        "页脚是什么",
        "explain groups",
        "版本 1.5 支持什么？",
    ],
)
def test_sentence_that_asks_wishes_nothing(text: str):
    assert is_mere_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "which share has each customer? two decimals, on the left",
        "nobody can see that these are euros. it should be clear",
        "运费单独列出来，不要算进去",
        "do the total row the same way",
        "do the same for the footer",
    ],
)
def test_sentence_that_says_more_may_be_a_wish(text: str):
    assert not is_mere_question(text)


@pytest.mark.parametrize(
    ("text", "is_list"),
    [
        ("petty cash book: date, what for, in, out, balance", True),
        ("visitors book for reception: date, name, who they came to see, time in, time out", True),
        ("Can you make a booking list: room, day, from, to, who booked", True),
        ("出差申请单：申请人、部门、事由、一共几天，怎么去", True),
        ("what is the difference between bands, groups, fields and parameters?", False),
        ("how do I make an invoice with item, quantity, price, amount", False),
        ("页眉、页脚、列头、明细有什么区别？", False),
    ],
)
def test_a_list_of_names_is_no_question_although_one_is_worded_so(text: str, is_list: bool):
    assert lists_names(text) == is_list
