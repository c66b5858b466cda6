"""A replica of a service in a separate process, with its own connection to the bus."""

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

MAX_ORPHAN_S = 60.0
"""How long an orphaned thread may run before the replica is unhealthy; only a new process helps then."""


class Work(Protocol):
    """A service's work on a bus between ``start`` and ``stop``; ``stop`` lets the messages in flight finish."""

    async def start(self) -> None: ...
    async def stop(self) -> None: ...


class ActorFactory(Protocol):
    def __call__(self, store: Store, /) -> Actor: ...


class WorkFactory(Protocol):
    def __call__(self, bus: Bus, concurrency: int, /) -> Work: ...


class ActorWork:
    """The work of an actor: competing for its service's commands."""

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
    """One replica; Ray Serve creates one in each of its processes. ``start`` returns when it is working."""

    def __init__(self, make: WorkFactory, concurrency: int, environment: Mapping[str, str]) -> None:
        self._make = make
        self._concurrency = concurrency
        self._environment = environment
        self._bus: NatsBus | None = None
        self._work: Work | None = None

    async def start(self) -> None:
        """Connect and start working. Raises ``MissingPart`` without NATS_URL."""
        for name, value in self._environment.items():
            # The machine's own settings take precedence: its credentials, and what it must not see.
            os.environ.setdefault(name, value)
        log.configure()
        settings = BusSettings()
        if not settings.nats_url:
            raise MissingPart.of("bus.replica_without_address", code="missing")
        self._bus = await NatsBus.connect(settings.nats_url, settings)
        self._work = self._make(self._bus, self._concurrency)
        await self._work.start()

    async def stop(self) -> None:
        """Accept no more messages, let those in flight finish, hand back the rest."""
        if self._work is not None:
            await self._work.stop()
        if self._bus is not None:
            await self._bus.close()
        await asyncio.to_thread(traces.close)  # Ray ends the process without running exit handlers

    async def check_health(self) -> None:
        """Raise if only a new process helps. An unreachable message server is no reason: the bus reconnects."""
        if self._bus is None or not self._bus.alive or oldest_orphan_seconds() > MAX_ORPHAN_S:
            raise RetryableError.of("bus.replica_stopped", code="retryable")
