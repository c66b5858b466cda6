"""The Model Context Protocol over HTTP: users, uploaded files, and processes that know nothing of each other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from bandsmith.shared.events import AnswerRead, ClassifyIntent, IntentClassified, ReadAnswer
from tests.gateway.scripted import Script
from tests.web.conftest import TEMPLATE, Place

from .test_mcp import VERSIONS, Program, User

Connect = Callable[..., AbstractAsyncContextManager[Program]]


@pytest.fixture
def script() -> Script:
    intents = ("initial_generation", "reset_session")
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


async def test_a_report_is_built_from_an_uploaded_file_and_downloaded(place: Place, connect: Connect):
    key = place.keys.add("ann", "editor")
    async with connect(key) as program, place.client(None) as anyone:
        report = await built(place, program, key)
        file = await anyone.get(report["files"]["report.jrxml"])
        tools = {tool.name for tool in (await program.client.list_tools()).tools}
    assert report["version"] == 1 and file.content == TEMPLATE
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
        result = await program.result("change_report", session="march", request="start over")
        if program.client.protocol_version == VERSIONS[0]:
            assert program.user.questions and result["version"] is None
        else:
            assert result["question"]["kind"] == "confirmation" and result["version"] == 1


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
