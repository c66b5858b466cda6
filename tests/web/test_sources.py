"""Sources of data belong to users: who may not ask one neither reads it nor learns of it, by no route and protocol."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from contextlib import aclosing
from typing import Any

import httpx2
import pytest

from bandsmith.services.planner.data.asked_sources import named_source
from bandsmith.shared.events import ClassifyIntent, Command, Event, IntentClassified, ReadPlaceholders
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import Source, write_sources
from tests.gateway.scripted import ScriptedActor

from .conftest import Place
from .test_accounts import AG_UI, WAYS
from .test_api import build, events

QUESTION = "query the database: how many customers are there?"
CHAT = {"role": "user", "content": QUESTION}


class Services(ScriptedActor):
    """Scripted services. A source is looked up as the planner does."""

    async def handle(self, command: Command) -> Event:
        if isinstance(command, ClassifyIntent) and "customers" in command.text:
            return IntentClassified(intent="ask_data")
        owner = getattr(command, "owner", None)
        if owner is not None:
            asked = command.filling if isinstance(command, ReadPlaceholders) else command
            named_source(getattr(asked, "source", ""), owner)
        return await super().handle(command)


@pytest.fixture
def actor() -> ScriptedActor:
    return Services({})


@pytest.fixture
def shop(place: Place) -> None:
    """The only source, which only ann may ask."""
    share_with("ann")


def share_with(*users: str) -> None:
    write_sources(SourceSettings().file, {"shop": Source(name="shop", url="sqlite:///shop.db", users=list(users))})


async def turn(client: httpx2.AsyncClient, **fields: object) -> str:
    """Start a turn of a session with a report, and return how it ended."""
    await build(client)
    sent = {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}
    return await end_of(client, client.post("/api/sessions/march/turns", data=sent))


async def end_of(client: httpx2.AsyncClient, request: Awaitable[httpx2.Response]) -> str:
    """Return how the turn ended that a request starts."""
    async with aclosing(events(client, "march")) as stream:
        assert (await anext(stream))["event"] == "ready"
        started = await request
        assert started.status_code == 202, started.text
        async for entry in stream:
            if entry["event"] in ("TurnFinished", "TurnFailed"):
                return json.dumps(entry)
    raise AssertionError("the stream ended")


async def tool(client: httpx2.AsyncClient, name: str, **arguments: str) -> str:
    if name == "fill_report":
        await build(client)
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    headers = {"accept": "application/json, text/event-stream"}
    return (await client.post("/mcp", json=call, headers=headers)).text


ASKING: dict[str, Any] = {
    "a question of a named source": lambda one: turn(one, text=QUESTION, asking={"source": "shop"}),
    "a question of the only source": lambda one: turn(one, text=QUESTION, asking={}),
    "an analysis": lambda one: turn(one, text=QUESTION, asking={"source": "shop", "analyse": True}),
    "a sentence": lambda one: turn(one, text=QUESTION),
    "a filling": lambda one: turn(one, filling={"source": "shop"}),
    "a filling from the only source": lambda one: turn(one, filling={"source": ""}),
    "chat completions": lambda one: posted(one, "/v1/chat/completions", {"model": "bandsmith", "messages": [CHAT]}),
    "responses": lambda one: posted(one, "/v1/responses", {"model": "bandsmith", "input": QUESTION}),
    "AG-UI": lambda one: posted(
        one, "/ag-ui", {**AG_UI, "threadId": "april", "runId": "1", "messages": [{"id": "1", **CHAT}]}
    ),
    "the tool ask_data": lambda one: tool(one, "ask_data", question=QUESTION, source="shop"),
    "the tool fill_report": lambda one: tool(one, "fill_report", session="march", source="shop"),
}
"""Every way to have a source read."""


async def posted(client: httpx2.AsyncClient, path: str, body: dict[str, Any]) -> str:
    return (await client.post(path, json=body)).text


@pytest.mark.parametrize("way", ASKING)
async def test_only_its_users_may_ask_a_source(place: Place, shop: None, way: str):
    """Given a source that one of two users may ask
    When both have it read in every way that there is
    Then the other one is told that there is no source, and not what it is called
    """
    async with place.with_key("ann") as ann, place.with_key("ben") as ben:
        assert "no source" not in await ASKING[way](ann)
        refused = await ASKING[way](ben)
        assert "There is no source of data that you may ask" in refused and "shop" not in refused


@pytest.mark.parametrize("way", WAYS)
async def test_a_user_s_list_has_the_sources_that_they_may_ask(place: Place, way: str):
    share_with("ann", f"{place.issuer.address} ann")
    async with WAYS[way](place, "ann") as ann, WAYS[way](place, "ben") as ben, place.with_key("eve", "admin") as eve:
        assert [one["name"] for one in (await ann.get("/api/sources")).json()] == ["shop"]
        assert (await ben.get("/api/sources")).json() == []
        assert [one["name"] for one in (await eve.get("/api/sources")).json()] == ["shop"]


async def test_a_source_may_be_opened_to_all_users_or_none(place: Place):
    async with place.with_key("ann") as ann:
        for users, seen in (((), 0), (("*",), 1)):
            share_with(*users)
            assert len((await ann.get("/api/sources")).json()) == seen


async def test_what_was_asked_is_not_run_once_its_user_may_not_ask_any_more(place: Place, shop: None):
    """Given the plan of an analysis that waits for approval
    When its user loses the source, and then approves it
    Then no query is run
    """
    async with place.with_key("ann") as ann:
        await turn(ann, text=QUESTION, asking={"source": "shop", "analyse": True, "review": True})
        question = (await ann.get("/api/sessions/march")).json()["question"]
        share_with("ben")
        answer = {"agrees": True, "question": question["id"]}
        approved = await end_of(ann, ann.post("/api/sessions/march/answer", json=answer))
        assert "There is no source of data that you may ask" in approved
