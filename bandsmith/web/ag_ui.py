"""``/ag-ui``: the Agent User Interaction protocol, which CopilotKit and other front ends speak.

A thread is a session, a run a turn, a step a node of the workflow, and reasoning what it does in words. The state is
what the report is now: a snapshot first, then what the run changed. A question ends a run with an interrupt; the next
run resumes it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

from ag_ui.core import (
    BaseEvent,
    Interrupt,
    ReasoningEndEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    ResumeEntry,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    UserMessage,
)
from ag_ui.encoder import EventEncoder
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from bandsmith.answers import answer_text, form_of
from bandsmith.attachments import Attachment
from bandsmith.session_view import SessionView
from bandsmith.shared.bus.base import Delta
from bandsmith.shared.errors import BadInput, BandsmithError
from bandsmith.shared.events import Message, NodeFinished, NodeStarted, ServerAnswered, StepTaken, ToolRan, TurnFinished
from bandsmith.shared.language import Language
from bandsmith.shared.model.session_parts import Pending, Version
from bandsmith.shared.replies import text
from bandsmith.shared.turns.verdict import Verdict
from bandsmith.turn_result import step_text

from .conversation import CHAT_LINK_S, ChatTurn, Said
from .door import address_of, door_of, identity_of
from .inline_files import file_of_base64, file_of_data_url
from .problems import language_of_request
from .tool_calls import ToolUse

State = dict[str, Any]


async def run_agent(request: Request) -> Response:
    """Run a turn of the thread's session with the last message, or resume one that was interrupted (AG-UI)."""
    try:
        run = RunAgentInput.model_validate_json(await request.body())
    except ValidationError:
        raise BadInput.of("web.error.request") from None
    stream = _Run(request, run).stream()
    return StreamingResponse(stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


class _Run:
    """One run: the events that it consists of."""

    def __init__(self, request: Request, run: RunAgentInput) -> None:
        self._request = request
        self._run = run
        self._key = identity_of(request).key(run.thread_id)
        self._message = f"message-{run.run_id}"
        self._shown = ""
        self._steps: list[str] = []
        """Names of the steps that have started and not finished."""
        self._reasoning = ""
        """Id of the message that says in words what is worked on, while it is open."""

    async def stream(self) -> AsyncIterator[str]:
        encode = EventEncoder().encode
        yield encode(RunStartedEvent(thread_id=self._run.thread_id, run_id=self._run.run_id))
        try:
            async with aclosing(self._events()) as events:
                async for event in events:
                    yield encode(event) if event else ": still here\n\n"
        except BandsmithError as error:
            language = language_of_request(self._request)
            message = error.message_zh if language == "zh" else error.message
            yield encode(RunErrorEvent(message=message, code=error.code))

    async def _events(self) -> AsyncGenerator[BaseEvent | None]:
        session = await self._session()
        state = await self._state(session)
        yield StateSnapshotEvent(snapshot=state)
        said = _resumed(self._run, session, language_of_request(self._request)) or _said(self._run)
        conversation = ChatTurn(self._request, said, turn=self._run.run_id)
        async with aclosing(conversation.events()) as events:
            async for event in events:
                if isinstance(event, TurnFinished):
                    after = await self._state(await self._session())
                    for last in self._ending(conversation, event, state, after):
                        yield last
                elif event is None:
                    yield None
                else:
                    for one in self._progress(event, conversation):
                        yield one

    def _progress(self, event: Message | Delta, conversation: ChatTurn) -> list[BaseEvent]:
        match event:
            case NodeStarted() if event.node not in self._steps:
                self._steps.append(event.node)
                words = step_text(event, conversation.language)
                return [StepStartedEvent(step_name=event.node), *self._reasoned(words)]
            case NodeFinished() if event.node in self._steps:
                self._steps.remove(event.node)
                return [StepFinishedEvent(step_name=event.node)]
            case Delta() if event.text:
                return self._text(event.text)
            case StepTaken() if event.work_call:
                return self._called(conversation.tools.all[-1], is_begun=True)
            case ToolRan() | ServerAnswered() if conversation.tools.all:
                return self._called(conversation.tools.all[-1], is_begun=False)
        return []

    def _reasoned(self, words: str) -> list[BaseEvent]:
        """Return the events that say what is worked on, in words."""
        if not words:
            return []
        start: list[BaseEvent] = []
        if not self._reasoning:
            self._reasoning = f"reasoning-{self._run.run_id}-{len(self._shown)}"
            start = [
                ReasoningStartEvent(message_id=self._reasoning),
                ReasoningMessageStartEvent(message_id=self._reasoning),
            ]
        return [*start, ReasoningMessageContentEvent(message_id=self._reasoning, delta=f"{words}\n")]

    def _reasoned_enough(self) -> list[BaseEvent]:
        message, self._reasoning = self._reasoning, ""
        return [ReasoningMessageEndEvent(message_id=message), ReasoningEndEvent(message_id=message)] if message else []

    def _text(self, delta: str) -> list[BaseEvent]:
        start = [] if self._shown else [TextMessageStartEvent(message_id=self._message, role="assistant")]
        self._shown += delta
        return [*self._reasoned_enough(), *start, TextMessageContentEvent(message_id=self._message, delta=delta)]

    def _called(self, use: ToolUse, *, is_begun: bool) -> list[BaseEvent]:
        """Return the events of a call that begins, or of its result."""
        if is_begun:
            arguments = json.dumps(use.arguments, ensure_ascii=False)
            return [
                ToolCallStartEvent(tool_call_id=use.id, tool_call_name=use.name),
                ToolCallArgsEvent(tool_call_id=use.id, delta=arguments),
                ToolCallEndEvent(tool_call_id=use.id),
            ]
        result = use.result or ""
        return [ToolCallResultEvent(message_id=f"{use.id}-result", tool_call_id=use.id, content=result)]

    def _ending(self, conversation: ChatTurn, end: TurnFinished, before: State, after: State) -> list[BaseEvent]:
        result = conversation.result(end)
        changes = _changes(before, after | {"files": after["files"] | result.files})
        outcome: RunFinishedOutcome = RunFinishedSuccessOutcome()
        if end.asks:
            outcome = RunFinishedInterruptOutcome(interrupts=[_interrupt(conversation.turn, end.asks)])
        finished = RunFinishedEvent(
            thread_id=self._run.thread_id,
            run_id=self._run.run_id,
            outcome=outcome,
            result=result.model_dump(mode="json"),
        )
        return [
            *(StepFinishedEvent(step_name=name) for name in self._steps),
            *self._text(conversation.closing(result, self._shown)),
            TextMessageEndEvent(message_id=self._message),
            *([StateDeltaEvent.model_validate({"delta": changes})] if changes else []),
            finished,
        ]

    async def _session(self) -> SessionView | None:
        client = door_of(self._request).client
        return await client.session(self._key) if await client.exists(self._key) else None

    async def _state(self, session: SessionView | None) -> State:
        """Return the state of the session."""
        empty: State = {"version": None, "status": "new", "passed": None, "findings": [], "question": None, "files": {}}
        state = empty | {"session": self._run.thread_id}
        if session is None:
            return state
        state["question"] = session.pending.model_dump(mode="json") if session.pending else None
        if session.report is None:
            return state
        report, findings = session.report, await self._findings(session.report)
        about = {"version": report.number, "status": session.status, "passed": report.passed}
        return state | about | {"findings": findings, "files": self._links(report)}

    async def _findings(self, report: Version) -> list[str]:
        if report.verdict is None:
            return []
        try:
            verdict = Verdict.model_validate_json(await door_of(self._request).client.fetch(report.verdict))
        except BadInput:  # it has expired, as the files of an old report do
            return []
        is_chinese = language_of_request(self._request) == "zh"
        return [one.message_zh if is_chinese and one.message_zh else one.message for one in verdict.findings]

    def _links(self, report: Version) -> dict[str, str]:
        access, address = door_of(self._request).access, address_of(self._request)
        files = {"report.jrxml": report.template, "data.json": report.data, "report.pdf": report.pdf}
        files["page-1.png"] = report.page
        return {name: address + access.file_path(name, ref, CHAT_LINK_S) for name, ref in files.items() if ref}


def _changes(before: State, after: State) -> list[State]:
    """Return the JSON Patch from one state to another."""
    return [
        {"op": "replace", "path": f"/{name}", "value": value} for name, value in after.items() if value != before[name]
    ]


def _interrupt(turn: str, question: Pending) -> Interrupt:
    schema = form_of(question).model_json_schema()
    return Interrupt(id=turn, reason=question.kind, message=question.text, response_schema=schema)


def _resumed(run: RunAgentInput, session: SessionView | None, language: Language) -> Said | None:
    """Return the answer with which a run resumes an interrupted one; None for a run that begins something.

    Raises ``BadInput`` for the answer to a question that no longer waits.
    """
    if not run.resume:
        return None
    entry = run.resume[-1]
    last = session.turns[-1].turn if session and session.turns else ""
    if session is None or session.pending is None or entry.interrupt_id != last:
        raise BadInput.of("web.error.interrupt", code="interrupt")
    return Said(run.thread_id, _answer(entry, session.pending, language))


def _answer(entry: ResumeEntry, question: Pending, language: Language) -> str:
    """Return the text of the turn that answers. Raises ``BadInput`` for an answer that does not fit the question."""
    if entry.status == "cancelled":
        return text("web.request.no", language)
    return answer_text(question.kind, entry.payload if isinstance(entry.payload, dict) else {}, language)


def _said(run: RunAgentInput) -> Said:
    """Return what the last message says. Raises ``BadInput`` for a file that is not accepted."""
    message = run.messages[-1] if run.messages else None
    if not isinstance(message, UserMessage):
        raise BadInput.of("turn.refused.empty")
    if isinstance(message.content, str):
        return Said(run.thread_id, message.content)
    words = [part.text for part in message.content if part.type == "text"]
    return Said(run.thread_id, "\n".join(words), _files(message.content))


def _files(parts: Sequence[Any]) -> list[Attachment]:
    found = []
    for part in parts:
        if part.type == "text":
            continue
        source = part.source
        name = str((part.metadata or {}).get("filename", "")) if isinstance(part.metadata, dict) else ""
        if source.type == "data":
            found.append(file_of_base64(source.value, source.mime_type, name))
        else:
            found.append(file_of_data_url(getattr(source, "value", ""), name))
    return found
