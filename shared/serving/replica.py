"""A replica of a service in a process of its own: on a bus of its own, with its machine's settings or its starter's."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Protocol

from ..actor import Actor, Store
from ..bus.base import Bus, Subscription
from ..bus.nats import NatsBus
from ..errors import MissingPart, RetryableError
from ..events import Service
from ..orphan_threads import oldest_orphan_seconds
from ..settings import BusSettings
from ..telemetry import log, traces
from ..worker import run_actor

STUCK = 60.0
"""Seconds for which a thread may go on with what nobody waits for any more, before only a new process helps."""


class Work(Protocol):
    """What a service does on a bus, from ``start`` to ``stop``; ``stop`` finishes what is in hand."""

    async def start(self) -> None: ...
    async def stop(self) -> None: ...


class ActorFactory(Protocol):
    def __call__(self, store: Store, /) -> Actor: ...


class WorkFactory(Protocol):
    def __call__(self, bus: Bus, concurrency: int, /) -> Work: ...


class ActorWork:
    """The work of an actor: to compete for the commands of its service."""

    def __init__(self, bus: Bus, service: Service, actor: Actor, concurrency: int) -> None:
        self._bus = bus
        self._service = service
        self._actor = actor
        self._concurrency = concurrency
        self._subscription: Subscription | None = None

    async def start(self) -> None:
        self._subscription = await run_actor(self._bus, self._service, self._actor, concurrency=self._concurrency)

    async def stop(self) -> None:
        if self._subscription is not None:
            await self._subscription.stop()
        await self._actor.stop()


def actor_work(service: Service, make: ActorFactory) -> WorkFactory:
    return lambda bus, concurrency: ActorWork(bus, service, make(bus), concurrency)


class ServiceReplica:
    """Connected and at work when ``start`` returns. Ray Serve makes one in each of its processes."""

    def __init__(self, make: WorkFactory, concurrency: int, environment: Mapping[str, str]) -> None:
        self._make = make
        self._concurrency = concurrency
        self._environment = environment
        self._bus: NatsBus | None = None
        self._work: Work | None = None

    async def start(self) -> None:
        """Raises ``MissingPart``."""
        for name, value in self._environment.items():
            os.environ.setdefault(name, value)  # a machine's own hold: who it is on the bus, what it may not know
        log.configure()
        settings = BusSettings()
        if not settings.nats_url:
            raise MissingPart(
                "A replica needs the message server's address in NATS_URL.",
                message_zh="副本需要在 NATS_URL 中给出消息服务器地址。",
            )
        self._bus = await NatsBus.connect(settings.nats_url, settings)
        self._work = self._make(self._bus, self._concurrency)
        await self._work.start()

    async def stop(self) -> None:
        """Take no more, finish what is in hand, hand back the rest."""
        if self._work is not None:
            await self._work.stop()
        if self._bus is not None:
            await self._bus.close()
        await asyncio.to_thread(traces.close)  # Ray ends a process without asking what it still has to say

    async def check_health(self) -> None:
        """Raises when only a new process helps; a message server that is away is no reason: it comes back."""
        if self._bus is None or not self._bus.alive or oldest_orphan_seconds() > STUCK:
            raise RetryableError("This replica takes no more work.", message_zh="此副本已停止处理任务。")
