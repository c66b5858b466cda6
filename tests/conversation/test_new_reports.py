"""A new report of a model: what its spec does not hold is done in the same turn as a change, or said first."""

from __future__ import annotations

import pytest

from .conftest import Talk

pytestmark = [
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="package"),
    pytest.mark.parametrize("host", ["model"], indirect=True),
]

STOCK = {
    "title": "Stock alarm",
    "columns": [
        {"label": "Article", "name": "article"},
        {"label": "In stock", "name": "in_stock", "type": "integer"},
        {"label": "Least", "name": "least", "type": "integer"},
    ],
    "rows": [["Bolts", "3", "10"], ["Nuts", "40", "10"]],
}
RED = {"do": "highlight", "field": "in_stock", "comparison": "<", "value": "10", "row": True, "colour": "#FF0000"}


def planned(talk: Talk, **more: object) -> None:
    for prompt in ("intent_classify", "initial_generation"):
        talk.mind.says[prompt] = {"intent": "initial_generation", "spec": STOCK} | more


async def test_what_the_spec_does_not_hold_is_done_in_the_same_turn(talk: Talk):
    planned(talk, not_held=["rows in red where less than 10 are in stock"])
    talk.mind.says["modification"] = {"plan": "", "rules": "replace", "edits": [RED], "undone": ""}
    end = await talk.say(
        "stock alarm whatever my uncle calls it: article, in stock, least, rows in red where less than 10 are in stock"
    )
    template = await talk.template()
    assert "conditionalStyle" in template and "#FF0000" in template.upper()
    assert end.passed and (await talk.session()).report.number == 1


async def test_what_no_change_does_is_said_before_anything_else(talk: Talk):
    planned(talk, not_held=["mirrored"])
    talk.mind.says["modification"] = {
        "plan": "",
        "rules": "replace",
        "edits": [],
        "undone": "Mirrored letters are not possible.",
    }
    end = await talk.say("stock alarm whatever my uncle calls it: article, in stock, least, mirrored")
    assert "Mirrored letters are not possible." in end.reply.split(".")[0] + "." + end.reply.split(".")[1]
    assert not end.complete and end.passed


async def test_what_the_model_forgot_is_said_in_the_language_of_the_user(talk: Talk):
    planned(talk)
    talk.mind.says["modification"] = {"plan": "", "rules": "replace", "edits": [], "undone": ""}
    end = await talk.say("舅舅要的那种库存表：品名、库存、最低库存，一页两列，品名打成条形码")
    first = end.reply.split("。")[0]
    assert "没有读懂：“一页两列”" in end.reply and "Code 128 码" in end.reply and not end.complete
    assert first and not first.startswith("报表已生成")
