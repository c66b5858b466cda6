"""The Agent User Interaction protocol, used by its real client in the versions that front ends have."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bandsmith.shared.events import (
    AnswerRead,
    ClassifyIntent,
    IntentClassified,
    ReadAnswer,
    RunTool,
    StepTaken,
    TakeStep,
    ToolRan,
)
from bandsmith.shared.model.session_parts import Intent
from tests.gateway.scripted import Script
from tests.web.conftest import TEMPLATE, Place
from tests.workflow.service_events import CALL
from tools.node import find_node

CLIENTS = ["@ag-ui/client", "ag-ui-client-0"]
"""Version 1.0.0, and 0.0.59, which CopilotKit and assistant-ui have."""
PHOTO = base64.b64encode(b"photo").decode()
BUILD = {
    "content": [
        {"type": "text", "text": "build this"},
        {"type": "image", "source": {"type": "data", "value": PHOTO, "mimeType": "image/jpeg"}},
    ]
}


class Run(NamedTuple):
    """What a run gave to the front end."""

    events: list[dict[str, Any]]
    text: str
    error: str | None
    state: dict[str, Any]

    @property
    def kinds(self) -> list[str]:
        return [event["type"] for event in self.events]

    def all(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] == kind]


RunAgent = Callable[..., Awaitable[list[Run]]]


@pytest.fixture
def script() -> Script:
    """A report is built, then changed, then reset, which needs an answer; a task calls one tool, which only reads."""
    intents: tuple[Intent, ...] = ("initial_generation", "modify_report", "reset_session", "plan_work")
    return {
        ClassifyIntent: [IntentClassified(intent=intent) for intent in intents],
        ReadAnswer: [AnswerRead(agrees=True)],
        TakeStep: [
            StepTaken(work_action="call", work_reply="{}", work_call=CALL),
            StepTaken(work_action="done", work_reply="{}"),
        ],
        RunTool: [ToolRan(work_result="Free: Tuesday.", work_packs=[])],
    }


@pytest.fixture(params=CLIENTS)
def run(place: Place, packages: Path, request: pytest.FixtureRequest) -> RunAgent:
    key = place.keys.add("front-end", "editor")

    async def run(*runs: dict[str, Any], key: str = key) -> list[Run]:
        asked = {"url": f"{place.address}/ag-ui", "key": key, "thread": "march", "runs": runs}
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            find_node().node, "agent.mjs", request.param, cwd=packages, stdin=pipe, stdout=pipe, stderr=pipe
        )
        out, errors = await process.communicate(json.dumps(asked).encode())
        assert process.returncode == 0, errors.decode()
        return [Run(**one) for one in json.loads(out)]

    return run


pytestmark = pytest.mark.slow


async def test_a_report_is_built_in_steps_and_changed(place: Place, run: RunAgent):
    built, changed = await run(BUILD, {"content": "make the title larger"})
    started, finished = ([event["stepName"] for event in built.all(kind)] for kind in ("STEP_STARTED", "STEP_FINISHED"))
    assert built.kinds[0] == "RUN_STARTED" and built.kinds[-1] == "RUN_FINISHED"
    assert "map_fields" in started and sorted(started) == sorted(finished)
    assert "[report.pdf](http" in built.text
    assert (built.state["version"], changed.state["version"]) == (1, 2)
    async with place.client(None) as anyone:
        files = [(await anyone.get(one.state["files"]["report.jrxml"])).content for one in (built, changed)]
    assert files == [TEMPLATE, b"modified"]


async def test_what_is_worked_on_is_reasoning_before_the_text(run: RunAgent):
    [built] = await run(BUILD)
    words = "".join(event["delta"] for event in built.all("REASONING_MESSAGE_CONTENT"))
    assert "Naming the fields\n" in words and "Naming the fields" not in built.text
    for start, end in (("START", "END"), ("MESSAGE_START", "MESSAGE_END")):
        [first], [last] = (built.all(f"REASONING_{kind}") for kind in (start, end))
        assert first["messageId"] == last["messageId"]
    assert built.kinds.index("REASONING_END") < built.kinds.index("TEXT_MESSAGE_START")


async def test_the_tools_of_a_task_are_calls_with_their_results(run: RunAgent):
    """Given a task that calls a tool
    When its plan is confirmed
    Then the run has the call with its arguments, and the tool's answer
    """
    *_, asked = await run(*[BUILD, *({"content": f"request {number}"} for number in range(2))])
    [reset] = asked.events[-1]["outcome"]["interrupts"]
    yes = {"status": "resolved", "payload": {"agrees": True}}
    _, planned = await run({"resume": [yes | {"interruptId": reset["id"]}]}, {"content": "plan the revision"})
    [plan] = planned.events[-1]["outcome"]["interrupts"]
    [worked] = await run({"resume": [yes | {"interruptId": plan["id"]}]})
    [start], [arguments], [result] = (worked.all(f"TOOL_CALL_{kind}") for kind in ("START", "ARGS", "RESULT"))
    assert (start["toolCallName"], json.loads(arguments["delta"])) == (CALL.name, CALL.arguments)
    assert result["content"] == "Free: Tuesday."
    assert start["toolCallId"] == arguments["toolCallId"] == result["toolCallId"]


async def test_the_state_is_a_true_snapshot_and_then_patches(run: RunAgent):
    """Given a report that was built in an earlier run
    When the next run begins
    Then its snapshot is the state that the patches of the earlier run led to
    """
    built, changed = await run(BUILD, {"content": "make the title larger"})
    [first] = built.all("STATE_SNAPSHOT")
    [second] = changed.all("STATE_SNAPSHOT")
    assert (first["snapshot"]["status"], first["snapshot"]["version"]) == ("new", None)
    assert second["snapshot"]["version"] == built.state["version"] == 1
    assert second["snapshot"]["passed"] is True
    assert {change["path"] for event in changed.all("STATE_DELTA") for change in event["delta"]} >= {"/version"}


async def test_a_question_interrupts_the_run_and_the_next_one_resumes_it(run: RunAgent):
    _, _, asked = await run(BUILD, {"content": "make the title larger"}, {"content": "start over"})
    outcome = asked.events[-1]["outcome"]
    [interrupt] = outcome["interrupts"]
    assert outcome["type"] == "interrupt" and interrupt["message"] == asked.state["question"]["text"]
    answer = {"interruptId": interrupt["id"], "status": "resolved", "payload": {"agrees": True}}
    [resumed] = await run({"resume": [answer]})
    assert resumed.error is None and resumed.state["status"] == "new" and resumed.state["version"] is None


async def test_a_question_is_not_answered_twice(run: RunAgent):
    await run(BUILD)
    answer = {"interruptId": "earlier", "status": "resolved", "payload": {"agrees": True}}
    [resumed] = await run({"resume": [answer]})
    assert "is no longer open" in resumed.error and resumed.state["version"] == 1


async def test_a_run_that_is_sent_twice_is_one_turn(run: RunAgent):
    [first] = await run(BUILD | {"runId": "one"})
    [again] = await run(BUILD | {"runId": "one"})
    assert first.state["version"] == again.state["version"] == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "message is empty"),
        ([{"type": "image", "source": {"type": "url", "value": "https://elsewhere.example/form.jpg"}}], "data: URLs"),
        ([{"type": "image", "source": {"type": "data", "value": PHOTO, "mimeType": "image/x"}}], "not supported"),
    ],
)
async def test_an_error_says_what_to_do(run: RunAgent, content: Any, words: str):
    [refused] = await run({"content": content})
    assert words in refused.error


async def test_the_example_of_the_manual_works(place: Place, packages: Path):
    manual = (Path(__file__).parents[2] / "docs" / "protocols.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```js\n(.+?)```", manual, re.DOTALL)
    example = example.replace("http://127.0.0.1:8787", place.address).replace("bsk_...", place.keys.add("me", "editor"))
    (packages / "example.mjs").write_text(example)
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(find_node().node, "example.mjs", cwd=packages, stdout=pipe)
    out, _ = await process.communicate()
    assert process.returncode == 0 and out.decode().startswith("1 {")


async def test_a_wrong_key_is_refused(run: RunAgent):
    [refused] = await run(BUILD, key="bsk_wrong")
    assert "401" in refused.error
