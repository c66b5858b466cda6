"""The typed client: turns and their events, sessions, versions and files.

async with local(store=home) as bus:
    client = Client(bus)
    async for event in client.turn("march", "a sales report with customer and amount"):
        ...
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import PurePath

import structlog

from bandsmith.shared.bus.base import Bus, Delta, storing_for
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.events import (
    CancelTurn,
    Command,
    Envelope,
    KnowledgeFound,
    KnowledgeListed,
    ListKnowledge,
    Message,
    RenameSession,
    SearchKnowledge,
    StartTurn,
    TurnFailed,
    TurnFinished,
    UnshareSession,
    command_id,
)
from bandsmith.shared.events.turn import MAX_NAME_CHARS, MAX_TEXT_CHARS
from bandsmith.shared.language import Language
from bandsmith.shared.message_refusals import long_message
from bandsmith.shared.model.action import Action
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.errand import SESSION_SUFFIX
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.knowledge import KnowledgeEntry
from bandsmith.shared.model.run import RunState
from bandsmith.shared.model.run_request import MAX_VIEWS
from bandsmith.shared.model.session_parts import HistoryEntry
from bandsmith.shared.model.source import Asking
from bandsmith.shared.model.task import Answer, Planning
from bandsmith.shared.runs.store import Runs

from .ask import ask
from .attachments import MEDIA_TYPES, Attachment
from .session_archive import archive_of
from .session_deletion import delete_session
from .session_view import STATE_PREFIX, SessionView, no_session, parse_session, session_id

log = structlog.get_logger(__name__)

MAX_READ_EVENTS = 10_000


class Client:
    """Sends turns to the services over a bus and reads what they store; it keeps no state."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    async def turn(
        self,
        session: str,
        text: str = "",
        attachments: Sequence[Attachment] = (),
        language: Language | None = None,
        turn: str = "",
        *,
        filling: Filling | None = None,
        asking: Asking | None = None,
        planning: Planning | None = None,
        answer: Answer | None = None,
        title: str = "",
        is_retried: bool = True,
    ) -> AsyncGenerator[Message | Delta]:
        """Start a turn, and yield its events until ``TurnFinished`` or ``TurnFailed``.

        `turn` is its id: a request that is sent again with the same id stays one turn, and yields the same events.
        With a `filling`, the turn fills a report with the attached CSV, XLSX or JSON file, whatever the text says.
        With `asking`, the text is a question about data, with `planning` it asks for work to be placed in a calendar.
        With an `answer`, it answers the question that the session's last turn ended with.
        `title` names a session that the turn begins.
        `is_retried` is false for an id that was made for this call: the log is not searched for earlier events then.
        Raises ``BadInput`` for an invalid session name or too long a text.
        """
        key, is_retried = session_id(session), is_retried and bool(turn)
        turn = turn or uuid.uuid4().hex
        name = (title or session)[:MAX_NAME_CHARS]
        start = StartTurn(
            text=text, language=language, name=name, filling=filling, asking=asking, planning=planning, answer=answer
        )
        command = await self._start_command(key, turn, start, attachments)
        async with aclosing(self._events(key, turn, command, from_start=is_retried)) as events:
            async for event in events:
                yield event

    async def start(
        self,
        session: str,
        text: str = "",
        attachments: Sequence[Attachment] = (),
        language: Language | None = None,
        turn: str = "",
        *,
        selection: Sequence[str] = (),
        edits: Sequence[AnyEdit] = (),
        action: Action | None = None,
        asking: Asking | None = None,
        planning: Planning | None = None,
        filling: Filling | None = None,
        answer: Answer | None = None,
        title: str = "",
    ) -> str:
        """Start a turn and return its id, without following it.

        `selection` holds the keys of the elements that "this" refers to; `edits` change the report, and an
        `action` undoes, redoes, restores or exports, whatever the text says. `filling`, `asking`, `planning`, `answer`
        and `title` are those of ``turn``. Raises what ``turn`` raises.
        """
        key, turn = session_id(session), turn or uuid.uuid4().hex
        name = (title or session)[:MAX_NAME_CHARS]
        start = StartTurn(
            text=text,
            language=language,
            name=name,
            selection=list(selection),
            edits=list(edits),
            action=action,
            asking=asking,
            planning=planning,
            filling=filling,
            answer=answer,
        )
        await self._bus.send(await self._start_command(key, turn, start, attachments))
        return turn

    async def _start_command(
        self, key: str, turn: str, start: StartTurn, attachments: Sequence[Attachment]
    ) -> Envelope:
        """Store the attachments, and return the command that starts the turn."""
        if len(start.text) > MAX_TEXT_CHARS:
            raise long_message()
        with storing_for(key):
            documents = [await self.store(file) for file in attachments]
        start = start.model_copy(update={"attachments": documents})
        return _command(key, turn, start)

    async def cancel(self, session: str, turn: str) -> None:
        """Ask for a turn to be cancelled. It ends with ``TurnFailed`` of the code ``cancelled``, unless it is over."""
        await self._bus.send(_command(session_id(session), turn, CancelTurn()))

    async def rename(self, session: str, name: str) -> None:
        """Ask for a session to be renamed. Raises ``BadInput`` for an invalid name."""
        name = " ".join(name.split())
        if not 0 < len(name) <= MAX_NAME_CHARS or not name.isprintable():
            raise BadInput.of("web.error.name", limit=MAX_NAME_CHARS)
        await self._bus.send(_command(session_id(session), uuid.uuid4().hex, RenameSession(name=name)))

    async def unshare(self, session: str) -> None:
        """Ask for the links that show a session to be revoked."""
        await self._bus.send(_command(session_id(session), uuid.uuid4().hex, UnshareSession()))

    async def follow(self, session: str, turn: str) -> AsyncGenerator[Message | Delta]:
        """Yield the events of a turn that has already started, from its first one until it ends."""
        async with aclosing(self._events(session_id(session), turn)) as events:
            async for event in events:
                yield event

    async def _events(
        self, session: str, turn: str, command: Envelope | None = None, *, from_start: bool = True
    ) -> AsyncGenerator[Message | Delta]:
        """Send `command` if there is one, and yield the turn's events until it ends.

        They are read from their beginning in the log, or for a turn that cannot have begun before, from now on.
        """
        received: asyncio.Queue[Message | Delta] = asyncio.Queue()

        async def follow_events(after: int) -> None:
            async with aclosing(self._bus.follow(session, after=after)) as events:
                async for envelope in events:
                    if envelope.turn == turn:
                        received.put_nowait(envelope.message())

        async def follow_deltas() -> None:
            async with aclosing(self._bus.subscribe_deltas(session)) as deltas:
                async for delta in deltas:
                    if delta.turn == turn:
                        received.put_nowait(delta)

        tasks = [asyncio.create_task(follow_deltas())]
        try:
            # The request for the position uses the same connection as the subscription before it, so once it is
            # answered, the subscription exists and no delta is missed.
            position = await self._bus.last_sequence()
            tasks.append(asyncio.create_task(follow_events(0 if from_start else position)))
            if command:
                await self._bus.send(command)
            while True:
                event = await _next(received, tasks)
                yield event
                if isinstance(event, TurnFinished | TurnFailed):
                    return
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def say(
        self,
        session: str,
        text: str = "",
        attachments: Sequence[Attachment] = (),
        language: Language | None = None,
        *,
        asking: Asking | None = None,
        planning: Planning | None = None,
        answer: Answer | None = None,
    ) -> TurnFinished:
        """Run a turn to its end. Raises ``TerminalError`` when it fails."""
        async with aclosing(
            self.turn(session, text, attachments, language, asking=asking, planning=planning, answer=answer)
        ) as events:
            async for event in events:
                if isinstance(event, TurnFinished):
                    return event
                if isinstance(event, TurnFailed):
                    raise TerminalError(event.message, message_zh=event.message_zh, code=event.code)
        raise TerminalError.of("cli.bus_closed", code=TerminalError.code)

    async def sessions(self, prefix: str = "") -> list[SessionView]:
        """Return every session that can be read and whose key starts with `prefix`, the last changed first."""
        sessions = []
        for key in await self._bus.state_keys(STATE_PREFIX + prefix):
            if key.endswith(SESSION_SUFFIX):  # it belongs to the tasks of another session
                continue
            if (stored := await self._bus.read_state(key)) is not None:
                try:
                    sessions.append(parse_session(stored[0]))
                except BadInput as error:  # written by another version; it must not hide the others
                    log.warning("session.unreadable", key=key, code=error.code)
        return sorted(sessions, key=lambda session: str(session.changed or ""), reverse=True)

    async def session(self, name: str) -> SessionView:
        """Return the session of that name. Raises ``BadInput`` when there is none."""
        stored = await self._bus.read_state(STATE_PREFIX + session_id(name))
        if stored is None:
            raise no_session()
        return parse_session(stored[0])

    async def ends(self, name: str) -> list[TurnFinished]:
        """Return how the finished turns of a session ended, as far as the log has them, the oldest first."""
        entries = await self._bus.read_turn_events(session_id(name), after=0, limit=MAX_READ_EVENTS)
        kind = TurnFinished.kind()
        return [TurnFinished.model_validate(one.event.payload) for one in entries if one.event.kind == kind]

    async def exists(self, name: str) -> bool:
        """Whether there is a session of that name: its first turn has begun."""
        return await self._bus.read_state(STATE_PREFIX + session_id(name)) is not None

    async def runs(self, prefix: str = "") -> list[RunState]:
        """Return the scheduled runs whose names start with `prefix`, by name."""
        return await Runs(self._bus).of_owner(prefix, MAX_VIEWS)

    async def knowledge(self, words: str = "") -> list[KnowledgeEntry]:
        """Return the entries of the knowledge base that words find, the best match first; all of them without words.

        Raises ``RetryableError`` when no planner answers.
        """
        found = await ask(self._bus, SearchKnowledge(words=words) if words.strip() else ListKnowledge())
        assert isinstance(found, KnowledgeFound | KnowledgeListed)
        return found.entries

    async def delete(self, name: str) -> None:
        """Delete a session, its history and its files. Raises ``BadInput`` when there is none with that name.

        Its pending turns end: their followers receive ``TurnFailed``.
        """
        await delete_session(self._bus, session_id(name))

    async def fetch(self, ref: Ref) -> bytes:
        """Return the bytes of a file. Raises ``BadInput`` when it has expired."""
        try:
            return await self._bus.get(ref)
        except KeyError:
            raise BadInput.of("cli.file.expired", code="gone") from None

    async def files(self, refs: dict[str, Ref]) -> dict[str, bytes]:
        """Return the bytes of each file by name; a name that contains a path is left out."""
        plain = {name: ref for name, ref in refs.items() if name == PurePath(name).name and not name.startswith(".")}
        contents = await asyncio.gather(*(self.fetch(ref) for ref in plain.values()))
        return dict(zip(plain, contents, strict=True))

    async def export(self, name: str) -> bytes:
        """Return a ZIP archive of a session: the template and data of each version, the history, and its metadata."""
        session = await self.session(name)
        return await archive_of(session, await self.history(session), self.fetch)

    async def history(self, session: SessionView) -> list[HistoryEntry]:
        """Return the whole history, even if the session itself keeps only a summary of its beginning."""
        if session.archive is None:
            return session.history
        archived = [HistoryEntry.model_validate(entry) for entry in json.loads(await self.fetch(session.archive))]
        last = archived[-1].number
        return [*archived, *(entry for entry in session.history if entry.role != "summary" and entry.number > last)]

    async def store(self, file: Attachment) -> Document:
        """Store a file, as it is attached to a turn; outside of one, it stays until it expires."""
        name = PurePath(file.name).name
        media_type = MEDIA_TYPES.get(PurePath(name).suffix.lower(), "application/octet-stream")
        # A name on a disk may hold bytes that are no text, which no message can hold.
        name = name.encode("utf-8", "replace").decode()
        return Document(name=name, content=await self._bus.put(file.content, media_type), page=file.page)


def _command(key: str, turn: str, command: Command) -> Envelope:
    return Envelope(
        id=command_id(key, turn, command.kind(), 1),
        kind=command.kind(),
        session=key,
        turn=turn,
        payload=command.model_dump(mode="json"),
    )


async def _next(received: asyncio.Queue[Message | Delta], tasks: list[asyncio.Task[None]]) -> Message | Delta:
    """Return the next event; raise the error of a follower that has ended."""
    waiting = asyncio.create_task(received.get())
    try:
        await asyncio.wait([waiting, *tasks], return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            return waiting.result()
        for task in tasks:
            if task.done() and (error := task.exception()):
                raise error
        raise TerminalError.of("cli.bus_closed", code=TerminalError.code)
    finally:
        waiting.cancel()
