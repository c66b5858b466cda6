"""The typed client of a conversation: turns and what they say, sessions, versions and files.

async with local(store=home) as bus:
    client = Client(bus)
    async for event in client.turn("march", "a sales report with customer and amount"):
        ...
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import re
import unicodedata
import uuid
import zipfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from pathlib import PurePath

import structlog
from pydantic import ConfigDict

from bandsmith.services.gateway.admission import MAX_NAME_CHARS, MAX_TEXT_CHARS, invalid_name, long_message
from bandsmith.shared.bus.base import NAME, Bus, Delta
from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.events import Envelope, Message, StartTurn, TurnFailed, TurnFinished, command_id
from bandsmith.shared.language import Language
from bandsmith.shared.model import session as model
from bandsmith.shared.model.base import Ref, Value
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.session import HistoryEntry, Version

from .attachments import ATTACHMENTS, Attachment

log = structlog.get_logger(__name__)

STATE = "session-"
NO_SESSION = "session"
"""The code of the error that there is no such session."""
_FORBIDDEN = re.compile(r"[/\\:*?\"<>|]|^\.")


class Request(Value):
    """A turn that is not over."""

    turn: str
    text: str


class Session(model.Session):
    """A session as a client sees it: what it keeps between turns, and what it is asked for."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    requests: list[Request] = []
    """The one under way first, then those that wait."""


class Client:
    """Speaks to the services over a bus; it keeps nothing itself."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    async def turn(
        self,
        session: str,
        text: str = "",
        attachments: Sequence[Attachment] = (),
        language: Language | None = None,
    ) -> AsyncGenerator[Message | Delta]:
        """Say something, and follow what happens until ``TurnFinished`` or ``TurnFailed``.

        Raises ``BadInput`` for what no turn can begin with: a name that is none, too much text.
        """
        key, turn = session_id(session), uuid.uuid4().hex
        if len(text) > MAX_TEXT_CHARS:
            raise long_message()
        documents = [await self._document(one) for one in attachments]
        start = StartTurn(text=text, attachments=documents, language=language, name=session)
        command = Envelope(
            id=command_id(key, turn, start.kind(), 1),
            kind=start.kind(),
            session=key,
            turn=turn,
            payload=start.model_dump(mode="json"),
        )
        async with aclosing(self._events(key, turn, command)) as events:
            async for event in events:
                yield event

    async def follow(self, session: str, turn: str) -> AsyncGenerator[Message | Delta]:
        """What happened in a turn that began before, and what happens until it ends."""
        async with aclosing(self._events(session_id(session), turn)) as events:
            async for event in events:
                yield event

    async def _events(
        self, session: str, turn: str, command: Envelope | None = None
    ) -> AsyncGenerator[Message | Delta]:
        """What is said of a turn until it ends: of one that `command` begins, or from its beginning in the log."""
        heard: asyncio.Queue[Message | Delta] = asyncio.Queue()

        async def follow(after: int) -> None:
            async with aclosing(self._bus.follow(session, after=after)) as events:
                async for envelope in events:
                    if envelope.turn == turn:
                        heard.put_nowait(envelope.message())

        async def hear() -> None:
            async with aclosing(self._bus.subscribe_deltas(session)) as deltas:
                async for delta in deltas:
                    if delta.turn == turn:
                        heard.put_nowait(delta)

        tasks = [asyncio.create_task(hear())]
        try:
            # The place is asked for on the same connection, so when it is known we are listening.
            place = await self._bus.last_sequence()
            tasks.append(asyncio.create_task(follow(place if command else 0)))
            if command:
                await self._bus.send(command)
            while True:
                event = await _next(heard, tasks)
                yield event
                if isinstance(event, TurnFinished | TurnFailed):
                    return
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def say(
        self, session: str, text: str = "", attachments: Sequence[Attachment] = (), language: Language | None = None
    ) -> TurnFinished:
        """A whole turn. Raises ``TerminalError`` when it fails."""
        async with aclosing(self.turn(session, text, attachments, language)) as events:
            async for event in events:
                if isinstance(event, TurnFinished):
                    return event
                if isinstance(event, TurnFailed):
                    raise TerminalError(event.message, message_zh=event.message_zh, code=event.code)
        raise TerminalError("The bus was closed before the turn was done.", message_zh="本轮完成前总线已关闭。")

    async def sessions(self) -> list[Session]:
        """All that can be read, the last changed first."""
        found = []
        for key in await self._bus.state_keys(STATE):
            if (stored := await self._bus.read_state(key)) is not None:
                try:
                    found.append(_session(stored[0]))
                except BadInput as error:  # of another version of the program: it hides no other
                    log.warning("session.unreadable", key=key, code=error.code)
        return sorted(found, key=lambda one: str(one.changed or ""), reverse=True)

    async def session(self, name: str) -> Session:
        """Raises ``BadInput`` when there is none of that name."""
        return _session(await self._stored(name))

    async def delete(self, name: str) -> None:
        """Remove the session and what was said in it. Raises ``BadInput`` when there is none of that name.

        Turns that are not over end there: whoever follows one hears ``TurnFailed``.
        """
        key = session_id(name)
        removed = await self._bus.delete_state(STATE + key)
        if removed is None:
            raise _no_session()
        await self._bus.delete_events(key)
        with suppress(BadInput):
            for request in _session(removed).requests:
                await self._bus.publish(_deleted(key, request.turn))

    async def _stored(self, name: str) -> bytes:
        stored = await self._bus.read_state(STATE + session_id(name))
        if stored is None:
            raise _no_session()
        return stored[0]

    async def fetch(self, ref: Ref) -> bytes:
        """A file. Raises ``BadInput`` when it is kept no longer."""
        try:
            return await self._bus.get(ref)
        except KeyError:
            raise BadInput(
                "This file is kept no longer; build the report anew.",
                message_zh="该文件已过保存期；请重新生成报表。",
                code="gone",
            ) from None

    async def files(self, refs: dict[str, Ref]) -> dict[str, bytes]:
        """What those names stand for; a name that is more than a name is left out."""
        plain = {name: ref for name, ref in refs.items() if name == PurePath(name).name and not name.startswith(".")}
        contents = await asyncio.gather(*(self.fetch(ref) for ref in plain.values()))
        return dict(zip(plain, contents, strict=True))

    async def export(self, name: str) -> bytes:
        """A session as a ZIP archive: its versions' templates and data, the history, and what it knows of itself."""
        session = await self.session(name)
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
            about = session.model_dump(mode="json", include={"id", "name", "created", "changed", "status", "versions"})
            zipped.writestr("session.json", json.dumps(about, ensure_ascii=False, indent=2))
            zipped.writestr("history.md", _written(await self.history(session)))
            for version in session.versions:
                for file, content in (await self._version(version)).items():
                    zipped.writestr(f"versions/{version.number:03}/{file}", content)
        return archive.getvalue()

    async def history(self, session: Session) -> list[HistoryEntry]:
        """Everything that was said, also where the session itself keeps a summary."""
        if session.archive is None:
            return session.history
        whole = [HistoryEntry.model_validate(one) for one in json.loads(await self.fetch(session.archive))]
        return [*whole, *(one for one in session.history if one.role != "summary" and one.number > whole[-1].number)]

    async def _version(self, version: Version) -> dict[str, bytes]:
        refs = {"report.jrxml": version.template, "data.json": version.data}
        if version.page:
            refs["page-1.png"] = version.page
        found = {}
        for name, ref in refs.items():
            with suppress(BadInput):
                found[name] = await self.fetch(ref)
        return found

    async def _document(self, one: Attachment) -> Document:
        media = ATTACHMENTS.get(PurePath(one.name).suffix.lower(), "application/octet-stream")
        return Document(name=PurePath(one.name).name, content=await self._bus.put(one.content, media), page=one.page)


