"""A worker process to be killed: ``python -m tests.faults.planner <server's address> [hang|unacknowledged]``.

It prints ``ready`` when it accepts commands, and ``now`` when it should be killed: while handling a command (hang), or
after publishing the answer and before acknowledging the command (unacknowledged).
"""

import asyncio
import sys

from bandsmith.shared.bus.base import Bus, DeadLetter
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.events import Command, Envelope, Event, KnowledgeRecalled, RecallKnowledge
from bandsmith.shared.model.base import Ref
from bandsmith.shared.settings import BusSettings
from bandsmith.shared.worker import run_actor

SETTINGS = BusSettings(ack_wait=1.0, retry_delay=0.05, drain_timeout=0.1)


def command(name: str) -> Envelope:
    """One for the planner."""
    payload = RecallKnowledge(text="", layout=Ref(key="0" * 64, media="application/json", size=2)).model_dump()
    return Envelope(id=name, kind="RecallKnowledge", session="s1", turn="t1", payload=payload)


async def given_up(bus: Bus) -> list[DeadLetter]:
    """What is dead, but for messages that are gone: they were settled.

    nats-server 2.9, when it is killed, may remember that such a message was in flight. It then tries to
    deliver it until that was too often.
    """
    return [letter for letter in await bus.dead_letters() if letter.subject]


class Planner:
    """An actor that takes `seconds` for each command."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.handled = 0

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        if self.seconds > 1:
            print("now", flush=True)
        await asyncio.sleep(self.seconds)
        self.handled += 1
        return KnowledgeRecalled()


class Waiting(Planner):
    """It answers when it may."""

    def __init__(self) -> None:
        super().__init__(0)
        self.may = asyncio.Event()

    async def handle(self, command: Command) -> Event:
        await self.may.wait()
        return await super().handle(command)


class Unacknowledging(NatsBus):
    """Its publishing never returns."""

    async def publish(self, event: Envelope) -> None:
        await super().publish(event)
        print("now", flush=True)
        await asyncio.sleep(600)


async def main(url: str, how: str) -> None:
    bus = await (Unacknowledging if how == "unacknowledged" else NatsBus).connect(url, SETTINGS)
    await run_actor(bus, "planner", Planner(600 if how == "hang" else 0), settings=SETTINGS)
    print("ready", flush=True)
    await asyncio.sleep(600)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
