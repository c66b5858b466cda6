"""A question waits for its own user: what anybody else answers, by any door, is refused and changes nothing."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from bandsmith.client import Client
from bandsmith.shared.events import ClassifyIntent
from bandsmith.shared.model.task import Answer
from tests.gateway.scripted import Script
from tests.workflow.service_events import wants

from .conftest import Place
from .test_api import build, events

Waiting = tuple[dict[str, Any], str, str]
"""What the owner sees of the session, its key, and the id of the question."""


@pytest.fixture
def script() -> Script:
    return {ClassifyIntent: [wants("reset_session")]}


async def waiting(place: Place, ann: httpx2.AsyncClient) -> Waiting:
    """Let ann have a report and be asked whether to delete it."""
    await build(ann)
    await said(ann, text="start over")
    shown = (await ann.get("/api/sessions/march")).json()
    [key] = [name.removeprefix("session-") for name in await place.bus.state_keys("session-")]
    assert shown["question"]["kind"] == "confirmation"
    return shown, key, shown["question"]["id"]


async def said(client: httpx2.AsyncClient, session: str = "march", path: str = "turns", **content: str) -> None:
    stream = events(client, session)
    await anext(stream)
    how = {"json": content | {"agrees": True}} if path == "answer" else {"data": content}
    assert (await client.post(f"/api/sessions/{session}/{path}", **how)).status_code == 202
    async for entry in stream:
        if entry["event"] in ("TurnFinished", "TurnFailed"):
            await stream.aclose()
            return


@pytest.mark.parametrize("door", ["page", "ag-ui", "chat", "mcp"])
async def test_another_users_answer_changes_nothing_and_the_owners_still_counts(place: Place, door: str):
    async with place.client("user ann") as ann, place.with_key("ben") as ben:
        shown, key, question = await waiting(place, ann)
        for session in ("march", key):
            await answered_by(ben, door, session, question)
        assert (await ann.get("/api/sessions/march")).json() == shown

        await said(ann, path="answer", question=question)
        assert (await ann.get("/api/sessions/march")).json()["question"] is None
        await said(ann, path="answer", question=question)  # twice: it is answered already
        assert (await ann.get("/api/sessions/march")).json()["question"] is None


async def answered_by(ben: httpx2.AsyncClient, door: str, session: str, question: str) -> None:
    words = {"role": "user", "content": "yes"}
    resume = {"interruptId": question, "status": "resolved", "payload": {"agrees": True}}
    run = {"threadId": session, "runId": "r", "messages": [], "state": {}, "tools": [], "context": []}
    call = {"name": "change_report", "arguments": {"session": session, "request": "yes"}}
    bodies: dict[str, tuple[str, dict[str, Any]]] = {
        "page": (f"/api/sessions/{session}/answer", {"agrees": True, "question": question}),
        "ag-ui": ("/ag-ui", run | {"forwardedProps": {}, "resume": [resume]}),
        "chat": ("/v1/chat/completions", {"model": "bandsmith", "messages": [words], "metadata": {"session": session}}),
        "mcp": ("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}),
    }
    path, body = bodies[door]
    await ben.post(path, json=body, headers={"accept": "application/json, text/event-stream"})


async def test_an_answer_from_another_session_on_the_bus_is_to_no_question_of_its_own(place: Place):
    async with place.client("user ann") as ann:
        shown, _, question = await waiting(place, ann)
        end = await Client(place.bus).say("of-another-program", answer=Answer(question=question, decision="accept"))
        assert not end.complete and end.reply.startswith("That question was answered already")
        assert (await ann.get("/api/sessions/march")).json() == shown
