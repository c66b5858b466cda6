"""The tools. Models read the docstrings and the descriptions of the arguments."""

from __future__ import annotations

import base64
import inspect
import secrets
from pathlib import PurePath
from typing import Annotated, Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, ImageContent, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import Field

from bandsmith.session_view import SessionView
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.session_parts import ExportFormat, Format
from bandsmith.shared.model.source import Asking
from bandsmith.shared.replies import text
from bandsmith.turn_result import TurnResult

from .host import Call, ToolHost, sentences
from .turns import TurnRequest, run_turn

ToolFormat = Literal["jrxml"] | ExportFormat
"""What a program can export: any export, or the template as it is."""
SessionId = Annotated[str, Field(description="Session of the report, as build_report returned it.")]
NewSessionId = Annotated[
    str, Field(description="A short name for the new report: letters, digits, '-' and '_'. Chosen if empty.")
]
Request = Annotated[str, Field(description="The user's request in their own words, English or Chinese.")]
TurnOutput = Annotated[CallToolResult, TurnResult] | InputRequiredResult
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
"""Nothing is lost: every change makes a version, and each version can be restored."""


class ReportEntry(Value):
    """A report in the list of sessions."""

    session: str
    name: str
    status: str
    version: int | None


class ReportVersion(Value):
    number: int
    request: str
    passed: bool | None


class ReportDetails(ReportEntry):
    """A report with its versions."""

    versions: list[ReportVersion]
    question: str = ""
    """What the session waits to have answered."""


class Tools:
    """The tools of a server."""

    def __init__(self, host: ToolHost) -> None:
        self._host = host

    def register(self, server: MCPServer) -> None:
        for tool in (self.build_report, self.change_report, self.export_report, self.fill_report, self.ask_data):
            server.add_tool(tool, description=inspect.getdoc(tool), annotations=CHANGES)
        for reader in (self.preview_report, self.list_sessions, self.show_session):
            server.add_tool(reader, description=inspect.getdoc(reader), annotations=READS)

    async def build_report(
        self, call: Call, request: Request = "", file: str = "", session: NewSessionId = ""
    ) -> TurnOutput:
        """Build a report template from a picture, PDF, DOCX or XLSX of a form, or from a sentence that describes it.

        `file` names the form: a path over stdio; over HTTP the key of a file that was sent to POST /api/files.
        """
        async with sentences(request):
            attachments = [await self._host.attachment(call, file)] if file else []
            title = " ".join(request.split()) or (PurePath(attachments[0].name).stem if attachments else "")
            if not title:
                raise BadInput.of("turn.refused.empty")
            started = TurnRequest(session or secrets.token_hex(4), request, attachments, title=title)
            return await run_turn(self._host, call, started)

    async def change_report(self, call: Call, session: SessionId, request: Request) -> TurnOutput:
        """Change a report as a sentence asks, answer its question, undo, redo, restore a version, or ask why it fails.

        Examples: "make the title larger", "group by customer", "undo", "restore version 2", "yes".
        """
        async with sentences(request):
            await self._session(call, session)
            return await run_turn(self._host, call, TurnRequest(session, request))

    async def export_report(self, call: Call, session: SessionId, format: ToolFormat = "pdf") -> TurnOutput:
        """Export a report: the template (jrxml), or the template filled with its data, in a format."""
        async with sentences():
            await self._session(call, session)
            request = text("mcp.request.export", "en", format=format)
            return await run_turn(self._host, call, TurnRequest(session, request))

    async def fill_report(
        self,
        call: Call,
        session: SessionId,
        data: Annotated[
            str, Field(description="File with the rows, CSV, XLSX or JSON; named as in build_report.")
        ] = "",
        source: Annotated[str, Field(description="Name of the source to fill from, in place of a file.")] = "",
        period: Annotated[str, Field(description="Period of the source's rows, in the user's words: last month.")] = "",
        review: Annotated[bool, Field(description="Whether the user sees new queries of a source first.")] = True,
        parameters: Annotated[dict[str, str] | None, Field(description="Values of parameters by name.")] = None,
        formats: Annotated[list[Format] | None, Field(description="Formats to print; a PDF if none.")] = None,
    ) -> TurnOutput:
        """Fill a report with the rows of the user's file or of a source of data, and print it.

        What does not match is reported, not guessed.
        """
        async with sentences():
            await self._session(call, session)
            if bool(data) == bool(source):
                raise BadInput.of("mcp.data_or_source", code="data")
            filling = Filling(parameters=parameters or {}, formats=formats or [])
            if source:
                filling = filling.model_copy(update={"source": source, "period": period, "review": review})
            attachments = [await self._host.attachment(call, data)] if data else []
            return await run_turn(self._host, call, TurnRequest(session, "", attachments, filling))

    async def ask_data(
        self,
        call: Call,
        question: Annotated[str, Field(description="A question in words, or one SELECT.")],
        source: Annotated[
            str, Field(description="Name of the source, or names joined by +; needed if there are several.")
        ] = "",
        session: NewSessionId = "",
    ) -> TurnOutput:
        """Answer a question about a database, a folder of CSV files or a workbook, by a query that can only read."""
        async with sentences(question):
            asked = TurnRequest(session or secrets.token_hex(4), question, asking=Asking(source=source), title=question)
            return await run_turn(self._host, call, asked)

    async def preview_report(
        self, call: Call, session: SessionId, page: Annotated[int, Field(ge=1)] = 1
    ) -> list[TextContent | ImageContent]:
        """Show a page of the report, as the report engine printed it, as a picture."""
        async with sentences():
            report = (await self._session(call, session)).report
            pages = (report.pages or ([report.page] if report.page else [])) if report else []
            if report is None or page > len(pages):
                raise BadInput.of("mcp.page", code="page")
            picture = base64.b64encode(await (await self._host.client()).fetch(pages[page - 1])).decode()
            about = text("mcp.preview", "en", page=page, pages=max(report.page_count, len(pages)), number=report.number)
            return [
                TextContent(type="text", text=about),
                ImageContent(type="image", mime_type="image/png", data=picture),
            ]

    async def list_sessions(self, call: Call) -> list[ReportEntry]:
        """List the user's reports, the last changed first."""
        async with sentences():
            identity = self._host.identity(call)
            sessions = await (await self._host.client()).sessions(identity.prefix)
            return [_entry(one, identity.session(one.id)) for one in sessions]

    async def show_session(self, call: Call, session: SessionId) -> ReportDetails:
        """Show a report's versions, its status, and the question that waits for an answer."""
        async with sentences():
            found = await self._session(call, session)
            versions = [
                ReportVersion(number=one.number, request=one.request, passed=one.passed) for one in found.versions
            ]
            question = found.pending.text if found.pending else ""
            return ReportDetails(**_entry(found, session).model_dump(), versions=versions, question=question)

    async def _session(self, call: Call, session: str) -> SessionView:
        """Return a session. Raises ``BadInput`` if there is none: a wrong name must not begin a new report."""
        return await (await self._host.client()).session(self._host.identity(call).key(session))


def _entry(session: SessionView, id: str) -> ReportEntry:
    number = session.report.number if session.report else None
    return ReportEntry(session=id, name=session.name, status=session.status, version=number)
