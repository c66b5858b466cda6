"""The tools of the Model Context Protocol, used by its real client, in both versions of the protocol."""

from __future__ import annotations

import asyncio
import base64
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import BlobResourceContents, CallToolResult, ElicitRequestParams, ElicitResult, ImageContent, TextContent

from bandsmith.mcp.local import LocalHost, local_server
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.events import (
    AnswerRead,
    ClassifyIntent,
    IntentClassified,
    PlaceholdersRead,
    ReadAnswer,
    ReadPlaceholders,
)
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.session_parts import Intent
from bandsmith.web.identity import Identity

from ..gateway.scripted import Script
from ..workflow.service_events import ROWS_KNOWN, ref
from .conftest import SAMPLE, StartServices

VERSIONS = ["2026-07-28", "legacy"]
"""Protocol versions: the newest, and that of programs that begin with `initialize`."""


class User:
    """The program that a person uses: it shows progress, and asks the person."""

    def __init__(self, agrees: bool | None) -> None:
        self.steps: list[str] = []
        self.questions: list[str] = []
        self._agrees = agrees

    async def see(self, progress: float, total: float | None, message: str | None) -> None:
        self.steps.append(message or "")

    async def answer(self, context: object, params: ElicitRequestParams) -> ElicitResult:
        self.questions.append(params.message)
        if self._agrees is None:
            return ElicitResult(action="cancel")
        return ElicitResult(action="accept", content={"agrees": self._agrees})


class Program:
    """A connected client, with the user in front of it."""

    def __init__(self, client: Client, user: User) -> None:
        self.client = client
        self.user = user

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        return await self.client.call_tool(tool, arguments, progress_callback=self.user.see)

    async def result(self, tool: str, **arguments: Any) -> dict[str, Any]:
        found = await self.call(tool, **arguments)
        assert not found.is_error, found.content
        return found.structured_content

    async def error(self, tool: str, **arguments: Any) -> str:
        found = await self.call(tool, **arguments)
        assert found.is_error
        [content] = found.content
        assert isinstance(content, TextContent)
        return content.text