def session_id(name: str) -> str:
    """The key of the session of that name: itself, where that is ASCII letters, digits, '-' and '_'.

    Raises ``BadInput`` for a name that is no name.
    """
    name = unicodedata.normalize("NFC", name)
    if not name.strip() or len(name) > MAX_NAME_CHARS or not name.isprintable() or _FORBIDDEN.search(name):
        raise invalid_name()
    if NAME.fullmatch(name):
        return name
    return f"s-{hashlib.sha256(name.encode()).hexdigest()[:32]}"


def _no_session() -> BadInput:
    return BadInput(
        "There is no such session; `bandsmith sessions list` shows those that there are.",
        message_zh="没有这个会话；用 `bandsmith sessions list` 查看已有的会话。",
        code=NO_SESSION,
    )


def _session(stored: bytes) -> Session:
    """What the gateway keeps holds the turn it is at, or was, and the beginnings of the next."""
    try:
        state = json.loads(stored)
        turn = state.get("turn")
        requests = [{"turn": turn["id"], "text": turn["text"]}] if turn and not turn["over"] else []
        requests += [{"turn": one["turn"], "text": one["payload"]["text"]} for one in state.get("waiting", [])]
        return Session.model_validate(state | {"requests": requests})
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadInput(
            "This session cannot be read; it may be of another version of Bandsmith. "
            "`bandsmith sessions delete` removes it.",
            message_zh="无法读取该会话，它可能来自另一版本的 Bandsmith。可用 `bandsmith sessions delete` 删除。",
            code="state",
        ) from None


def _deleted(session: str, turn: str) -> Envelope:
    failed = TurnFailed(
        code="deleted",
        message="The session was deleted before this request was done.",
        message_zh="该请求完成前会话已被删除。",
    )
    return Envelope(
        id=command_id(session, turn, "deleted", 1),
        kind=failed.kind(),
        session=session,
        turn=turn,
        payload=failed.model_dump(mode="json"),
    )


async def _next(heard: asyncio.Queue[Message | Delta], tasks: list[asyncio.Task[None]]) -> Message | Delta:
    """The next thing heard; the error of who listens for us, if one ends."""
    waiting = asyncio.create_task(heard.get())
    try:
        await asyncio.wait([waiting, *tasks], return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            return waiting.result()
        for task in tasks:
            if task.done() and (error := task.exception()):
                raise error
        raise TerminalError("The bus was closed before the turn was done.", message_zh="本轮完成前总线已关闭。")
    finally:
        waiting.cancel()


def _written(history: Sequence[HistoryEntry]) -> str:
    return "\n\n".join(f"**{one.role}** ({one.time:%Y-%m-%d %H:%M})\n\n{one.text}" for one in history) + "\n"
