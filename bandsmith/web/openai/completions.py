"""``/v1/models`` and ``/v1/chat/completions``.

Progress is sent as ``reasoning_content``, which chat programs show while they wait. What has no place in the interface
is in the field ``ext``: the session, the turn, links to all files, the findings, the tools that were called, and the
question that waits.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from bandsmith.shared.bus.base import Delta
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.events import Message, NodeStarted, TurnFinished
from bandsmith.shared.model.allowance import Usage
from bandsmith.turn_result import step_text

from ..conversation import ChatTurn, Said
from ..problems import openai_error
from .housekeeping import housekeeping_answer
from .requests import MODEL, ChatRequest, attachments_of, check_model, last_message, read_request, session_of

Json = dict[str, Any]
CREATED = 1_700_000_000
"""When the model was made; programs want a time."""
STREAM_HEADERS = {"x-accel-buffering": "no"}
DESCRIPTION: Json = {"id": MODEL, "object": "model", "created": CREATED, "owned_by": MODEL}


async def list_models(request: Request) -> Response:
    """Return the models: there is one."""
    return JSONResponse({"object": "list", "data": [DESCRIPTION]})


async def show_model(request: Request) -> Response:
    """Return the model of that name."""
    check_model(request.path_params["model"])
    return JSONResponse(DESCRIPTION)


async def complete_chat(request: Request) -> Response:
    """Answer the last message of a conversation; with ``stream``, as it is worked on."""
    asked = await read_request(request, ChatRequest)
    message = last_message(asked.messages)
    attachments = attachments_of(message)
    answer = Completion(has_usage=bool(asked.stream_options and asked.stream_options.include_usage))
    fixed = None if attachments else housekeeping_answer(message.text)
    if fixed is not None:
        return _answer_at_once(answer, fixed, stream=asked.stream)
    session = session_of(request, asked.metadata, asked.messages)
    conversation = ChatTurn(request, Said(session, message.text, attachments))
    headers = {"x-bandsmith-session": conversation.session}
    if asked.stream:
        events = await begun(conversation.events())
        stream = _stream(request, conversation, events, answer)
        return StreamingResponse(stream, media_type="text/event-stream", headers=headers | STREAM_HEADERS)
    content, end = await whole_answer(conversation)
    whole = answer.whole(content, end.usage) | {"ext": conversation.extension(end)}
    return JSONResponse(whole, headers=headers)


@dataclass(frozen=True)
class Completion:
    """The objects that an answer consists of."""

    has_usage: bool = False
    id: str = field(default_factory=lambda: f"chatcmpl-{uuid.uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))

    def whole(self, content: str, usage: Usage) -> Json:
        message = {"role": "assistant", "content": content}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return self._object("chat.completion", choices=[choice], usage=_tokens(usage))

    def chunk(self, delta: Json, finish: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return self._object("chat.completion.chunk", choices=[choice])

    def usage(self, usage: Usage) -> list[Json]:
        """Return the last object of a stream, if the program wants it."""
        return [self._object("chat.completion.chunk", choices=[], usage=_tokens(usage))] if self.has_usage else []

    def _object(self, kind: str, **more: object) -> Json:
        return {"id": self.id, "object": kind, "created": self.created, "model": MODEL, **more}


async def begun(events: AsyncGenerator[Message | Delta | None]) -> AsyncGenerator[Message | Delta | None]:
    """Wait for the first event, so that an error before it has a status; return all events. Raises the error."""
    first = await anext(events)

    async def rest() -> AsyncGenerator[Message | Delta | None]:
        async with aclosing(events):
            yield first
            async for event in events:
                yield event

    return rest()


async def whole_answer(conversation: ChatTurn) -> tuple[str, TurnFinished]:
    """Run the turn, and return the answer and how the turn ended. Raises ``TerminalError`` when it fails."""
    async with aclosing(conversation.events()) as events:
        async for event in events:
            if isinstance(event, TurnFinished):
                return conversation.closing(conversation.result(event), shown=""), event
    raise AssertionError("a turn ends with an event or an error")


async def _stream(
    request: Request, conversation: ChatTurn, events: AsyncGenerator[Message | Delta | None], answer: Completion
) -> AsyncIterator[str]:
    shown = ""
    yield _line(answer.chunk({"role": "assistant", "content": ""}))
    try:
        async with aclosing(events):
            async for event in events:
                match event:
                    case None:
                        yield ": still here\n\n"
                    case Delta():
                        shown += event.text
                        yield _line(answer.chunk({"content": event.text}))
                    case NodeStarted() if step := step_text(event, conversation.language):
                        yield _line(answer.chunk({"reasoning_content": f"{step}\n"}))
                    case TurnFinished():
                        for line in _ending(conversation, event, shown, answer):
                            yield line
    except BandsmithError as error:
        yield _line(openai_error(request, error))
        return
    yield "data: [DONE]\n\n"


def _ending(conversation: ChatTurn, end: TurnFinished, shown: str, answer: Completion) -> list[str]:
    result = conversation.result(end)
    chunks = [
        answer.chunk({"content": conversation.closing(result, shown)}),
        answer.chunk({}, "stop") | {"ext": conversation.extension(end)},
        *answer.usage(end.usage),
    ]
    return [_line(chunk) for chunk in chunks]


def _answer_at_once(answer: Completion, content: str, *, stream: bool) -> Response:
    if not stream:
        return JSONResponse(answer.whole(content, Usage()))
    chunks = [
        answer.chunk({"role": "assistant", "content": content}),
        answer.chunk({}, "stop"),
        *answer.usage(Usage()),
    ]
    lines = [*(_line(chunk) for chunk in chunks), "data: [DONE]\n\n"]
    return Response("".join(lines), media_type="text/event-stream")


def _line(data: Json) -> str:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"


def _tokens(usage: Usage) -> Json:
    counts = {"prompt_tokens": usage.tokens_in, "completion_tokens": usage.tokens_out}
    return {**counts, "total_tokens": usage.tokens}
