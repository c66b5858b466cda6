"""One build: a conversation of a single turn, that brings a document and takes its files."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from bandsmith.shared.bus.base import Bus, Delta
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import Message, TurnFailed, TurnFinished
from bandsmith.shared.model.geometry import Size

from .client import Client, attachment
from .output import NAMES
from .words import language

Watch = Callable[[Message], None]
"""Told of every event as it comes: nodes that begin and end."""


async def build(bus: Bus, path: Path, page: Size | None, watch: Watch) -> tuple[TurnFinished, dict[str, bytes]]:
    """Build a report of the document at `path`: what the turn ended with, and the files by name.

    Raises ``BadInput`` for a document that cannot be read, ``TerminalError`` for one that failed on its way.
    """
    client = Client(bus)
    document = await asyncio.to_thread(attachment, path, page)
    async with aclosing(client.turn(uuid.uuid4().hex, attachments=[document], language=language())) as events:
        async for event in events:
            if isinstance(event, Delta):
                continue
            watch(event)
            match event:
                case TurnFinished():
                    return event, await client.files({name: event.files[name] for name in NAMES if name in event.files})
                case TurnFailed():
                    raise TerminalError(event.message, message_zh=event.message_zh, code=event.code)
    raise TerminalError("The bus was closed before the build was done.", message_zh="构建完成前总线已关闭。")
