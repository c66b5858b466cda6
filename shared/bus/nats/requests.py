"""Questions to the server: all answers come to one inbox, and a lost connection answers at once."""

from __future__ import annotations

import asyncio
from typing import Any

import nats.errors
import orjson
from nats.js.errors import APIError

from .fast_client import Message, Wire

ANSWER = 2.0
"""Seconds after which a question may count as lost; after twice as many it does."""


class Requests:
    """Like nats-py's requests, without the timers and the tasks that it starts for each."""

    def __init__(self, client: Wire, patience: float) -> None:
        self._client = client
        self._patience = patience
        self._inbox = ""
        self._number = 0
        self._waiting: dict[str, asyncio.Future[Message]] = {}
        self._overdue: set[str] = set()
        self._clock: asyncio.TimerHandle | None = None

    async def start(self) -> None:
        self._inbox = f"{self._client.new_inbox()}."
        await self._client.take(f"{self._inbox}*", self._hear)

    async def ask(self, subject: str, data: bytes = b"", headers: str = "") -> asyncio.Future[Message]:
        """It leaves now, behind what was asked before; the future brings the answer, or ``TimeoutError``."""
        self._number += 1
        name = str(self._number)
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[name] = answer
        try:
            await self._client.push(subject, data, self._inbox + name, headers)
        except BaseException:
            del self._waiting[name]
            raise
        if self._clock is None:
            self._tick()
        return answer

    def forget(self) -> None:
        """What was asked will not be answered any more."""
        for name in list(self._waiting):
            self._lost(name)

    def _hear(self, message: Message) -> None:
        answer = self._waiting.pop(message.subject[len(self._inbox) :], None)
        if answer is not None and not answer.done():
            answer.set_result(message)

    def _tick(self) -> None:
        """One clock for all: whatever waited at the last tick and still does is overdue."""
        for name in self._overdue & self._waiting.keys():
            self._lost(name)
        self._overdue = set(self._waiting)
        self._clock = asyncio.get_running_loop().call_later(self._patience, self._tick) if self._overdue else None

    def _lost(self, name: str) -> None:
        answer = self._waiting.pop(name)
        if not answer.done():
            answer.set_exception(TimeoutError())
            answer.exception()  # whoever asked may have gone meanwhile


def reply(message: Message) -> dict[str, Any]:
    """What JetStream answered. Raises ``APIError`` for a refusal, ``NoRespondersError`` where it is not."""
    if not message.data:
        raise nats.errors.NoRespondersError
    answer: dict[str, Any] = orjson.loads(message.data)
    if "error" in answer:
        APIError.from_error(answer["error"])
    return answer
