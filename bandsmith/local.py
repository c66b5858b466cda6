"""The local host: the actors of some or all services in this process, on one bus."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import structlog

from bandsmith.services.gateway.actor import configured
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer, address_of, has_owner, running_server, take_over
from bandsmith.shared.errors import BandsmithError, MissingPart
from bandsmith.shared.events import Service
from bandsmith.shared.replies import Text
from bandsmith.shared.serving.pools import DEFAULTS, Pools
from bandsmith.shared.serving.replica import ActorWork, Work
from bandsmith.shared.settings import BusSettings

log = structlog.get_logger(__name__)

WIRING: dict[Service, str] = {
    "ocr": "bandsmith.services.ocr.actor:OcrActor",
    "planner": "bandsmith.services.planner.actor:PlannerActor",
    "generator": "bandsmith.services.generator.actor:GeneratorActor",
    "validator": "bandsmith.services.validator.actor:ValidatorActor",
}
"""The actor of each service as ``module:class``, imported when the service starts; it is called with a ``Store``."""
SERVICES: tuple[Service, ...] = (*WIRING, "gateway")
HOST_CHECK_S = 0.5
"""Interval at which a client checks that its host is still running."""
WARM_UP_DELAY_S = 1.0
"""Seconds after the start until things are loaded that may never be needed."""
REPLICA_CHECK_S = 10.0
"""Interval at which a program on an external server checks that every service has a replica."""
REGISTRY_TIMEOUTS_S = (0.3, 3.0)
"""Seconds to wait for the replicas to answer; the second try is for busy ones, on a machine that may be busy too."""


class HostGone(BandsmithError):
    """The program whose services this one used has ended."""

    code = "host"

    def __init__(self) -> None:
        text = Text.of("cli.host_gone")
        super().__init__(text.en, message_zh=text.zh)


class Host:
    """Runs `services` on `bus` within a context."""

    def __init__(self, bus: Bus, services: Iterable[Service] = SERVICES, pools: Pools = DEFAULTS) -> None:
        self._bus = bus
        self._services = tuple(services)
        self._pools = pools
        self._running: list[Work] = []
        self._actors: list[Any] = []

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
        """Stop the actors once the messages in flight are finished or handed back."""
        await asyncio.gather(*(work.stop() for work in self._running))
        self._running.clear()

    async def warm_up(self) -> None:
        """Load what the actors otherwise load on first use; called while there is nothing else to do."""
        await asyncio.sleep(WARM_UP_DELAY_S)
        for actor in self._actors:
            if hasattr(actor, "warm_up"):
                await actor.warm_up()

    async def _start(self) -> None:
        """Start every actor; slow parts (models, the JVM) load at the same time. Raises ``MissingPart``."""
        if "gateway" in self._services:
            await self._begin(configured(self._bus, self._pools.gateway.concurrency))
        # Modules are imported one after another: concurrent imports in threads can deadlock.
        wired = [service for service in WIRING if service in self._services]
        classes = await asyncio.to_thread(lambda: [_load(WIRING[service]) for service in wired])
        try:
            async with asyncio.TaskGroup() as group:
                for service, load in zip(wired, classes, strict=True):
                    actor, concurrency = load(self._bus), self._pools.of(service).concurrency
                    self._actors.append(actor)
                    group.create_task(self._begin(ActorWork(self._bus, service, actor, concurrency)))
        except* Exception as errors:
            raise _first_error(errors) from None

    async def _begin(self, work: Work) -> None:
        self._running.append(work)
        await work.start()


@asynccontextmanager
async def local(
    services: Iterable[Service] = SERVICES,
    store: Path | None = None,
    before: Callable[[Bus], Awaitable[None]] | None = None,
    *,
    warm_up: bool = False,
) -> AsyncIterator[NatsBus]:
    """Provide a bus with running `services`, on the server at NATS_URL or on a dedicated one.

    On an external server, only services without a replica are started. A dedicated server keeps its data in the folder
    `store`, or not at all. If another program of this user has that store, this one becomes a client of its services,
    and takes its place when it ends. `before` is called with the bus before any service starts. With `warm_up`, what
    a service loads when it is first needed is loaded in the background.
    """
    services = tuple(services)
    is_open = set(services) == set(SERVICES)
    with running_server(store=store, open_to_others=is_open) as (url, joined), ExitStack() as servers:
        bus = await NatsBus.connect(url)
        try:
            if before:
                await before(bus)
            host = _missing_services(bus, services) if BusSettings().nats_url else Host(bus, services)
            if joined and store:
                server = NatsServer(store, program=BusSettings().nats_server, open_to_others=is_open, url=url)
                servers.callback(server.stop)
                async with _successor(store, server, Host(bus, services)):
                    yield bus
            else:
                async with host, _in_background(host.warm_up() if warm_up and isinstance(host, Host) else None):
                    yield bus
        finally:
            await bus.close()


@asynccontextmanager
async def running(store: Path, server_timeout: float) -> AsyncIterator[NatsBus]:
    """Provide the bus of a Bandsmith that is running: at NATS_URL, or that of the program that has the store.

    Starts nothing, and waits `server_timeout` seconds for an unreachable server. Raises ``MissingPart`` where nothing
    runs, and ``HostGone`` when the program that has the store ends.
    """
    settings = BusSettings()
    url = settings.nats_url or address_of(store)
    if not url:
        raise MissingPart.of("cli.nothing_runs")
    bus = await NatsBus.connect(url, settings.model_copy(update={"bus_timeout": server_timeout}))
    try:
        async with _guest(store) if not settings.nats_url else nullcontext():
            yield bus
    finally:
        await bus.close()


@asynccontextmanager
async def _missing_services(bus: Bus, services: Iterable[Service]) -> AsyncIterator[None]:
    """Run those `services` that have no replica on the bus, including any that lose their last one later."""
    external = set(services)
    """Services that do not run in this process."""
    async with AsyncExitStack() as hosts:

        async def start_missing() -> None:
            missing = external
            for timeout in REGISTRY_TIMEOUTS_S:
                if missing:
                    missing = external - {replica.service for replica in await bus.replicas(timeout)}
            if missing:
                await hosts.enter_async_context(Host(bus, missing))
                external.difference_update(missing)

        async def watch() -> None:
            while True:
                await asyncio.sleep(REPLICA_CHECK_S)
                with suppress(BandsmithError):  # the server is unreachable, or a component is missing here
                    await start_missing()

        await start_missing()
        watching = asyncio.create_task(watch())
        try:
            yield
        finally:
            watching.cancel()
            await asyncio.wait([watching])


@asynccontextmanager
async def _guest(store: Path) -> AsyncIterator[None]:
    """Leave the block with ``HostGone`` when the program that holds the store ends."""
    async with _left_when_done(_end_of_owner(store)):
        yield


@asynccontextmanager
async def _successor(store: Path, server: NatsServer, host: Host) -> AsyncIterator[None]:
    """Start `server` and `host` when the program that has the store ends, unless another takes its place.

    The block is left with ``HostGone`` if that fails.
    """

    async def succeed() -> None:
        while True:
            await _end_of_owner(store)
            try:
                if await asyncio.to_thread(take_over, server, store):
                    await host.__aenter__()
                    await asyncio.Event().wait()
            except (BandsmithError, OSError) as error:
                log.warning("host.not_succeeded", error=type(error).__name__)
                return

    try:
        async with _left_when_done(succeed()):
            yield
    finally:
        await host.stop()


@asynccontextmanager
async def _in_background(work: Coroutine[Any, Any, None] | None) -> AsyncIterator[None]:
    task = asyncio.create_task(work) if work else None
    try:
        yield
    finally:
        if task:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _end_of_owner(store: Path) -> None:
    while await asyncio.to_thread(has_owner, store):  # noqa: ASYNC110 - a file lock, which sends no notification
        await asyncio.sleep(HOST_CHECK_S)


@asynccontextmanager
async def _left_when_done(ending: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Leave the block with ``HostGone`` as soon as a coroutine ends, and end it with the block."""
    guest = asyncio.current_task()
    assert guest is not None
    gone = False

    async def watch() -> None:
        nonlocal gone
        await ending
        gone = True
        guest.cancel()

    watching = asyncio.create_task(watch())
    try:
        yield
    except asyncio.CancelledError:
        if not gone:
            raise
        guest.uncancel()
        raise HostGone from None
    finally:
        watching.cancel()
        await asyncio.wait([watching])


def _load(path: str) -> Callable[..., Any]:
    module, _, name = path.partition(":")
    loaded: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return loaded


def _first_error(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    error = errors.exceptions[0]
    return _first_error(error) if isinstance(error, BaseExceptionGroup) else error
