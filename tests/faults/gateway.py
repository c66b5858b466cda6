"""A gateway in a separate process: ``python -m tests.faults.gateway <server's address> <mode>``. The modes are

- ``written``: kill itself (SIGKILL) as soon as a state is written, before any of its messages is published;
- ``said``: kill itself after a new state's events are published, before its commands are;
- a name: consume every answer, in competition with gateways of other names, after random delays and some of them twice
  concurrently.

It prints ``ready`` when it is working, and the session's node when it kills itself. In the first two modes another
gateway follows each one that was killed: a fork of this process, which has loaded the program and done nothing else.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from collections.abc import Awaitable, Callable

import orjson

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.base import DeliveredMessage, Subscription
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.events import COMMANDS, Envelope
from bandsmith.shared.telemetry.log import configure

from ..workflow.service_events import MODEL

LATE = 0.02
"""Seconds by which an answer is late at most."""
TWICE = 0.3
"""The share of messages that come twice."""


class Killed(NatsBus):
    """After a change of a state the process ends: before it says anything of it, or before it asks anything."""

    after = "written"
    _node = ""

    async def write_state(self, key: str, value: bytes, revision: int | None) -> int:
        revision = await super().write_state(key, value, revision)
        self._node = orjson.loads(value)["turn"]["node"]
        if self.after == "written":
            self._die()
        return revision

    async def publish(self, *messages: Envelope) -> None:
        if not self._node:
            return await super().publish(*messages)
        await super().publish(*(message for message in messages if message.kind not in COMMANDS))
        self._die()

    def _die(self) -> None:
        print(self._node, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)


class Copy:
    """A second copy of a message, whose acknowledgement is ignored."""

    def __init__(self, delivery: DeliveredMessage) -> None:
        self.data, self.subject, self.count = delivery.data, delivery.subject, delivery.count

    async def ack(self) -> None: ...
    async def nak(self, delay: float = 0.0) -> None: ...
    async def term(self, reason: str) -> None: ...
    async def in_progress(self) -> None: ...


class Shuffled(NatsBus):
    """Hands out every answer under a name of its own, late, out of order, and some of them twice."""

    name = ""

    async def consume_commands(
        self, service: str, handle: Callable[[DeliveredMessage], Awaitable[None]], *, concurrency: int = 1
    ) -> Subscription:
        return await super().consume_commands(service, shuffled(handle), concurrency=concurrency)

    async def consume_answers(
        self, durable: str, handle: Callable[[DeliveredMessage], Awaitable[None]], *, concurrency: int = 16
    ) -> Subscription:
        return await super().consume_answers(f"{durable}-{self.name}", shuffled(handle), concurrency=64)


def shuffled(handle: Callable[[DeliveredMessage], Awaitable[None]]) -> Callable[[DeliveredMessage], Awaitable[None]]:
    async def late(delivery: DeliveredMessage) -> None:
        await asyncio.sleep(random.uniform(0, LATE))
        await handle(delivery)

    async def both(delivery: DeliveredMessage) -> None:
        again = [late(Copy(delivery))] if random.random() < TWICE else []
        await asyncio.gather(late(delivery), *again)

    return both


async def main(url: str, how: str) -> None:
    configure()
    if how in ("written", "said"):
        Killed.after = how
        bus: NatsBus = await Killed.connect(url)
    else:
        Shuffled.name = how
        bus = await Shuffled.connect(url)
    await GatewayActor(bus, MODEL).start()
    print("ready", flush=True)
    await asyncio.Event().wait()


def one_after_another(url: str, how: str) -> None:
    """Start a gateway, and another whenever one was killed. One that ends in another way is the last."""
    while True:
        gateway = os.fork()
        if gateway == 0:
            asyncio.run(main(url, how))
        _, status = os.waitpid(gateway, 0)
        if status != signal.SIGKILL:
            sys.exit(f"A gateway ended with status {status}.")


if __name__ == "__main__":
    if sys.argv[2] in ("written", "said"):
        one_after_another(*sys.argv[1:])
    asyncio.run(main(*sys.argv[1:]))
