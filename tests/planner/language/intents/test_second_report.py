"""A sentence that describes a whole report stays that where there is a report already: the user is asked about it."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.intents import classify
from tests.planner.conftest import Objects

from .test_asking import LARGER, STOCK, asked, says

DESCRIPTIONS = [
    "generate a sales report with customer and amount",
    "generate sales report with customer and amount",
    "create a sales report with customer and amount",
    "生成一张包含客户和金额的销售报表",
]
UNCLEAR = "make a summary list that my boss will like"
"""Words that rules take for another report without reading all of them."""


@pytest.mark.parametrize("text", DESCRIPTIONS)
async def test_a_whole_description_is_a_new_report_that_is_asked_about(objects: Objects, text: str):
    found = await asked(text, None, objects)
    assert found.intent == "initial_generation" and not found.replaces and found.spec


@pytest.mark.parametrize("text", DESCRIPTIONS)
@pytest.mark.parametrize("reply", [says("unknown"), says("modify_report", edits=[LARGER])], ids=["unknown", "change"])
async def test_no_model_takes_a_whole_description_for_a_change(start, objects: Objects, text: str, reply: str):
    model, server = start([reply])
    found = await asked(text, model, objects)
    assert (found.intent, found.by, found.change) == ("initial_generation", "rules", None)
    assert server.requests == []


@pytest.mark.parametrize(
    ("reply", "intent"),
    [
        (says("unknown"), "initial_generation"),
        (says("modify_report", edits=[LARGER]), "modify_report"),
        (says("initial_generation", spec=STOCK), "initial_generation"),
    ],
)
async def test_of_an_unclear_description_a_model_may_say_that_it_is_a_change(
    start, objects: Objects, reply: str, intent: str
):
    guess = classify(UNCLEAR, has_template=True)
    assert guess.sure and guess.intent == "initial_generation"
    model, _ = start([reply])
    assert (await asked(UNCLEAR, model, objects)).intent == intent


@pytest.mark.parametrize("text", ["create report title", "add a report date", "generate a total", "add report numbers"])
def test_a_part_that_is_called_after_the_report_is_no_report(text: str):
    assert classify(text, has_template=True).intent == "modify_report"
