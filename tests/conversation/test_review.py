"""What a model says of the printed page leads the reply, and a review that fails loses nothing."""

from __future__ import annotations

import re

import pytest

from bandsmith.shared.llm.scripted import ScriptedReply

from .conftest import Talk

pytestmark = [
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="package"),
    pytest.mark.parametrize("host", ["model"], indirect=True),
]

REPORT = "generate a sales report with customer and amount"
QUOTE = "at the bottom right"
WISH = "put the word Draft at the bottom right, in my aunt's way"


async def told(talk: Talk, review: object):
    """Say a wish that the model carries out with a text at the top left, and return the end of the turn."""
    await talk.say(REPORT)
    edits = [{"do": "add", "key": "draft", "band": "title", "text": "Draft", "x": 0, "y": 0}]
    for prompt in ("intent_classify", "modification"):
        talk.mind.says[prompt] = {"intent": "modify_report", "edits": edits, "rules": "replace"}
    talk.mind.says["review_outcome"] = review
    talk.mind.asked = []
    return await talk.say(WISH)


def fact(asked: str, pattern: str) -> int:
    """The number of the fact that a pattern describes."""
    return int(re.search(rf"^(\d+)\. {pattern}", asked, re.MULTILINE)[1])


async def test_an_objection_leads_the_reply_and_the_turn_is_not_complete(talk: Talk):
    def objects(asked):
        number = fact(asked.text, '.*"Draft" x .* top left')
        return {"objections": [{"quote": QUOTE, "facts": [number], "shown": "Draft is at the top left."}]}

    end = await told(talk, objects)

    assert end.reply.startswith("Not as you asked, “at the bottom right”: Draft is at the top left.")
    assert not end.complete and end.status == "done" and "Draft" in await talk.template()
    assert talk.mind.calls[-1] == "review_outcome" and talk.mind.calls.count("review_outcome") == 1


async def test_a_quote_that_is_not_in_the_sentence_or_names_no_fact_is_dropped(talk: Talk):
    end = await told(
        talk,
        {
            "objections": [
                {"quote": "in red", "facts": [1], "shown": "It is black."},
                {"quote": "bottom right", "facts": [], "shown": "It is at the left."},
                {"quote": "bottom right", "facts": [999], "shown": "It is at the left."},
            ]
        },
    )
    assert end.complete and "Not as you asked" not in end.reply


FAILURES = [ScriptedReply("no", status=401), "I do not know.", "[", ScriptedReply("", finish="length")]


@pytest.mark.parametrize("reply", FAILURES)
async def test_a_review_that_fails_keeps_the_change_and_says_so(talk: Talk, reply: object):
    end = await told(talk, reply)
    assert end.complete and end.passed and "Draft" in await talk.template()
    assert any("was not compared" in note for note in end.notes)


async def test_a_turn_without_a_part_of_the_model_is_not_reviewed(talk: Talk):
    await talk.say(REPORT)
    await talk.say("undo")
    assert "review_outcome" not in talk.mind.calls
