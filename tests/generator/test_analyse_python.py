"""The result of a step in Python is read by a model; what it says has figures by reference only."""

from __future__ import annotations

import json

import pyarrow
import pytest

from bandsmith.services.generator.actor import GeneratorActor
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.events import AnalysePython, PythonAnalysed
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.analysis import AnalysisStep, StepResult
from bandsmith.shared.model.source import SourceColumn, SourceSchema, SourceTable

STEP = AnalysisStep(name="top", kind="python", task="The first city", uses=["by_city"])
BY_CITY = StepResult(name="by_city", task="Sales by city", query="SELECT city, SUM(amount) FROM sales GROUP BY city")
SAYS = {"verdict": "answers", "reason": "", "text": "Most came from {{top.city}}."}


async def read(
    monkeypatch: pytest.MonkeyPatch, reply: dict | ScriptedReply, *, is_sensitive: bool = False
) -> tuple[PythonAnalysed, list]:
    bus = MemoryBus()
    column = SourceColumn(name="city", type="TEXT", is_sensitive=is_sensitive)
    schema = SourceSchema(source="shop", dialect="sqlite", tables=[SourceTable(name="sales", columns=[column])])
    sink = pyarrow.BufferOutputStream()
    table = pyarrow.table({"city": ["Leeds"], "total": [30_000.0]})
    with pyarrow.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    said = reply if isinstance(reply, ScriptedReply) else ScriptedReply(json.dumps(reply))
    with ScriptedModel([said]) as server:
        monkeypatch.setenv("BANDSMITH_MODEL_URL", server.url)
        monkeypatch.setenv("BANDSMITH_MODEL_NAME", "scripted")
        monkeypatch.setenv("BANDSMITH_MODEL_RETRIES", "0")
        actor = GeneratorActor(bus)
        event = await actor.handle(
            AnalysePython(
                question="Where did most sales come from?",
                step=STEP,
                step_code="result = by_city.head(1)",
                result=await bus.put(sink.getvalue().to_pybytes(), "application/vnd.apache.arrow.stream"),
                database=await bus.put(schema.model_dump_json().encode(), "application/json"),
                results=[BY_CITY],
                language="en",
                allowance=Allowance(calls=9, tokens=90_000),
            )
        )
        await actor.stop()
    assert isinstance(event, PythonAnalysed)
    return event, server.requests


async def test_what_a_result_says_comes_with_references(monkeypatch: pytest.MonkeyPatch):
    event, (asked,) = await read(monkeypatch, SAYS)
    assert event.step_explanation == "Most came from {{top.city}}." and event.doubt == ""
    assert "Leeds" in asked.text and "by_city.head(1)" in asked.text and "The first city" in asked.text


async def test_no_model_sees_rows_that_come_from_a_sensitive_column(monkeypatch: pytest.MonkeyPatch):
    event, (asked,) = await read(monkeypatch, SAYS, is_sensitive=True)
    assert event.step_explanation and "Leeds" not in asked.text


async def test_a_result_of_something_else_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch):
    event, _ = await read(monkeypatch, {"verdict": "differs", "reason": "It is the last city.", "text": ""})
    assert event.doubt == event.reason == "The result is not what the step is to give: It is the last city."


async def test_a_text_with_a_figure_of_its_own_goes_back_and_is_then_left_out(monkeypatch: pytest.MonkeyPatch):
    event, asked = await read(monkeypatch, SAYS | {"text": "Sales came to 31,000."})
    assert event.step_explanation == "" and event.doubt == "" and len(asked) == 2


@pytest.mark.parametrize("judge", ["true", "false"])
async def test_a_reading_that_fails_or_is_switched_off_keeps_the_result(monkeypatch: pytest.MonkeyPatch, judge: str):
    monkeypatch.setenv("BANDSMITH_MODEL_JUDGE", judge)
    event, asked = await read(monkeypatch, ScriptedReply("down", status=503))
    assert (event.doubt, event.step_explanation) == ("", "") and len(asked) == (judge == "true")
