"""The local host: some or all services' actors in this process, on one bus."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from services.gateway.actor import GatewayActor
from shared.actor import Actor
from shared.bus.base import Bus, Subscription
from shared.bus.nats import NatsBus
from shared.bus.server import address, has_host, serving
from shared.errors import BandsmithError, MissingPart
from shared.events import Service
from shared.llm.base import Allowance
from shared.settings import BusSettings, ModelSettings
from shared.worker import run_actor


@dataclass(frozen=True)
class Wiring:
    """Where a service's actor is, and how many commands it works on at a time."""

    actor: str
    """``module:class``, imported when the service starts: some take seconds. The class takes a ``Store``."""
    concurrency: int


WIRING: dict[Service, Wiring] = {
    "ocr": Wiring("services.ocr.actor:OcrActor", concurrency=2),
    "planner": Wiring("services.planner.actor:PlannerActor", concurrency=16),
    "generator": Wiring("services.generator.actor:GeneratorActor", concurrency=32),
    "validator": Wiring("services.validator.actor:ValidatorActor", concurrency=2),
}
SERVICES: tuple[Service, ...] = (*WIRING, "gateway")
LOOK_SECONDS = 0.5
"""How often a client looks whether its host still lives."""


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

    def __init__(self, bus: Bus, services: Iterable[Service] = SERVICES) -> None:
        self._bus = bus
        self._services = tuple(services)
        self._subscriptions: list[Subscription] = []
        self._actors: list[Actor] = []

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
        await asyncio.gather(*(subscription.stop() for subscription in self._subscriptions))
        await asyncio.gather(*(actor.stop() for actor in self._actors), return_exceptions=True)

    async def _start(self) -> None:
        """The slow parts (models, the JVM) load at the same time. Raises ``MissingPart``."""
        if "gateway" in self._services:
            gateway = GatewayActor(self._bus, _budget(ModelSettings()))
            await gateway.start()
            self._subscriptions.append(gateway)
        # Modules are imported one after the other: imports that wait for each other in threads may deadlock.
        wired = [service for service in WIRING if service in self._services]
        classes = await asyncio.to_thread(lambda: [_load(WIRING[service].actor) for service in wired])
        try:
            async with asyncio.TaskGroup() as group:
                for service, actor in zip(wired, classes, strict=True):
                    group.create_task(self._run(service, actor(self._bus)))
        except* Exception as errors:
            raise _first(errors) from None

    async def _run(self, service: Service, actor: Actor) -> None:
        self._actors.append(actor)
        self._subscriptions.append(await run_actor(self._bus, service, actor, concurrency=WIRING[service].concurrency))


@asynccontextmanager
async def local(
    services: Iterable[Service] = SERVICES,
    store: Path | None = None,
    before: Callable[[Bus], Awaitable[None]] | None = None,
) -> AsyncIterator[NatsBus]:
    """A bus with `services` at work on it: on the server that NATS_URL names, else on one of our own.

    What it keeps stays in the folder `store`, or nowhere. Where another program of this user has that store, this is a
    client of its services, and ``HostGone`` is raised when it ends. `before` sees the store before anything of ours
    works on it.
    """
    services = tuple(services)
    with serving(store=store, open_to_others=set(services) == set(SERVICES)) as (url, joined):
        bus = await NatsBus.connect(url)
        try:
            if before:
                await before(bus)
            async with _guest(store) if joined and store else Host(bus, services):
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
    url = settings.nats_url or address(store)
    if not url:
        raise MissingPart(
            "No Bandsmith is running here: start one with `bandsmith chat`, or name the message server of one in "
            "NATS_URL.",
            message_zh="本机没有正在运行的 Bandsmith：请先运行 `bandsmith chat`，或用 NATS_URL 指定其消息服务器。",
        )
    bus = await NatsBus.connect(url, settings.model_copy(update={"patience": patience}))
    try:
        async with _guest(store) if not settings.nats_url else nullcontext():
            yield bus
    finally:
        await bus.close()


@asynccontextmanager
async def _guest(store: Path) -> AsyncIterator[None]:
    """The block is left by ``HostGone`` as soon as the program has ended that has the store."""
    guest = asyncio.current_task()
    assert guest is not None
    gone = False

    async def look() -> None:
        nonlocal gone
        while await asyncio.to_thread(has_host, store):  # noqa: ASYNC110 - nobody tells
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


def _budget(settings: ModelSettings) -> Allowance:
    """What a turn may spend on a model; nothing where there is none."""
    if not settings.url or not settings.name:
        return Allowance()
    return Allowance(calls=settings.calls_per_turn, tokens=settings.tokens_per_turn)


def _load(path: str) -> Callable[..., Any]:
    module, _, name = path.partition(":")
    loaded: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return loaded


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    error = errors.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
