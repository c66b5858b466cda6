"""The local host: some or all services' actors in this process, on one bus."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from bandsmith.services.gateway.actor import configured
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import address_of, has_owner, running_server
from bandsmith.shared.errors import BandsmithError, MissingPart
from bandsmith.shared.events import Service
from bandsmith.shared.serving.pools import DEFAULTS, Pools
from bandsmith.shared.serving.replica import ActorWork, Work
from bandsmith.shared.settings import BusSettings

WIRING: dict[Service, str] = {
    "ocr": "bandsmith.services.ocr.actor:OcrActor",
    "planner": "bandsmith.services.planner.actor:PlannerActor",
    "generator": "bandsmith.services.generator.actor:GeneratorActor",
    "validator": "bandsmith.services.validator.actor:ValidatorActor",
}
"""Where a service's actor is, as ``module:class``; it is imported when the service starts, and takes a ``Store``."""
SERVICES: tuple[Service, ...] = (*WIRING, "gateway")
LOOK_SECONDS = 0.5
"""How often a client looks whether its host still lives."""
ROLL_SECONDS = 10.0
"""How often a program on a server of others looks whether somebody is at work for each service."""
ROLLS = (0.3, 3.0)
"""Seconds to wait for those at work to say so: who is busy, as we may be, is asked again with patience."""


class HostGone(BandsmithError):
    """The program whose services we used has ended."""

    code = "host"

    def __init__(self) -> None:
        super().__init__(
            "The Bandsmith that was started first, and worked for this one, has ended: start this one again.",
            message_zh="最先启动、为本程序提供服务的 Bandsmith 已结束：请重新启动本程序。",
        )


class Host:
    """Runs `services` on `bus` from ``start`` to ``stop``; a context manager."""

    def __init__(self, bus: Bus, services: Iterable[Service] = SERVICES, pools: Pools = DEFAULTS) -> None:
        self._bus = bus
        self._services = tuple(services)
        self._pools = pools
        self._works: list[Work] = []

    async def __aenter__(self) -> Host:
        try:
            await self._start()
        except BaseException:
            await self.stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.stop()

    async def stop(self) -> None:
        """What is in hand is finished or handed back before the actors end."""
        await asyncio.gather(*(work.stop() for work in self._works))
        self._works.clear()

    async def _start(self) -> None:
        """The slow parts (models, the JVM) load at the same time. Raises ``MissingPart``."""
        if "gateway" in self._services:
            await self._begin(configured(self._bus, self._pools.gateway.concurrency))
        # Modules are imported one after the other: imports that wait for each other in threads may deadlock.
        wired = [service for service in WIRING if service in self._services]
        classes = await asyncio.to_thread(lambda: [_load(WIRING[service]) for service in wired])
        try:
            async with asyncio.TaskGroup() as group:
                for service, actor in zip(wired, classes, strict=True):
                    concurrency = self._pools.of(service).concurrency
                    group.create_task(self._begin(ActorWork(self._bus, service, actor(self._bus), concurrency)))
        except* Exception as errors:
            raise _first(errors) from None

    async def _begin(self, work: Work) -> None:
        self._works.append(work)
        await work.start()


@asynccontextmanager
async def local(
    services: Iterable[Service] = SERVICES,
    store: Path | None = None,
    before: Callable[[Bus], Awaitable[None]] | None = None,
) -> AsyncIterator[NatsBus]:
    """A bus with `services` at work on it: on the server that NATS_URL names, else on one of our own.

    On a server that is named, only those services are started that nobody is at work for. What one of our own keeps
    stays in the folder `store`, or nowhere. Where another program of this user has that store, this is a client of its
    services, and ``HostGone`` is raised when it ends. `before` sees the store before anything of ours works on it.
    """
    services = tuple(services)
    with running_server(store=store, open_to_others=set(services) == set(SERVICES)) as (url, joined):
        bus = await NatsBus.connect(url)
        try:
            if before:
                await before(bus)
            own = _helping(bus, services) if BusSettings().nats_url else Host(bus, services)
            async with _guest(store) if joined and store else own:
                yield bus
        finally:
            await bus.close()


@asynccontextmanager
async def running(store: Path, patience: float) -> AsyncIterator[NatsBus]:
    """The bus of what runs already: the one that NATS_URL names, else that of the program that has the store.

    Nothing is started; a server that is away is waited for `patience` seconds. Raises ``MissingPart`` where nothing
    runs, and ``HostGone`` when the program ends that has the store.
    """
    settings = BusSettings()
    url = settings.nats_url or address_of(store)
    if not url:
        raise MissingPart(
            "No Bandsmith is running here: start one with `bandsmith chat`, or name the message server of one in "
            "NATS_URL.",
            message_zh="本机没有正在运行的 Bandsmith：请先运行 `bandsmith chat`，或用 NATS_URL 指定其消息服务器。",
        )
    bus = await NatsBus.connect(url, settings.model_copy(update={"bus_timeout": patience}))
    try:
        async with _guest(store) if not settings.nats_url else nullcontext():
            yield bus
    finally:
        await bus.close()


@asynccontextmanager
async def _helping(bus: Bus, services: Iterable[Service]) -> AsyncIterator[None]:
    """Whoever is at work stays so; what nobody does is done here, also when that is so only later."""
    others = set(services)
    """Those of them that are not at work here."""
    async with AsyncExitStack() as hosts:

        async def help_out() -> None:
            missing = others
            for wait in ROLLS:
                if missing:
                    missing = others - {replica.service for replica in await bus.replicas(wait)}
            if missing:
                await hosts.enter_async_context(Host(bus, missing))
                others.difference_update(missing)

        async def look() -> None:
            while True:
                await asyncio.sleep(ROLL_SECONDS)
                with suppress(BandsmithError):  # the server is away, or a part is missing here
                    await help_out()

        await help_out()
        looking = asyncio.create_task(look())
        try:
            yield
        finally:
            looking.cancel()
            await asyncio.wait([looking])


@asynccontextmanager
async def _guest(store: Path) -> AsyncIterator[None]:
    """The block is left by ``HostGone`` as soon as the program has ended that has the store."""
    guest = asyncio.current_task()
    assert guest is not None
    gone = False

    async def look() -> None:
        nonlocal gone
        while await asyncio.to_thread(has_owner, store):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(LOOK_SECONDS)
        gone = True
        guest.cancel()

    looking = asyncio.create_task(look())
    try:
        yield
    except asyncio.CancelledError:
        if not gone:
            raise
        guest.uncancel()
        raise HostGone from None
    finally:
        looking.cancel()


def _load(path: str) -> Callable[..., Any]:
    module, _, name = path.partition(":")
    loaded: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return loaded


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    error = errors.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
