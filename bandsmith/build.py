"""One build: a document goes onto the bus, its turn's events come back, its files are fetched."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from shared.bus.base import Bus
from shared.errors import TerminalError
from shared.events import Envelope, Message, StartTurn, TurnFailed, TurnFinished, command_id
from shared.model.document import MEDIA, Document
from shared.model.geometry import Size

from .inputs import read
from .output import NAMES

Watch = Callable[[Message], None]
"""Told of every event as it comes: nodes that begin and end."""


async def build(bus: Bus, path: Path, page: Size | None, watch: Watch) -> tuple[TurnFinished, dict[str, bytes]]:
    """Build a report of the document at `path`: what the turn ended with, and the files by name.

    Raises ``BadInput`` for a document that cannot be read, ``TerminalError`` for one that failed on its way.
    """
    content = await asyncio.to_thread(read, path)
    document = Document(name=path.name, content=await bus.put(content, MEDIA[path.suffix.lower()]), page=page)
    end = await run_turn(bus, StartTurn(document=document), watch)
    names = [name for name in NAMES if name in end.files]
    files = await asyncio.gather(*(bus.get(end.files[name]) for name in names))
    return end, dict(zip(names, files, strict=True))


async def run_turn(bus: Bus, start: StartTurn, watch: Watch) -> TurnFinished:
    """Begin a session with one turn and follow it to its end. Raises ``TerminalError`` when it fails."""
    session, turn = uuid.uuid4().hex, uuid.uuid4().hex
    await bus.send(
        Envelope(
            id=command_id(turn, start.kind(), 1),
            kind=start.kind(),
            session=session,
            turn=turn,
            payload=start.model_dump(mode="json"),
        )
    )
    async with aclosing(bus.follow(session)) as events:
        async for envelope in events:
            event = envelope.message()
            watch(event)
            match event:
                case TurnFinished():
                    return event
                case TurnFailed():
                    raise TerminalError(event.message, message_zh=event.message_zh, code=event.code)
    raise TerminalError("The bus was closed before the build was done.", message_zh="构建完成前总线已关闭。")
