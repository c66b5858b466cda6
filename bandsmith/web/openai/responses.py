"""``/v1/responses``: the id of a response contains its session, so ``previous_response_id`` continues it."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from bandsmith.shared.bus.base import Delta
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.events import Message, TurnFinished
from bandsmith.shared.model.allowance import Usage

from ..conversation import ChatTurn, Said, new_session
from ..problems import openai_error
from .completions import STREAM_HEADERS, begun, whole_answer
from .housekeeping import housekeeping_answer
from .requests import MODEL, RESPONSE_ID, ResponseRequest, attachments_of, last_message, read_request, session_of

Json = dict[str, Any]


async def create_response(request: Request) -> Response:
    """Answer an input; with ``stream``, as it is worked on."""
    asked = await read_request(request, ResponseRequest)
    message = last_message(asked.messages)
    attachments = attachments_of(message)
    fixed = None if attachments else housekeeping_answer(message.text)
    if fixed is not None:
        reply = Reply(new_session(), asked.previous_response_id)
        return JSONResponse(reply.whole("completed", [reply.message(fixed)], Usage()))
    session = session_of(request, asked.metadata, asked.messages, asked.previous_response_id)
    conversation = ChatTurn(request, Said(session, message.text, attachments))
    reply = Reply(conversation.session, asked.previous_response_id)
    if asked.stream:
        events = await begun(conversation.events())
        stream = _stream(request, conversation, events, reply)
        return StreamingResponse(stream, media_type="text/event-stream", headers=STREAM_HEADERS)
    content, end = await whole_answer(conversation)
    whole = reply.whole("completed", [reply.message(content)], end.usage)
    return JSONResponse(whole | {"ext": conversation.extension(end)})


class Reply:
    """The objects that a response consists of."""

    def __init__(self, session: str, previous: str | None) -> None:
        self._id = f"{RESPONSE_ID}{session}.{uuid.uuid4().hex[:8]}"
        self.item = f"msg_{uuid.uuid4().hex}"
        self._previous = previous
        self._created = int(time.time())

    def whole(self, status: str, output: list[Json], usage: Usage | None = None) -> Json:
        fixed = {"parallel_tool_calls": False, "tool_choice": "auto", "tools": [], "metadata": {}}
        empty = dict.fromkeys(("error", "incomplete_details", "instructions", "temperature", "top_p"))
        about = {"id": self._id, "object": "response", "created_at": self._created, "model": MODEL}
        about |= {"status": status, "output": output, "previous_response_id": self._previous}
        return {**about, **fixed, **empty, "usage": _tokens(usage) if usage else None}

    def failed(self, error: Json) -> Json:
        return self.whole("failed", []) | {"error": {"code": "server_error", "message": error["error"]["message"]}}

    def message(self, text: str) -> Json:
        return {**self.started_message(), "status": "completed", "content": [self.part(text)]}

    def started_message(self) -> Json:
        about = {"id": self.item, "type": "message", "role": "assistant"}
        return {**about, "status": "in_progress", "content": []}

    @staticmethod
    def part(text: str) -> Json:
        return {"type": "output_text", "text": text, "annotations": []}


async def _stream(
    request: Request, conversation: ChatTurn, events: AsyncGenerator[Message | Delta | None], reply: Reply
) -> AsyncIterator[str]:
    line, shown = _numbered(), ""
    place: Json = {"item_id": reply.item, "output_index": 0, "content_index": 0}
    yield line("response.created", response=reply.whole("in_progress", []))
    yield line("response.in_progress", response=reply.whole("in_progress", []))
    yield line("response.output_item.added", output_index=0, item=reply.started_message())
    yield line("response.content_part.added", **place, part=reply.part(""))
    try:
        async with aclosing(events):
            async for event in events:
                if event is None:
                    yield ": still here\n\n"
                elif isinstance(event, Delta):
                    shown += event.text
                    yield line("response.output_text.delta", **place, delta=event.text, logprobs=[])
                elif isinstance(event, TurnFinished):
                    result = conversation.result(event)
                    rest = conversation.closing(result, shown)
                    yield line("response.output_text.delta", **place, delta=rest, logprobs=[])
                    ext = conversation.extension(event)
                    for last in _ending(line, reply, shown + rest, event.usage, ext):
                        yield last
    except BandsmithError as error:
        yield line("response.failed", response=reply.failed(openai_error(request, error)))


def _ending(line: Callable[..., str], reply: Reply, text: str, usage: Usage, ext: Json) -> list[str]:
    place: Json = {"item_id": reply.item, "output_index": 0, "content_index": 0}
    message = reply.message(text)
    return [
        line("response.output_text.done", **place, text=text, logprobs=[]),
        line("response.content_part.done", **place, part=reply.part(text)),
        line("response.output_item.done", output_index=0, item=message),
        line("response.completed", response=reply.whole("completed", [message], usage) | {"ext": ext}),
    ]


def _numbered() -> Callable[..., str]:
    """Return a function that writes the events of one stream, each with its number."""
    number = -1

    def line(kind: str, **data: object) -> str:
        nonlocal number
        number += 1
        body = {"type": kind, "sequence_number": number, **data}
        return f"event: {kind}\ndata: {json.dumps(body, ensure_ascii=False)}\n\n"

    return line


def _tokens(usage: Usage) -> Json:
    return {
        "input_tokens": usage.tokens_in,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": usage.tokens_out,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.tokens,
    }
