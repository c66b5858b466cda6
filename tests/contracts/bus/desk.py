"""Messages to send, and a worker to hand them to: what the promises of any bus are tried with."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing
from typing import TypeVar

from bandsmith.shared.bus.base import Bus, DeadLetter, Delivery
from bandsmith.shared.events import Envelope, KnowledgeRecalled, RecallKnowledge
from bandsmith.shared.model.base import Ref

T = TypeVar("T")
NOTHING = Ref(key="0" * 64, media="application/json", size=2)
LONG = 60.0
"""Seconds that no test waits for: with such an ``ack_wait``, only an early hand-over delivers again."""
PATIENT = 1.0
"""Seconds in which everybody has answered the roll, on a busy machine too."""


def command(name: str, *, session: str = "s1") -> Envelope:
    """One for the planner."""
    payload = RecallKnowledge(text="", layout=NOTHING).model_dump()
    return Envelope(id=name, kind="RecallKnowledge", session=session, turn="t1", payload=payload)


def event(name: str, *, session: str = "s1") -> Envelope:
    payload = KnowledgeRecalled().model_dump()
    return Envelope(id=name, kind="KnowledgeRecalled", session=session, turn="t1", payload=payload)


class Desk:
    """A worker that notes what it was given and does to it what it was told to."""

    def __init__(self, *settlements: str) -> None:
        self._settlements = list(settlements)
        self.got: list[str] = []
        self.counts: list[int] = []
        self.arrived = asyncio.Condition()

    async def __call__(self, delivery: Delivery) -> None:
        async with self.arrived:
            self.got.append(Envelope.model_validate_json(delivery.data).id)
            self.counts.append(delivery.count)
            self.arrived.notify_all()
        match self._settlements.pop(0) if self._settlements else "ack":
            case "ack":
                await delivery.ack()
            case "nak":
                await delivery.nak()
            case "term":
                await delivery.term("cannot be read")
            case "leave":
                pass
            case "hang":
                await asyncio.sleep(LONG)
            case "raise":
                raise RuntimeError("a mistake in a handler")

    async def has(self, count: int) -> list[str]:
        async def enough() -> None:
            async with self.arrived:
                await self.arrived.wait_for(lambda: len(self.got) >= count)

        await soon(enough())
        return self.got


async def soon(thing: Awaitable[T]) -> T:
    async with asyncio.timeout(20):
        return await thing


async def quiet() -> None:
    """Long enough for a message that should not come to come."""
    await asyncio.sleep(0.3)


async def buried(bus: Bus) -> list[DeadLetter]:
    while not (letters := await bus.dead_letters()):  # noqa: ASYNC110 - a bus does not announce them
        await asyncio.sleep(0.01)
    return letters


async def first(count: int, events: AsyncGenerator[Envelope]) -> list[str]:
    names: list[str] = []
    async with asyncio.timeout(20), aclosing(events):
        async for one in events:
            names.append(one.id)
            if len(names) == count:
                break
    return names
