"""The Model Context Protocol over HTTP: users, uploaded files, and processes that know nothing of each other."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from bandsmith.shared.events import AnswerRead, ClassifyIntent, IntentClassified, ReadAnswer
from bandsmith.shared.model.session_parts import Intent
from tests.gateway.scripted import Script
from tests.web.conftest import TEMPLATE, Place

from .test_mcp import VERSIONS, Program, User

Connect = Callable[..., AbstractAsyncContextManager[Program]]
ACCEPT = {"accept": "application/json, text/event-stream"}
LIST_TOOLS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


@asynccontextmanager
async def failing(self: StreamableHTTPSessionManager) -> AsyncIterator[None]:
    raise OSError
    yield


@pytest.fixture
def script() -> Script:
    intents: tuple[Intent, ...] = ("initial_generation", "modify_report", "reset_session")
    return {
        ClassifyIntent: [IntentClassified(intent=intent) for intent in intents],
        ReadAnswer: [AnswerRead(agrees=True)],
    }


@pytest.fixture(params=VERSIONS)
def connect(place: Place, request: pytest.FixtureRequest) -> Connect:
    """Connect a program with a key."""

    @asynccontextmanager
    async def connect(key: str) -> AsyncIterator[Program]:
        user, headers = User(agrees=True), {"authorization": f"Bearer {key}"}
        async with httpx2.AsyncClient(headers=headers, timeout=20, trust_env=False) as http:
            transport = streamable_http_client(f"{place.address}/mcp", http_client=http)
            async with Client(transport, mode=request.param, elicitation_callback=user.answer) as client:
                yield Program(client, user)

    return connect


async def upload(place: Place, key: str) -> str:
    async with place.with_token(key) as client:
        sent = await client.post("/api/files", files={"file": ("slip.jpg", b"photo", "image/jpeg")})
    assert sent.status_code == 201 and sent.json()["name"] == "slip.jpg"
    return sent.json()["key"]


async def built(place: Place, program: Program, key: str) -> dict[str, Any]:
    return await program.result("build_report", file=await upload(place, key), session="march")


async def test_a_server_that_does_not_start_is_an_error_and_starts_with_the_next_request(
    place: Place, monkeypatch: pytest.MonkeyPatch
):
    """Given a manager of sessions that fails before it runs
    When two requests come
    Then both are answered at once, and the next one finds it running
    """
    real = StreamableHTTPSessionManager.run
    monkeypatch.setattr(StreamableHTTPSessionManager, "run", failing)
    async with place.with_key("ann") as client:
        for _ in range(2):
            assert (await client.post("/mcp", json=LIST_TOOLS, headers=ACCEPT)).status_code == 500
        monkeypatch.setattr(StreamableHTTPSessionManager, "run", real)
        assert "build_report" in (await client.post("/mcp", json=LIST_TOOLS, headers=ACCEPT)).text


async def test_others_are_answered_while_the_library_is_loaded(place: Place, monkeypatch: pytest.MonkeyPatch):
    """Given a web process that has not loaded the protocol's library
    When the first request of the protocol comes, and its import goes on until another request was answered
    Then both are answered
    """
    loading, may_go_on = threading.Event(), threading.Event()

    class Slow:
        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == "bandsmith.web.mcp_server":
                loading.set()
                assert may_go_on.wait(60), "no other request was answered"

    monkeypatch.delitem(sys.modules, "bandsmith.web.mcp_server", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Slow, *sys.meta_path])
    async with place.with_key("ann") as client:
        listing = asyncio.create_task(client.post("/mcp", json=LIST_TOOLS, headers=ACCEPT, timeout=90))
        assert await asyncio.to_thread(loading.wait, 60)
        assert (await client.get("/api/me")).status_code == 200
        may_go_on.set()
        assert "build_report" in (await listing).text


async def test_a_report_is_built_from_an_uploaded_file_changed_and_downloaded(place: Place, connect: Connect):
    key = place.keys.add("ann", "editor")
    async with connect(key) as program, place.client(None) as anyone:
        report = await built(place, program, key)
        file = await anyone.get(report["files"]["report.jrxml"])
        changed = await program.result("change_report", session="march", request="make the title larger")
        file_of_change = await anyone.get(changed["files"]["report.jrxml"])
        tools = {tool.name for tool in (await program.client.list_tools()).tools}
    assert report["version"] == 1 and file.content == TEMPLATE
    assert changed["version"] == 2 and file_of_change.content == b"modified"
    assert "Writing the template" in program.user.steps
    assert "save_files" not in tools, "the disk of the server is not the user's"


async def test_the_user_is_asked_where_the_protocol_needs_no_memory(place: Place, connect: Connect):
    """Given a server of which any process may answer
    When a question comes up
    Then programs of the newest version ask the user in the same call, and older ones get the question
    """
    key = place.keys.add("ann", "editor")
    async with connect(key) as program:
        await built(place, program, key)
        await program.result("change_report", session="march", request="make the title larger")
        result = await program.result("change_report", session="march", request="start over")
        if program.client.protocol_version == VERSIONS[0]:
            assert program.user.questions and result["version"] is None
        else:
            assert result["question"]["kind"] == "confirmation" and result["version"] == 2


async def test_the_files_and_sessions_of_another_user_are_not_reached(place: Place, connect: Connect):
    ann, ben = place.keys.add("ann", "editor"), place.keys.add("ben", "editor")
    async with connect(ann) as hers, connect(ben) as his:
        await built(place, hers, ann)
        assert "uploaded file" in await his.error("build_report", file=await upload(place, ann))
        assert "no such session" in await his.error("change_report", session="march", request="undo")
        assert (await his.result("list_sessions"))["result"] == []
        with pytest.raises(Exception, match="no such session"):
            await his.client.read_resource("bandsmith://march/1/report.jrxml")


async def test_a_stranger_and_a_reader_are_refused(place: Place):
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with place.with_token("bsk_wrong") as stranger, place.with_key("eve", "reader") as reader:
        assert (await stranger.post("/mcp", json=call)).status_code == 401
        assert (await reader.post("/mcp", json=call)).status_code == 403
