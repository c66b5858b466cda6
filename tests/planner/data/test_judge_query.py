"""Whether a query answers its question is judged by a model; what it says is taken only as far as it can be met."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bandsmith.services.planner.data.questions import answer_from_source
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.events import JudgeQuery, QueryJudged
from bandsmith.shared.llm import model_from
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.source import AskedQuestion, SourceColumn, SourceSchema, SourceTable

SCHEMA = SourceSchema(
    source="shop",
    dialect="sqlite",
    tables=[
        SourceTable(name="Orders", columns=[SourceColumn(name="customer_id", type="INTEGER", comment="who bought")]),
        SourceTable(name="staff", columns=[SourceColumn(name="salary", type="INTEGER")]),
    ],
)
QUESTION = "How many customers bought in March 2026?"
QUERY = "WITH bought AS (SELECT customer_id FROM orders) SELECT COUNT(*) FROM bought"
BEFORE = AskedQuestion(source="shop", question="Who bought most?", query="SELECT 1 AS most")


async def judged(reply: dict | ScriptedReply, allowance: int = 9, **more: Any) -> tuple[QueryJudged, list]:
    """Return the judgement of a model that replies so, and the requests that it got."""
    bus = MemoryBus()
    database = await bus.put(SCHEMA.model_dump_json().encode(), "application/json")
    said = reply if isinstance(reply, ScriptedReply) else ScriptedReply(json.dumps(reply, ensure_ascii=False))
    values: dict[str, Any] = {"question": QUESTION, "query": QUERY, "language": "en", "conversation": [BEFORE]} | more
    command = JudgeQuery(database=database, allowance=Allowance(calls=allowance, tokens=90_000), **values)
    with ScriptedModel([said]) as server:
        model = model_from(server.settings(retries=0))
        event = await answer_from_source(bus, command, model)
        await model.close()
    assert isinstance(event, QueryJudged)
    return event, server.requests


async def test_the_judge_sees_the_question_the_query_and_what_its_columns_mean():
    event, (asked,) = await judged({"verdict": "answers"})
    assert event == QueryJudged(usage=event.usage) and event.usage.calls == 1
    assert QUESTION in asked.text and QUERY in asked.text and "who bought" in asked.text
    assert "SELECT 1 AS most" in asked.text and "salary" not in asked.text  # of a table that the query does not read


@pytest.mark.parametrize(
    ("language", "question", "part", "words"),
    [
        ("en", QUESTION, "how many customers", "The query does not answer “how many customers”: it counts orders."),
        ("zh", "三月有多少客户购买？", "“多少客户”", "查询没有回答“多少客户”：it counts orders。"),
    ],
)
async def test_a_doubt_names_the_part_of_the_question_that_differs(language, question, part, words):
    reply = {"verdict": "differs", "part": part, "reason": "it counts orders."}
    event, _ = await judged(reply, language=language, question=question)
    assert event.doubt == words and event.doubted_part == part.strip("“”")
    assert event.reason.startswith("The query does not answer")  # in English, for a model


async def test_a_doubt_about_something_that_was_not_asked_lets_the_query_run_and_is_noted():
    event, _ = await judged({"verdict": "differs", "part": "sorted by name", "reason": "It has no order"})
    assert event.doubt == "" and event.notes == [
        "Whether the query answers the question cannot be told: It has no order."
    ]


async def test_a_judge_that_cannot_tell_lets_the_query_run_and_says_what_is_missing():
    event, _ = await judged({"verdict": "cannot_tell", "reason": "Nothing says what 3 means."})
    assert event.doubt == "" and "Nothing says what 3 means." in event.notes[0]


async def test_a_doubt_without_a_part_goes_back_to_the_judge():
    event, asked = await judged({"verdict": "differs", "reason": "It is wrong."})
    assert len(asked) == 2 and "part, reason" in asked[-1].text
    assert event.doubt == "" and "was not judged" in event.notes[0]


async def test_a_judge_that_fails_lets_the_query_run_and_it_is_noted():
    event, _ = await judged(ScriptedReply("down", status=503))
    assert event.doubt == "" and "was not judged" in event.notes[0]


async def test_a_setting_switches_the_judge_off(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BANDSMITH_MODEL_JUDGE", "false")
    event, asked = await judged({"verdict": "differs", "part": "customers", "reason": "It counts orders."})
    assert event == QueryJudged() and asked == []


async def test_without_an_allowance_no_judge_is_asked():
    event, asked = await judged({"verdict": "answers"}, allowance=0)
    assert event == QueryJudged() and asked == []