class Connect:
    """Starts the server on scripted services, and connects a program to it."""

    def __init__(self, start: StartServices, folder: Path, version: str) -> None:
        self._start = start
        self._folder = folder
        self._version = version
        self._tasks: list[asyncio.Task[None]] = []
        self._done = asyncio.Event()

    async def __call__(
        self, *intents: Intent, agrees: bool | None = True, can_ask: bool = True, more: Script | None = None
    ) -> Program:
        script: dict[type, list[Any]] = {
            **(more or {}),
            ClassifyIntent: [IntentClassified(intent=intent) for intent in intents],
            ReadAnswer: [AnswerRead(agrees=bool(agrees))],
        }
        bus = await self._start({kind: answers for kind, answers in script.items() if answers})
        connected: asyncio.Future[Program] = asyncio.get_running_loop().create_future()
        self._tasks.append(asyncio.create_task(self._serve(bus, User(agrees), connected, can_ask)))
        return await connected

    async def close(self) -> None:
        self._done.set()
        await asyncio.gather(*self._tasks)

    async def _serve(self, bus: Bus, user: User, connected: asyncio.Future[Program], can_ask: bool) -> None:
        """Keep a connection open, in one task, as the client demands."""

        @asynccontextmanager
        async def open_bus() -> AsyncIterator[Bus]:
            yield bus

        host = LocalHost([self._folder], Identity("", "admin"))
        answer = user.answer if can_ask else None
        program = Client(local_server(host), mode=self._version, elicitation_callback=answer)
        async with host.running(open_bus), program as client:
            connected.set_result(Program(client, user))
            await self._done.wait()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that the program may read, with a form in it, and a file beside it."""
    root = tmp_path / "forms"
    root.mkdir()
    (root / "slip.jpg").write_bytes(b"photo")
    (root / "rows.csv").write_text("customer,amount\nAnn,3\n")
    (tmp_path / "secret.pdf").write_bytes(b"secret")
    (root / "link.pdf").symlink_to(tmp_path / "secret.pdf")
    return root


@pytest.fixture(params=VERSIONS)
async def connect(
    request: pytest.FixtureRequest, start_services: StartServices, folder: Path
) -> AsyncIterator[Connect]:
    connect = Connect(start_services, folder, request.param)
    yield connect
    await connect.close()


# --- a report -----------------------------------------------------------------------------------------------------


async def test_a_report_is_built_from_a_picture_and_changed(connect: Connect):
    program = await connect("initial_generation", "modify_report")
    built = await program.result("build_report", file="slip.jpg", session="march")
    changed = await program.result("change_report", session="march", request="make the title larger")
    shown = await program.result("show_session", session="march")

    assert (built["session"], built["version"], built["passed"]) == ("march", 1, True)
    assert changed["version"] == 2 and changed["complete"]
    assert "Writing the template" in program.user.steps and "Changing the report" in program.user.steps
    assert shown["name"] == "slip" and [one["number"] for one in shown["versions"]] == [1, 2]


async def test_the_files_of_a_version_are_resources(connect: Connect):
    program = await connect("initial_generation")
    built = await program.call("build_report", file="slip.jpg", session="march")
    links = {one.name: one.uri for one in built.content if one.type == "resource_link"}
    read = await program.client.read_resource(links["report.jrxml"])
    assert links["report.jrxml"] == "bandsmith://march/1/report.jrxml"
    [content] = read.contents
    assert isinstance(content, BlobResourceContents) and base64.b64decode(content.blob) == b"mapped"


async def test_a_page_is_shown_as_a_picture(connect: Connect):
    program = await connect("initial_generation")
    await program.result("build_report", file="slip.jpg", session="march")
    shown = await program.call("preview_report", session="march")
    _, picture = shown.content
    assert isinstance(picture, ImageContent) and base64.b64decode(picture.data) == b"page"


async def test_an_export_is_written_into_a_folder(connect: Connect, folder: Path):
    program = await connect("initial_generation", "export_file")
    await program.result("build_report", file="slip.jpg", session="march")
    exported = await program.result("export_report", session="march", format="xlsx")
    [name] = exported["files"]
    await program.result("save_files", session="march", folder="out", names=[name])
    assert (folder / "out" / name).read_bytes() == b"exported"


async def test_a_report_is_filled_with_the_rows_of_a_file(connect: Connect):
    program = await connect("initial_generation", "fill_report")
    await program.result("build_report", file="slip.jpg", session="march")
    filled = await program.result("fill_report", session="march", data="rows.csv", formats=["pdf"])
    assert filled["session"] == "march" and filled["files"]


async def test_a_report_is_filled_from_a_source(connect: Connect):
    filling = Filling(source="shop", period="last month", review=True)
    known = PlaceholdersRead(source="shop", database=ref("database"), works=[ROWS_KNOWN], filling=filling)
    program = await connect("initial_generation", more={ReadPlaceholders: [known]})
    await program.result("build_report", file="slip.jpg", session="march")
    filled = await program.result("fill_report", session="march", source="shop", period="last month")
    assert "filled.pdf" in filled["files"] and filled["question"] is None
    for wrong in ({}, {"source": "shop", "data": "rows.csv"}):
        assert "either a file" in await program.error("fill_report", session="march", **wrong)


async def test_reports_are_listed(connect: Connect):
    program = await connect("initial_generation")
    await program.result("build_report", file="slip.jpg", session="march")
    listed = (await program.result("list_sessions"))["result"]
    assert [(one["session"], one["version"]) for one in listed] == [("march", 1)]


# --- questions ------------------------------------------------------------------------------------------------------


async def test_the_user_is_asked_before_something_is_lost(connect: Connect):
    """Given a report
    When the model asks for a reset, and the user agrees in the form
    Then the session is reset within the same call
    """
    program = await connect("initial_generation", "reset_session")
    await program.result("build_report", file="slip.jpg", session="march")
    result = await program.result("change_report", session="march", request="start over")
    assert len(program.user.questions) == 1
    assert result["version"] is None and result["question"] is None


async def test_nothing_is_done_when_the_form_is_closed(connect: Connect):
    program = await connect("initial_generation", "reset_session", agrees=None)
    await program.result("build_report", file="slip.jpg", session="march")
    await program.call("change_report", session="march", request="start over")
    shown = await program.result("show_session", session="march")
    assert shown["version"] == 1 and shown["question"]


async def test_a_program_that_cannot_ask_gets_the_question(connect: Connect):
    program = await connect("initial_generation", "reset_session", can_ask=False)
    await program.result("build_report", file="slip.jpg", session="march")
    result = await program.result("change_report", session="march", request="start over")
    assert result["question"]["kind"] == "confirmation"
    answered = await program.result("change_report", session="march", request="yes")
    assert answered["question"] is None


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["../secret.pdf", "link.pdf", "/etc/hostname", "~/x.pdf\0"])
async def test_files_outside_the_folder_are_not_read(connect: Connect, file: str):
    program = await connect()
    assert "--root" in await program.error("build_report", file=file)


async def test_an_unknown_session_is_not_begun(connect: Connect):
    program = await connect()
    assert "There is no such session" in await program.error("change_report", session="april", request="undo")
    assert (await program.result("list_sessions"))["result"] == []


async def test_errors_are_in_the_language_of_the_request(connect: Connect):
    program = await connect()
    assert "没有" in await program.error("change_report", session="april", request="撤销")


# --- the program itself -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("version", VERSIONS)
async def test_the_command_builds_changes_and_saves_a_report(tmp_path: Path, version: str):
    (tmp_path / "slip.jpg").write_bytes(SAMPLE.read_bytes())
    command = StdioServerParameters(
        command=sys.executable,
        args=["-c", "from bandsmith.cli import main; main()", "mcp", "--root", str(tmp_path)],
        env={**os.environ, "BANDSMITH_HOME": str(tmp_path / "home")},
    )
    user = User(agrees=True)
    async with Client(command, mode=version, elicitation_callback=user.answer) as client:
        program = Program(client, user)
        built = await program.result("build_report", file="slip.jpg")
        changed = await program.result("change_report", session=built["session"], request="make the title larger")
        await program.result("save_files", session=built["session"], folder="out", names=["report.pdf"])
        error = await program.error("build_report", file="missing.pdf")
    assert built["passed"] and changed["version"] == 2 and changed["passed"]
    assert (tmp_path / "out" / "report.pdf").read_bytes().startswith(b"%PDF")
    assert "There is no such file" in error
