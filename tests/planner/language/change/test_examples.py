"""Sentences that are offered where one could not be read."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.change import examples
from bandsmith.services.planner.language.change.rule_parser import read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.language import Language

from .templates import ALL, leave

FORMS: dict[Language, str] = {"en": "sales", "zh": "slip"}


def view(language: Language) -> TemplateView:
    return TemplateView(Editor(ALL[FORMS[language]]()[0]))


@pytest.mark.parametrize("language", FORMS)
def test_every_example_is_read(language: Language):
    report = view(language)
    for example in examples._examples(language):
        reading = read_request(example.say.format(**examples._headings(report)), report)
        assert not (reading.unread or reading.refusals), example.say


@pytest.mark.parametrize(
    ("language", "clause", "offered"),
    [
        ("en", "I'd like the biggest amounts first", "sort by Amount descending"),
        ("en", "get a sum of everything at the end", "add a total of Amount at the bottom"),
        ("zh", "从高到低排一下金额", "按金额从大到小排序"),
        ("zh", "超过一千的给我突出一下", "金额大于1000标红"),
    ],
)
def test_the_nearest_example_names_columns_of_the_report(language: Language, clause: str, offered: str):
    assert examples.nearest(clause, view(language), language)[0] == offered


def test_nothing_is_offered_for_words_that_no_example_has():
    assert examples.nearest("frobnicate the whatsit", view("en"), "en") == []


def test_a_report_without_columns_offers_nothing():
    assert examples.nearest("sort it by amount", TemplateView(Editor(leave()[0])), "en") == []
