"""Reading a report spec for a command: by rules, and by a model where they are unsure."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from bandsmith.services.generator.actor import GeneratorActor
from bandsmith.services.generator.generate_report import generate_report
from bandsmith.services.planner.actor import PlannerActor
from bandsmith.services.planner.language.spec import read_spec
from bandsmith.services.planner.language.text_files import MAX_BYTES
from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.events import GenerateReport, ReadSpec, ReportGenerated, SpecRead
from bandsmith.shared.llm import Allowance, Model, Usage, model_from
from bandsmith.shared.llm.scripted import ScriptedModel
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.plan import Data
from tests.generator.test_actor import MemoryStore

CLEAR = "a sales report with customer, date and amount"
VAGUE = "something for the auditors about what our people spent on their travels to the fairs"
TRAVEL_COSTS = {
    "title": "Travel costs",
    "columns": [
        {"label": "Traveller", "name": "employee"},
        {"label": "Cost", "type": "money", "total": "sum", "pattern": "#,##0.00 €"},
        {"label": "When", "type": "date", "pattern": "${System.exit(1)}"},
    ],
    "group_by": ["Fair"],
}
SOME_ALLOWANCE = Allowance(calls=3, tokens=50_000)


def asked(text: str, **more: object) -> ReadSpec:
    command = {"text": text, "texts": [], "language": "en", "passages": [], "allowance": Allowance()}
    return ReadSpec.model_validate(command | more)


class Built(NamedTuple):
    event: ReportGenerated
    usage: Usage


async def built(store: MemoryStore, command: ReadSpec, model: Model | None) -> Built:
    """The report of a sentence."""
    request, usage = await read_spec(store, command, model)
    spec = await store.put(request.model_dump_json().encode(), "application/json")
    return Built(await generate_report(store, GenerateReport(spec=spec)), usage)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def server():
    with ScriptedModel([json.dumps({"spec": TRAVEL_COSTS, "in_other_words": [VAGUE]})]) as server:
        yield server


@pytest.fixture
async def model(server: ScriptedModel) -> AsyncIterator[Model]:
    model = model_from(server.settings())
    assert model is not None
    yield model
    await model.close()


async def template_of(store: MemoryStore, event: ReportGenerated) -> str:
    return (await store.get(event.template)).decode()


async def test_actors_answer_with_a_template_data_and_assumptions(store: MemoryStore) -> None:
    read = await PlannerActor(store).handle(asked(CLEAR))
    assert isinstance(read, SpecRead)
    event = await GeneratorActor(store).handle(GenerateReport(spec=read.spec))
    assert isinstance(event, ReportGenerated)
    data = Data.model_validate_json(await store.get(event.data))
    assert list(data.rows[0]) == ["customer", "date", "amount"]
    assert event.notes[-1] == "The sample rows are made up."
    assert read.usage.calls == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
async def test_attached_text_file_gives_the_sample_rows(store: MemoryStore, encoding: str) -> None:
    content = await store.put("品名,数量\n茶,3\n".encode(encoding), "text/csv")
    event, _ = await built(store, asked("用这个做报表", texts=[Document(name="a.csv", content=content)]), None)
    assert Data.model_validate_json(await store.get(event.data)).rows == [{"product": "茶", "quantity": 3}]


async def test_long_text_is_read_where_the_limit_splits_a_character(store: MemoryStore) -> None:
    content = await store.put(("品名,数量\n茶,3\n" + "茶" * MAX_BYTES).encode(), "text/csv")
    event, _ = await built(store, asked("用这个做报表", texts=[Document(name="a.csv", content=content)]), None)
    assert "product" in Data.model_validate_json(await store.get(event.data)).rows[0]


async def test_binary_file_is_refused(store: MemoryStore) -> None:
    content = await store.put(b"\x89PNG\r\n\x1a\n\x00\x01" * 9, "text/plain")
    with pytest.raises(BadInput, match="does not match its name"):
        await built(store, asked(CLEAR, texts=[Document(name="a.txt", content=content)]), None)


async def test_clear_request_needs_no_model_call(store: MemoryStore, server: ScriptedModel, model: Model) -> None:
    _, usage = await built(store, asked(CLEAR, allowance=SOME_ALLOWANCE), model)
    assert server.requests == [] and usage.calls == 0


async def test_model_is_asked_once_where_rules_are_unsure(
    store: MemoryStore, server: ScriptedModel, model: Model
) -> None:
    event, usage = await built(store, asked(VAGUE, allowance=SOME_ALLOWANCE), model)
    template = await template_of(store, event)
    assert len(server.requests) == 1 and usage.calls == 1
    assert "Travel costs" in template and "#,##0.00 €" in template and '<group name="fair"' in template
    assert "System.exit" not in template
    assert server.requests[0].prompt == "initial_generation"


async def test_reading_of_the_rules_is_used_where_the_model_fails(store: MemoryStore) -> None:
    text = "a table with name and city, just the way that our auditors liked it in former years"
    with ScriptedModel(["no JSON at all"]) as server:
        model = model_from(server.settings())
        event, usage = await built(store, asked(text, allowance=SOME_ALLOWANCE), model)
        assert model is not None
        await model.close()
    assert "name" in Data.model_validate_json(await store.get(event.data)).rows[0]
    assert usage.calls >= 1


async def test_a_message_that_a_model_calls_no_report_is_answered_and_builds_none(store: MemoryStore) -> None:
    with ScriptedModel(['{"no_report": "That is a reminder, so no report was made of it."}']) as server:
        model = model_from(server.settings())
        with pytest.raises(TerminalError, match="No report was made: That is a reminder") as refused:
            await built(store, asked("call Mr Wang tomorrow at three", allowance=SOME_ALLOWANCE), model)
        assert model is not None
        await model.close()
    assert refused.value.code == "wish"


async def test_vague_request_without_a_model_is_refused(store: MemoryStore) -> None:
    with pytest.raises(TerminalError) as refused:
        await built(store, asked(VAGUE), None)
    assert refused.value.code == "wish"


async def test_model_that_forgets_a_part_is_asked_once_more_and_the_part_is_a_change(store: MemoryStore) -> None:
    reply = json.dumps({"spec": TRAVEL_COSTS, "in_other_words": [VAGUE]})
    with ScriptedModel([reply, reply]) as server:
        model = model_from(server.settings())
        command = asked(f"{VAGUE}, two across, high costs in red", allowance=SOME_ALLOWANCE)
        request, usage = await read_spec(store, command, model)
        assert model is not None
        await model.close()
    assert request.unread == ["two across", "high costs in red"]
    assert usage.calls == 2 and "high costs in red" in server.requests[1].messages[-1]["content"]


@pytest.mark.parametrize(
    "text", ["stock list: article, ok (tick box), hours", "ledger: date, gain, loss, running balance"]
)
async def test_reading_of_the_rules_that_lacks_a_word_goes_to_the_model(
    store: MemoryStore, server: ScriptedModel, model: Model, text: str
) -> None:
    await read_spec(store, asked(text, allowance=SOME_ALLOWANCE), model)
    asks = bool(server.requests)
    assert asks == ("running" in text)  # a box to tick is a kind of column
