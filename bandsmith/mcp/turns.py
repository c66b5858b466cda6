"""A turn within a call of a tool: its progress, its questions, and its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mcp_types import CallToolResult, InputRequiredResult, TextContent

from bandsmith.attachments import Attachment
from bandsmith.client import Client
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import NodeStarted, TurnFinished
from bandsmith.shared.language import Language, language_of
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.source import Asking
from bandsmith.turn_result import step_text, turn_result, until_finished

from .files import resource_links
from .host import Call, ToolHost
from .questions import ask, given_answer


@dataclass(frozen=True)
class TurnRequest:
    """What a call asks for."""

    session: str
    """Id of the session, as the caller knows it."""
    text: str = ""
    attachments: Sequence[Attachment] = ()
    filling: Filling | None = None
    asking: Asking | None = None
    title: str = ""

    @property
    def language(self) -> Language:
        return language_of(self.text)


async def run_turn(host: ToolHost, call: Call, request: TurnRequest) -> CallToolResult | InputRequiredResult:
    """Run a turn, and further ones for the questions that it ends with. Raises ``BandsmithError``."""
    client, language = await host.client(), request.language
    answered = given_answer(call, language)
    if answered:
        session, answer = answered
        if answer is None:
            raise TerminalError.of("mcp.unanswered", code="unanswered")
        request = TurnRequest(session=session, text=answer)
    while True:
        key = host.identity(call).key(request.session)
        end = await _end(call, client, key, request, language)
        reply = await ask(call, request.session, end.asks, language) if end.asks else None
        if isinstance(reply, InputRequiredResult):
            return reply
        if reply is None:
            return _result(host, call, end, request.session, language)
        request = TurnRequest(session=request.session, text=reply)


async def _end(call: Call, client: Client, key: str, request: TurnRequest, language: Language) -> TurnFinished:
    """Run one turn to its end, and report its steps as progress."""
    options: dict[str, Any] = {"filling": request.filling, "asking": request.asking, "title": request.title}
    steps = 0
    turn = client.turn(key, request.text, request.attachments, language, **options)
    async for event in until_finished(turn):
        if isinstance(event, NodeStarted) and (step := step_text(event, language)):
            steps += 1
            await call.report_progress(steps, message=step)
        elif isinstance(event, TurnFinished):
            return event
    raise TerminalError.of("cli.bus_closed", code=TerminalError.code)


def _result(host: ToolHost, call: Call, end: TurnFinished, session: str, language: Language) -> CallToolResult:
    result = turn_result(end, session, lambda name, ref: host.link(call, session, end.version, name, ref), language)
    text = TextContent(type="text", text="\n".join([result.reply, *result.notes]))
    links = resource_links(session, end.version, end.files)
    return CallToolResult(content=[text, *links], structured_content=result.model_dump(mode="json"))
