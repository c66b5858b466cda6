"""What is found out about a question before its query is written: by rules, and by a model only where they cannot."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bandsmith.services.planner.data.assess_question import may_be_about
from bandsmith.services.planner.data.questions import answer_from_source
from bandsmith.services.planner.data.relate_tables import relations
from bandsmith.services.planner.data.similar_questions import similar_questions
from bandsmith.services.planner.data.verified import VerifiedQuestion
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.events import AssessQuestion, EnhanceQuestion, QuestionAssessed, QuestionEnhanced
from bandsmith.shared.llm import model_from
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply, ScriptedRequest
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.source import AskedQuestion, Asking, ForeignKey, SourceColumn, SourceSchema, SourceTable
from bandsmith.shared.model.source_text import schema_text
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import source_of, write_sources

MODEL = Allowance(calls=9, tokens=90_000)
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
MOST = AskedQuestion(source="shop", question="Which city bought most?", query="SELECT city FROM customers LIMIT 1")
ASKED_BACK = MOST.model_copy(update={"query": "", "answer": "By amount or by orders?"})


def table(name: str, *columns: str, keys: tuple[ForeignKey, ...] = ()) -> SourceTable:
    return SourceTable(
        name=name, columns=[SourceColumn(name=one, type="TEXT") for one in columns], foreign_keys=list(keys)
    )


def key(column: str, other: str) -> ForeignKey:
    return ForeignKey(columns=[column], table=other, references=["id"])


def schema(*tables: SourceTable) -> SourceSchema:
    return SourceSchema(source="shop", dialect="sqlite", tables=list(tables))


SHOP = schema(
    table("customers", "id", "name", "city"),
    table("orders", "id", "customer_id", keys=(key("customer_id", "customers"),)),
    table("lines", "order_id", "product_id", keys=(key("order_id", "orders"), key("product_id", "products"))),
    table("products", "id", "price"),
)


@pytest.fixture(autouse=True)
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path))
    write_sources(SourceSettings().file, {"shop": source_of("shop", "postgresql://reader@localhost/shop")})
    yield


async def handled(command: EnhanceQuestion | AssessQuestion, reply: dict | ScriptedReply, bus: MemoryBus):
    """Return the event of a model that replies so, and the requests that it got."""
    said = reply if isinstance(reply, ScriptedReply) else ScriptedReply(json.dumps(reply, ensure_ascii=False))
    with ScriptedModel([said]) as server:
        model = model_from(server.settings(retries=0))
        event = await answer_from_source(bus, command, model)
        await model.close()
    return event, server.requests


# --- enhance_question -------------------------------------------------------------------------------------------------

WHOLE = {"question": "Which city bought least?", "words": ["town"], "clarify": ""}


async def enhanced(
    text: str, before: list[AskedQuestion], reply: dict | ScriptedReply = WHOLE
) -> tuple[QuestionEnhanced, list[ScriptedRequest]]:
    command = EnhanceQuestion(owner="", source="shop", question=text, conversation=before, began=NOW, allowance=MODEL)
    return await handled(command, reply, MemoryBus())


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("How many customers are there?", []),
        ("How many orders were there last month?", []),
        ("How many customers are there in Leeds?", [MOST]),
        ("and least?", []),
    ],
)
async def test_a_question_that_needs_no_other_asks_no_model(text: str, before: list[AskedQuestion]):
    event, requests = await enhanced(text, before)
    assert requests == [] and event.usage.calls == 0 and event.answer == ""
    assert event.is_rewritten == (event.question != text) == ("last month" in text)


@pytest.mark.parametrize(
    ("text", "before"), [("and least?", MOST), ("其中哪些是新的？", MOST), ("by amount", ASKED_BACK)]
)
async def test_a_question_that_refers_to_the_one_before_is_written_as_a_whole(text: str, before: AskedQuestion):
    event, (request,) = await enhanced(text, [before])
    assert (event.question, event.is_rewritten) == ("Which city bought least?", True)
    assert event.expanded == [MOST.question, "town"]
    assert MOST.question in request.text and "2026-11-27" in request.text and text in request.fenced[-1]
    assert before.answer in request.text


async def test_a_question_that_may_mean_two_things_is_asked_back():
    event, _ = await enhanced("and those?", [MOST], {"question": "", "words": [], "clarify": "Which ones?"})
    assert (event.answer, event.question, event.query) == ("Which ones?", "and those?", "")


async def test_without_an_answer_of_a_model_the_question_goes_on_as_it_is():
    event, _ = await enhanced("and least?", [MOST], ScriptedReply("down", status=503))
    assert (event.question, event.answer, event.is_rewritten) == ("and least?", "", False)


# --- recall_evidence --------------------------------------------------------------------------------------------------


def test_verified_questions_that_resemble_it_are_shown_with_their_queries():
    known = [
        VerifiedQuestion(question="How many customers are there in Leeds?", query="SELECT COUNT(*)\nFROM customers"),
        VerifiedQuestion(question="Which products are cheap?", query="SELECT id FROM products"),
    ]
    shown = similar_questions("How many customers are there in York?", known, SHOP)
    assert shown == ["Verified: How many customers are there in Leeds? SELECT COUNT(*) FROM customers"]


def test_a_query_on_a_sensitive_column_is_not_shown():
    customers = SourceTable(name="customers", columns=[SourceColumn(name="email", type="TEXT", is_sensitive=True)])
    known = [VerifiedQuestion(question="Customers of a@b.c", query="SELECT 1 FROM customers WHERE email = 'a@b.c'")]
    assert similar_questions("customers of x@y.z", known, schema(customers)) == []


# --- relate_tables ----------------------------------------------------------------------------------------------------


def test_tables_that_only_others_join_are_said_with_those_between():
    (line,) = relations(SHOP, ["Which customers bought products?"])
    assert line == "products and customers are joined through lines, orders"


def test_several_keys_between_two_tables_are_all_said():
    flights = table("flights", "origin", "target", keys=(key("origin", "airports"), key("target", "airports")))
    (line,) = relations(schema(table("airports", "id"), flights), ["flights to each of the airports"])
    assert line.endswith("can be joined in 2 ways: flights.origin = airports.id or flights.target = airports.id")


def test_what_one_key_joins_needs_no_word():
    assert relations(SHOP, ["orders of customers"]) == []


# --- assess -----------------------------------------------------------------------------------------------------------


async def assessed(question: str, reply: dict | ScriptedReply, **more: Any) -> tuple[QuestionAssessed, list]:
    bus = MemoryBus()
    database = await bus.put(SHOP.model_dump_json().encode(), "application/json")
    values: dict[str, Any] = {
        "asking": Asking(),
        "shown_tables": [],
        "evidence": [],
        "language": "en",
        "allowance": MODEL,
    } | more
    return await handled(AssessQuestion(question=question, database=database, **values), reply, bus)


NO_WEATHER = {"assessment": "chat", "reply": "There is no weather here."}


async def test_a_question_that_shares_no_word_with_the_source_is_assessed():
    event, (request,) = await assessed("Will it rain tomorrow?", NO_WEATHER)
    assert event.answer == "There is no weather here." and "customers" in request.text


async def test_a_question_that_a_model_takes_for_one_about_the_data_goes_on():
    event, _ = await assessed("Who earns best?", {"assessment": "analysis", "reply": ""})
    assert event.answer == "" and event.usage.calls == 1


@pytest.mark.parametrize(
    ("question", "more"),
    [
        ("How many customers are there?", {}),
        ("每个城市有多少客户？", {}),
        ("Will it rain tomorrow?", {"asking": Asking(analyse=True)}),
        ("Will it rain tomorrow?", {"conversation": [MOST]}),
        ("Will it rain tomorrow?", {"evidence": ["rain = SUM(price)"]}),
        ("Will it rain tomorrow?", {"allowance": Allowance()}),
    ],
    ids=["a word", "another script", "an analysis", "a conversation", "evidence", "no allowance"],
)
async def test_elsewhere_no_model_is_asked(question: str, more: dict):
    event, requests = await assessed(question, NO_WEATHER, **more)
    assert event == QuestionAssessed() and requests == []


async def test_without_an_answer_of_a_model_a_query_is_written():
    event, _ = await assessed("Will it rain tomorrow?", ScriptedReply("down", status=503))
    assert event.answer == ""


def test_values_that_are_shown_count_as_words_of_the_source():
    city = SourceColumn(name="c1", type="TEXT", samples=["Leeds"])
    shown = schema_text(schema(SourceTable(name="t1", columns=[city])))
    assert may_be_about("who lives in Leeds?", shown, []) and not may_be_about("who lives in York?", shown, [])
