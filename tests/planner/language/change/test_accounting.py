"""Every word of a request is accounted for: a word more is refused, or what is made of the request shows it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from bandsmith.services.planner.language.change.rule_parser import read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from tests.yaml_files import read_yaml

from .templates import ALL

SENTENCES = [
    sentence
    for name in ("sentences.yaml", "look_sentences.yaml")
    for sentence in read_yaml(Path(__file__).with_name(name))
]
EVERY = 4
"""Each fourth sentence is tried; a third of those by the fast tests."""
ENGLISH = (
    "quarterly", "vendor", "warehouse", "remaining", "overdue", "shipped", "except", "unless", "previous", "deposit",
)  # fmt: skip
CHINESE = ["季度", "仓库", "供应商", "除了", "负数", "本月", "去年", "双倍", "每次", "押金", "附近"]


@pytest.fixture(scope="module")
def views() -> dict[str, TemplateView]:
    return {form: TemplateView(Editor(template), data) for form, (template, data) in made().items()}


def made() -> dict[str, Any]:
    return {form: make() for form, make in ALL.items()}


def with_a_word_more(sentence: str, chance: random.Random) -> tuple[str, str]:
    """Return a sentence with a word of another subject put between two of its words, and that word."""
    if re.search("[\u3400-\u9fff]", sentence):
        word, at = chance.choice(CHINESE), chance.randrange(len(sentence) + 1)
        return sentence[:at] + word + sentence[at:], word
    words = sentence.split(" ")
    word = chance.choice(ENGLISH)
    words.insert(chance.randrange(len(words) + 1), word)
    return " ".join(words), word


@pytest.mark.parametrize("every", [3 * EVERY, pytest.param(EVERY, marks=pytest.mark.slow)])
def test_a_word_more_is_refused_or_shown(views: dict[str, TemplateView], every: int) -> None:
    chance = random.Random(1)
    for sentence in SENTENCES[::every]:
        if sentence.get("refused") or sentence.get("unclear"):
            continue
        text, word = with_a_word_more(sentence["say"], chance)
        reading = read_request(text, views[sentence.get("form", "sales")])
        shown = json.dumps([edit.model_dump() for edit in reading.edits], ensure_ascii=False)
        assert reading.unread or reading.refusals or word in shown.casefold() or not reading.edits, text


@pytest.mark.parametrize("word", ["late", "gate"])
def test_a_word_that_only_looks_like_a_column_is_not_that_column(word: str, views: dict[str, TemplateView]) -> None:
    reading = read_request(f"delete the {word} column", views["sales"])
    assert not reading.edits and f"no column {word}" in reading.refusals[0].en


@pytest.mark.parametrize("sentence", ['delete the text "Internal use online"', "make Internal use not only bold"])
def test_a_text_with_a_word_more_is_another_text(sentence: str, views: dict[str, TemplateView]) -> None:
    assert not read_request(sentence, views["sales"]).edits


@pytest.mark.parametrize("sentence", ["make the custumer column bold", "mkae the titel bold"])
def test_typing_errors_are_read(sentence: str, views: dict[str, TemplateView]) -> None:
    reading = read_request(sentence, views["sales"])
    assert reading.edits and not reading.unread


def test_a_column_goes_between_two_neighbours_only(views: dict[str, TemplateView]) -> None:
    between = "add a column Discount between {} and {}"
    assert read_request(between.format("quantity", "unit price"), views["sales"]).edits
    assert not read_request(between.format("customer", "amount"), views["sales"]).edits


def test_a_date_format_leaves_a_month_alone(views: dict[str, TemplateView]) -> None:
    template, data = ALL["sales"]()
    monthly = data.model_copy(update={"parameters": {**data.parameters, "period": "2026-03"}})
    assert read_request("date format dd/mm/yyyy", TemplateView(Editor(template), monthly)).edits


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("Period should say Month not Period", "Month:"),
        ("the title should say Sales 2026, not Sales report", "Sales 2026"),
    ],
)
def test_what_a_text_should_not_say_is_not_written(sentence: str, text: str, views: dict[str, TemplateView]) -> None:
    (edit,) = read_request(sentence, views["sales"]).edits
    assert getattr(edit, "text", "") == text


@pytest.mark.parametrize(
    "sentence", ["the title should say Sales 2026 not Purchases", "rename Item to Goods not Parts"]
)
def test_a_text_that_does_not_stand_there_is_not_replaced(sentence: str, views: dict[str, TemplateView]) -> None:
    assert not read_request(sentence, views["sales"]).edits


def test_the_same_for_a_total_is_no_other_total(views: dict[str, TemplateView]) -> None:
    reading = read_request("print 单价 with 3 decimals, and 合计 too", views["slip"])
    assert {(edit.do, getattr(edit, "name", "")) for edit in reading.edits} == {("set", "pattern")}
    assert len(reading.edits) == 2 and not reading.unread
