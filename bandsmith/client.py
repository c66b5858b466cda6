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
from pathlib import Path, PurePath

from pydantic import ConfigDict

from shared.bus.base import NAME, Bus, Delta
from shared.errors import BadInput, TerminalError
from shared.events import Envelope, Message, StartTurn, TurnFailed, TurnFinished, command_id
from shared.model import session as model
from shared.model.base import Ref, Value
from shared.model.document import Document
from shared.model.geometry import Size
from shared.model.session import Language, Said, Version

from .inputs import ATTACHMENTS, check, read

LONGEST_NAME = 64
STATE = "session-"
_FORBIDDEN = re.compile(r"[/\\:*?\"<>|]|^\.")


class Session(model.Session):
    """A session as a client sees it: what it keeps between turns."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Attachment(Value):
    """A file that comes with a turn."""

    name: str
    """With its suffix, which says what it is; without folders."""
    content: bytes
    page: Size | None = None
    """The size in points of the page that it shows, where that is known."""


def attachment(path: Path, page: Size | None = None) -> Attachment:
    """Raises ``BadInput`` when the file is none that can be read."""
    check(path, ATTACHMENTS)
    return Attachment(name=path.name, content=read(path), page=page)


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

        Raises ``BadInput`` for a session's name that cannot be one.
        """
        key, turn = session_id(session), uuid.uuid4().hex
        documents = [await self._document(one) for one in attachments]
        start = StartTurn(text=text, attachments=documents, language=language, name=session)
        heard: asyncio.Queue[Message | Delta] = asyncio.Queue()

        async def follow(after: int) -> None:
            async with aclosing(self._bus.follow(key, after=after)) as events:
                async for envelope in events:
                    if envelope.turn == turn:
                        heard.put_nowait(envelope.message())

        async def hear() -> None:
            async with aclosing(self._bus.hear(key)) as deltas:
                async for delta in deltas:
                    if delta.turn == turn:
                        heard.put_nowait(delta)

        tasks = [asyncio.create_task(hear())]
        try:
            # The place is asked for on the same connection, so when it is known we are listening.
            tasks.append(asyncio.create_task(follow(await self._bus.place())))
            await self._bus.send(
                Envelope(
                    id=command_id(turn, start.kind(), 1),
                    kind=start.kind(),
                    session=key,
                    turn=turn,
                    payload=start.model_dump(mode="json"),
                )
            )
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
        """All of them, the last changed first."""
        found = []
        for key in await self._bus.states(STATE):
            if (stored := await self._bus.read_state(key)) is not None:
                found.append(Session.model_validate_json(stored[0]))
        return sorted(found, key=lambda one: str(one.changed or ""), reverse=True)

    async def session(self, name: str) -> Session:
        """Raises ``BadInput`` when there is none of that name."""
        stored = await self._bus.read_state(STATE + session_id(name))
        if stored is None:
            raise BadInput(
                "There is no such session; `bandsmith sessions list` shows those that there are.",
                message_zh="没有这个会话；用 `bandsmith sessions list` 查看已有的会话。",
                code="session",
            )
        return Session.model_validate_json(stored[0])

    async def delete(self, name: str) -> None:
        """Remove the session and what was said in it. Raises ``BadInput`` when there is none of that name."""
        await self.session(name)
        key = session_id(name)
        await self._bus.delete_state(STATE + key)
        await self._bus.forget(key)

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

    async def history(self, session: Session) -> list[Said]:
        """Everything that was said, also where the session itself keeps a summary."""
        if session.archive is None:
            return session.history
        whole = [Said.model_validate(one) for one in json.loads(await self.fetch(session.archive))]
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
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable() or _FORBIDDEN.search(name):
        raise BadInput(
            f"A session's name has 1 to {LONGEST_NAME} characters, none of them / \\ : * ? \" < > |, and no dot first.",
            message_zh=f'会话名称为 1 到 {LONGEST_NAME} 个字符，不含 / \\ : * ? " < > |，且不以点开头。',
            code="name",
        )
    if NAME.fullmatch(name):
        return name
    return f"s-{hashlib.sha256(name.encode()).hexdigest()[:32]}"


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


def _written(history: Sequence[Said]) -> str:
    return "\n\n".join(f"**{one.role}** ({one.time:%Y-%m-%d %H:%M})\n\n{one.text}" for one in history) + "\n"
