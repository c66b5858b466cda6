"""A run of a report that was never filled from a source: the request is kept, the report is filled, the run goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bandsmith.services.gateway.actor import NO_MODEL, GatewayActor
from bandsmith.services.planner.actor import PlannerActor
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.events import Command, Event, ReadRunRequest, StoreBindings
from bandsmith.shared.llm.scripted import ScriptedModel
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.task import Answer

from ..workflow.play import with_report
from ..workflow.service_answers import successes
from ..workflow.service_events import MODEL
from .run_talk import BINDINGS, SENTENCE, Talk, own_home
from .scripted import scripted

__all__ = ["own_home"]
REQUEST = SENTENCE.replace("from shop ", "").replace("mail me", "mail ann@example.com")
CHINESE = "每周一早上8点填充上个月的报表，把PDF放到reports文件夹，失败了发邮件通知ann@example.com"


class Planner:
    """The planner, which reads messages of runs itself; what fills a report is scripted."""

    def __init__(self, bus: MemoryBus, stored: bytes) -> None:
        self._bus, self._stored = bus, stored
        self._planner = PlannerActor(bus)
        self.reads: list[ReadRunRequest] = []

    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        if isinstance(command, StoreBindings):
            bindings = await self._bus.put(self._stored, "application/yaml")
            return successes(StoreBindings, {})[0].model_copy(update={"bindings": bindings})
        if command.kind() in ("ReadAnswer", "ClassifyIntent", "ReadRunRequest", "ReadFilling"):
            self.reads += [command] if isinstance(command, ReadRunRequest) else []
            return await self._planner.handle(command)
        return successes(type(command), command.model_dump(mode="json"))[0]


async def talk_of(*, report: bool = True, bindings: bytes = b"", budget: Allowance = MODEL) -> Talk:
    """A conversation whose report was never filled, or by other queries; what is filled then is from the shop."""
    bus = MemoryBus()
    if report:
        state = with_report(1).model_copy(update={"id": "s", "name": "Sales by month"})
        known = await bus.put(bindings, "application/yaml") if bindings else None
        stored = state.model_copy(update={"bindings": known}).model_dump_json().encode()
        await bus.write_state("session-s", stored, None)
    await GatewayActor(bus, budget).start()
    await scripted(bus, only=("generator", "validator", "ocr"))
    await scripted(bus, actor=Planner(bus, BINDINGS), only=("planner",))
    return Talk(bus, "s")


@pytest.fixture
def model(own_home: Path, monkeypatch: pytest.MonkeyPatch):
    """A configured model, which nothing here has to ask about runs."""
    with ScriptedModel(lambda _: json.dumps({"action": "none", "intent": "unknown"})) as server:
        monkeypatch.setenv("BANDSMITH_MODEL_URL", server.url)
        monkeypatch.setenv("BANDSMITH_MODEL_NAME", "scripted")
        yield own_home


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize(
    ("request_text", "offer", "source", "yes"),
    [
        (REQUEST, "Which source are its rows in? There are: shop and hr.", "shop", "yes"),
        (CHINESE, "数据在哪个数据源里？现有：shop和hr。", "用shop", "是"),
    ],
)
async def test_the_request_is_kept_the_report_filled_and_the_run_added(
    request_text: str, offer: str, source: str, yes: str
):
    talk = await talk_of()
    asked = await talk.say(request_text)
    assert asked.asks is not None and asked.asks.kind == "question" and offer in asked.reply

    queries = await talk.say(source)
    assert queries.asks is not None and queries.asks.kind == "confirmation"
    assert "SELECT" in queries.reply and await talk.stored() == {}

    shown = await talk.say(yes)
    assert shown.asks is not None and "- name: sales-by-month" in shown.reply.replace("名称：", "name: ")
    assert "filled.pdf" in shown.files, "the filled report is there to be looked at"
    assert "08:00" in shown.reply and await talk.stored() == {}

    await talk.say(yes)
    run = (await talk.stored())["sales-by-month"].run
    assert run.filling.source == "shop" and run.filling.bindings is not None
    assert run.tell == ["ann@example.com"] and run.times.rule == "FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0"


@pytest.mark.usefixtures("model")
async def test_a_source_that_is_named_is_offered_and_a_click_accepts():
    talk = await talk_of()
    offered = await talk.say(REQUEST.replace("this report", "this report from shop"))
    assert offered.asks is not None and offered.asks.kind == "confirmation"
    assert (
        "queries for the source “shop” and fill it once?" in offered.reply
        and "or name another source: hr" in offered.reply
    )
    queries = await talk.say(answer=Answer(question=offered.asks.id, decision="accept"))
    assert queries.asks is not None and "SELECT" in queries.reply
    shown = await talk.say(answer=Answer(question=queries.asks.id, decision="accept"))
    assert shown.asks is not None and "for “last month” each time" in shown.reply
    await talk.say(answer=Answer(question=shown.asks.id, decision="accept"))
    assert list(await talk.stored()) == ["sales-by-month"]


@pytest.mark.usefixtures("model")
async def test_queries_are_written_again_as_the_user_says_before_the_run_goes_on():
    talk = await talk_of()
    await talk.say(REQUEST)
    await talk.say("shop")
    again = await talk.say("only paid orders, please")
    assert again.asks is not None and "SELECT" in again.reply and await talk.stored() == {}
    assert "- name: sales-by-month" in (await talk.say("yes")).reply


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("answers", [["no"], ["shop", "no"], ["shop", "yes", "no"]])
async def test_a_no_at_any_time_adds_nothing(answers: list[str]):
    talk = await talk_of()
    await talk.say(REQUEST)
    for answer in answers:
        ended = await talk.say(answer)
    assert ended.asks is None and await talk.stored() == {}


@pytest.mark.usefixtures("model")
async def test_a_report_that_was_filled_from_another_source_is_filled_from_the_one_that_is_named():
    talk = await talk_of(bindings=BINDINGS.replace(b"shop", b"hr"))
    offered = await talk.say(REQUEST.replace("this report", "this report from shop"))
    assert "filled from the source “hr”, not from “shop”" in offered.reply and offered.asks is not None
    await talk.say("yes")
    assert "- name: sales-by-month" in (await talk.say("yes")).reply


@pytest.mark.usefixtures("model")
async def test_a_request_is_kept_through_another_one_and_goes_on_after_it():
    talk = await talk_of(report=False)
    asked = await talk.say(REQUEST)
    assert asked.asks is not None and "There is no report yet" in asked.reply
    built = await talk.say("create a sales report with customer and amount")
    assert built.intent == "initial_generation" and built.asks == asked.asks
    assert any("still waits" in note for note in built.notes)
    assert "Which source are its rows in?" in (await talk.say("go on")).reply
    listed = await talk.say("which runs are there?")
    assert listed.reply == "There are no scheduled runs." and listed.asks is not None
    await talk.say("from shop")
    await talk.say("yes")
    await talk.say("yes")
    assert len(await talk.stored()) == 1


@pytest.mark.usefixtures("own_home")
async def test_without_a_model_a_file_of_rows_takes_the_place_of_the_queries():
    talk = await talk_of(budget=NO_MODEL)
    asked = await talk.say(REQUEST.replace("this report", "this report from shop"))
    assert asked.asks is not None and "Attach a file with the rows instead." in asked.reply
    rows = Document(name="rows.csv", content=await talk.bus.put(b"a,b\n1,2\n", "text/csv"))
    shown = await talk.say("here they are", rows)
    assert "the rows of the attached file" in shown.reply and "08:00" in shown.reply
    await talk.say("yes")
    assert [state.run.data for state in (await talk.stored()).values()] == [rows]
