"""A message is a mere question if no sentence of it may be a wish for the report."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.questions import is_mere_question


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
    ],
)
def test_sentence_that_says_more_may_be_a_wish(text: str):
    assert not is_mere_question(text)
