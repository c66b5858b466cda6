"""Messages and a recording handler for the contract tests of every bus."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing
from typing import TypeVar

from bandsmith.shared.bus.base import Bus, DeadLetter, DeliveredMessage
from bandsmith.shared.events import Envelope, KnowledgeRecalled, NodeStarted, RecallKnowledge
from bandsmith.shared.model.base import Ref

T = TypeVar("T")
NOTHING = Ref(key="0" * 64, media="application/json", size=2)
LONG_S = 60.0
"""Longer than any test: with such an ``ack_wait``, only an explicit nak causes a redelivery."""
REGISTRY_WAIT_S = 1.0
"""Long enough for all replicas to answer, even on a busy machine."""


def command(name: str, *, session: str = "s1") -> Envelope:
    """A command for the planner."""
    payload = RecallKnowledge(text="", layout=NOTHING).model_dump()
    return Envelope(id=name, kind="RecallKnowledge", session=session, turn="t1", payload=payload)


def event(name: str, *, session: str = "s1") -> Envelope:
    payload = KnowledgeRecalled().model_dump()
    return Envelope(id=name, kind="KnowledgeRecalled", session=session, turn="t1", payload=payload)


def progress(name: str, session: str) -> Envelope:
    """An event of a turn, for clients."""
    payload = NodeStarted(node="validate").model_dump()
    return Envelope(id=name, kind="NodeStarted", session=session, turn="t1", payload=payload)


class RecordingHandler:
    """Records its deliveries and treats them as scripted; acknowledges by default."""

    def __init__(self, *actions: str) -> None:
        self._actions = list(actions)
        self.received: list[str] = []
        self.counts: list[int] = []
        self.arrived = asyncio.Condition()

    async def __call__(self, delivery: DeliveredMessage) -> None:
        async with self.arrived:
            self.received.append(Envelope.model_validate_json(delivery.data).id)
            self.counts.append(delivery.count)
            self.arrived.notify_all()
        match self._actions.pop(0) if self._actions else "ack":
            case "ack":
                await delivery.ack()
            case "nak":
                await delivery.nak()
            case "term":
                await delivery.term("cannot be read")
            case "leave":
                pass
            case "hang":
                await asyncio.sleep(LONG_S)
            case "raise":
                raise RuntimeError("a bug in a handler")

    async def wait_for(self, count: int) -> list[str]:
        async def enough() -> None:
            async with self.arrived:
                await self.arrived.wait_for(lambda: len(self.received) >= count)

        await soon(enough())
        return self.received


async def soon(awaitable: Awaitable[T]) -> T:
    async with asyncio.timeout(20):
        return await awaitable


async def quiet() -> None:
    """Wait long enough for an unexpected message to arrive; takes no time on the virtual clock."""
    await asyncio.sleep(0.3)


async def dead_letters(bus: Bus) -> list[DeadLetter]:
    while not (letters := await bus.dead_letters()):  # noqa: ASYNC110 - a bus does not announce them
        await asyncio.sleep(0.01)
    return letters


async def first(count: int, events: AsyncGenerator[Envelope]) -> list[str]:
    names: list[str] = []
    async with asyncio.timeout(20), aclosing(events):
        async for envelope in events:
            names.append(envelope.id)
            if len(names) == count:
                break
    return names
