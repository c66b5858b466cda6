"""A turn while a program waits for it on one connection, as the protocols of chat programs have it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, TypeVar

from starlette.requests import Request

from bandsmith.attachments import Attachment
from bandsmith.client import Client
from bandsmith.shared.bus.base import Delta
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import Message, TurnFinished
from bandsmith.shared.language import Language, language_of
from bandsmith.shared.model.base import Ref
from bandsmith.shared.replies import text as reply_text
from bandsmith.turn_result import TurnResult, turn_result, until_finished

from .access import turn_id
from .door import address_of, door_of, identity_of
from .problems import language_of_request
from .tool_calls import ToolUses

HEARTBEAT_S = 15.0
"""Seconds of silence after which something is sent, so that no proxy closes the connection."""
CHAT_LINK_S = 7 * 24 * 3600
"""Seconds that a link in a conversation is valid at least: people come back to it."""
SHOWN_FILES = ("report.pdf", "report.jrxml", "data.json")
"""Files of a build that the text links to; the others are in the result."""
BUILD_FILES = frozenset({*SHOWN_FILES, "compare.png", "layout.png", "layout.json", "verdict.json"})
PICTURE = "page-1.png"
_T = TypeVar("_T")


@dataclass(frozen=True)
class Said:
    """What the user said in a chat program."""

    session: str
    """Id of the session, as the program knows it."""
    text: str
    attachments: Sequence[Attachment] = ()

    @property
    def title(self) -> str:
        words = " ".join(self.text.split())
        return words or (PurePath(self.attachments[0].name).stem if self.attachments else "")


class ChatTurn:
    """One request of a chat program: the turn that it starts, and how its end is shown."""

    def __init__(self, request: Request, said: Said, turn: str = "") -> None:
        """`turn` is the turn's id; without one, it is the idempotency key of the request.

        Raises ``BadInput`` if nothing was said, ``NotFound`` for what is no session, and ``TooMany`` for a user with
        too many open streams.
        """
        if not said.text.strip() and not said.attachments:
            raise BadInput.of("turn.refused.empty")
        self.session = said.session
        self.language: Language = language_of(said.text) if said.text.strip() else language_of_request(request)
        self.turn = turn_id(turn or request.headers.get("idempotency-key", ""))
        self.tools = ToolUses(self.turn)
        self._said = said
        self._door = door_of(request)
        identity = identity_of(request)
        self._key, self._user = identity.key(said.session), identity.user
        self._door.streams.check(self._user)
        self._address = address_of(request)

    async def events(self) -> AsyncGenerator[Message | Delta | None]:
        """Start the turn, and yield its events up to ``TurnFinished``, and None after every silence.

        The turn is cancelled when the program goes away before the end. Raises ``TerminalError`` when the turn fails.
        """
        client, said = self._door.client, self._said
        turn = client.turn(self._key, said.text, said.attachments, self.language, self.turn, title=said.title)
        is_over = False
        try:
            with self._door.streams.counted(self._user):
                async with aclosing(with_heartbeats(until_finished(turn), HEARTBEAT_S)) as events:
                    async for event in events:
                        is_over = isinstance(event, TurnFinished)
                        self.tools.note(event)
                        yield event
        except (GeneratorExit, asyncio.CancelledError):
            if not is_over:
                _cancel(client, self._key, self.turn)
            raise

    def result(self, end: TurnFinished) -> TurnResult:
        return turn_result(end, self.session, self._link, self.language)

    def extension(self, end: TurnFinished) -> dict[str, Any]:
        """Return what the interface of a model has no place for."""
        about = {"turn": self.turn, "tool_calls": self.tools.dump()}
        return self.result(end).model_dump(mode="json") | about

    def closing(self, result: TurnResult, shown: str) -> str:
        """Return what is left to say at the end of a turn, in Markdown: the reply, unless it was shown, and links.

        The last link names the session: a program that sends the conversation again continues with it.
        """
        reply = result.reply.removeprefix(shown) if result.reply.startswith(shown) else f"\n\n{result.reply}"
        parts = [reply + "".join(f"\n- {note}" for note in result.notes)]
        if PICTURE in result.files:
            parts.append(f"![{reply_text('web.chat.page', self.language)}]({result.files[PICTURE]})")
        names = [name for name in SHOWN_FILES if name in result.files]
        names += [name for name in result.files if name not in BUILD_FILES | {PICTURE}]
        links = [f"[{name}]({result.files[name]})" for name in names]
        links.append(f"[{reply_text('web.chat.open', self.language)}]({self._address}/#{self.session})")
        return "\n\n".join([*parts, " · ".join(links)])

    def _link(self, name: str, content: Ref) -> str:
        return self._address + self._door.access.file_path(name, content, CHAT_LINK_S)


async def with_heartbeats(events: AsyncGenerator[_T], seconds: float) -> AsyncGenerator[_T | None]:
    """Yield the events, and None whenever there was none for so long."""
    upcoming: asyncio.Future[_T] | None = None
    async with aclosing(events):
        try:
            while True:
                upcoming = upcoming or asyncio.ensure_future(anext(events))
                await asyncio.wait([upcoming], timeout=seconds)
                if not upcoming.done():
                    yield None
                    continue
                try:
                    event = upcoming.result()
                except StopAsyncIteration:
                    return
                upcoming = None
                yield event
        finally:
            if upcoming and not upcoming.done():
                upcoming.cancel()
                await asyncio.gather(upcoming, return_exceptions=True)


def new_session() -> str:
    return secrets.token_hex(8)


_cancelling: set[asyncio.Task[None]] = set()
"""The event loop keeps weak references to tasks only."""


def _cancel(client: Client, key: str, turn: str) -> None:
    """Cancel a turn from a task of its own: the one that followed it is being cancelled."""
    task = asyncio.create_task(client.cancel(key, turn))
    _cancelling.add(task)
    task.add_done_callback(_cancelling.discard)
