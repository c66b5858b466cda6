"""Handlers of turns: start, answer, cancel, and the stream of events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import PurePath
from typing import Annotated, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from bandsmith.attachments import Attachment, check_name_and_size
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events.turn import MAX_EDITS, MAX_SELECTED
from bandsmith.shared.language import LANGUAGES, Language
from bandsmith.shared.model.action import Action
from bandsmith.shared.model.source import Asking
from bandsmith.shared.model.task import Answer, Planning
from bandsmith.shared.replies import text

from .access import turn_id
from .authentication import is_still_admitted
from .bodies import Agreement, FillBody, body_of
from .door import door_of, identity_of, session_key
from .hub import Cursor, Reset
from .problems import language_of_request
from .views import event_view

T = TypeVar("T")
V = TypeVar("V", bound=BaseModel)
MAX_FILES = 8
MAX_FIELDS = 10
MAX_FIELD_BYTES = 64 * 1024
STREAM_S = 600.0
"""Seconds after which a stream ends: the client connects again, and has to be let in again."""
ADMITTED_S = 5.0
"""Seconds between checks that a stream's client may still see the session."""
RETRY_MS = 1000
"""Milliseconds after which a browser connects again."""
_EDITS: TypeAdapter[list[AnyEdit]] = TypeAdapter(Annotated[list[AnyEdit], Field(max_length=MAX_EDITS)])
_KEYS: TypeAdapter[list[str]] = TypeAdapter(Annotated[list[str], Field(max_length=MAX_SELECTED)])


async def start_turn(request: Request) -> Response:
    """Start a turn with a text, files, edits or an action. The same ``Idempotency-Key`` starts it once.

    With `asking`, the text is a question about data; with `planning`, it asks for work to be planned. With `filling`,
    the report is filled from a source or with the file.
    """
    key = session_key(request)
    async with request.form(max_files=MAX_FILES, max_fields=MAX_FIELDS, max_part_size=MAX_FIELD_BYTES) as form:
        attachments = await read_files(form)
        words, selection, language = _field(form, "text"), _selection(form), _language(form)
        edits, action = _edits(form), _value(form, "action", Action)
        asking, planning = _value(form, "asking", Asking), _value(form, "planning", Planning)
        fill = _value(form, "filling", FillBody)
    if not (words.strip() or attachments or edits or action or fill):
        raise BadInput.of("turn.refused.empty")
    turn = await door_of(request).client.start(
        key,
        words,
        attachments,
        language,
        turn_id(request.headers.get("idempotency-key", "")),
        selection=selection,
        edits=edits,
        action=action,
        asking=asking,
        planning=planning,
        filling=fill.filling if fill else None,
        title=_title(words, attachments),
    )
    return JSONResponse({"turn": turn}, 202)


async def answer_question(request: Request) -> Response:
    """Answer the question with which the last turn ended, by ``{"agrees": true, "question": ID}`` or false."""
    said = await body_of(request, Agreement)
    language = language_of_request(request)
    decision = Answer(question=said.question, decision="accept" if said.agrees else "reject")
    turn = await door_of(request).client.start(
        session_key(request),
        text("web.request.yes" if said.agrees else "web.request.no", language),
        language=language,
        turn=turn_id(request.headers.get("idempotency-key", "")),
        answer=decision if said.question else None,
    )
    return JSONResponse({"turn": turn}, 202)


async def cancel_turn(request: Request) -> Response:
    """Ask for a turn to be cancelled; its end comes as an event."""
    await door_of(request).client.cancel(session_key(request), turn_id(request.path_params["turn"]))
    return Response(status_code=202)


async def stream_events(request: Request) -> Response:
    """Stream the events of a session's turns (server-sent events), after ``Last-Event-ID`` or from now on."""
    after = request.headers.get("last-event-id") or request.query_params.get("after", "")
    door_of(request).streams.check(identity_of(request).user)
    stream = _events(request, Cursor.parse(after))
    return StreamingResponse(stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


async def _events(request: Request, after: Cursor | None) -> AsyncGenerator[str]:
    door, session, is_ready = door_of(request), session_key(request), False
    yield f"retry: {RETRY_MS}\n\n"
    with door.streams.counted(identity_of(request).user):
        async with aclosing(_while_admitted(request, door.hub.follow(session, after, heartbeat=ADMITTED_S))) as events:
            async for cursor, entry in events:
                if entry is None and is_ready:
                    yield ": still here\n\n"
                elif entry is None:
                    is_ready = True
                    yield _message(cursor, "ready", {"exists": await door.client.exists(session)})
                elif isinstance(entry, Reset):
                    yield _message(cursor, "reset", {})
                else:
                    yield _message(cursor, entry.event.kind, event_view(entry, door.access))


async def _while_admitted(request: Request, events: AsyncGenerator[T]) -> AsyncGenerator[T]:
    """Yield events until the stream has to end: after its time, or when its client may not see the session any more."""
    clock = asyncio.get_running_loop().time
    checked = begun = clock()
    async with aclosing(events):
        async for event in events:
            now = clock()
            if now > begun + STREAM_S:
                return
            if now >= checked + ADMITTED_S:
                if not await is_still_admitted(request):
                    return
                checked = now
            yield event


def _message(cursor: Cursor, kind: str, data: dict[str, object]) -> str:
    return f"id: {cursor}\nevent: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


async def read_files(form: FormData) -> list[Attachment]:
    """Return the attached files. Raises ``BadInput`` for one that is not accepted."""
    found = []
    for upload in form.getlist("file"):
        if not isinstance(upload, UploadFile):
            raise BadInput.of("web.error.request")
        name = PurePath((upload.filename or "").replace("\\", "/")).name
        check_name_and_size(name, upload.size or 0)
        found.append(Attachment(name=name, content=await upload.read()))
    return found


def _field(form: FormData, name: str) -> str:
    value = form.get(name, "")
    if not isinstance(value, str):
        raise BadInput.of("web.error.request")
    return value


def _selection(form: FormData) -> list[str]:
    """Return the keys of the selected elements: a JSON list."""
    try:
        return _KEYS.validate_json(_field(form, "selection") or "[]")
    except ValidationError:
        raise BadInput.of("web.error.request") from None


def _edits(form: FormData) -> list[AnyEdit]:
    """Return the edits of the report: a JSON list."""
    try:
        return _EDITS.validate_json(_field(form, "edits") or "[]")
    except ValidationError:
        raise BadInput.of("web.error.edits", code="edits") from None


def _value(form: FormData, name: str, model: type[V]) -> V | None:
    """Return a field that holds JSON; None for an empty one."""
    content = _field(form, name)
    try:
        return model.model_validate_json(content) if content else None
    except ValidationError:
        raise BadInput.of("web.error.request") from None


def _language(form: FormData) -> Language | None:
    wanted = _field(form, "language")
    return next((language for language in LANGUAGES if language == wanted), None)


def _title(words: str, attachments: list[Attachment]) -> str:
    """Return what a session that begins with this turn is called."""
    words = " ".join(words.split())
    return words or PurePath(attachments[0].name).stem if words or attachments else ""
