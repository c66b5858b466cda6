"""``bandsmith status``: replicas, waiting messages and failures of each service, once or refreshed."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import nullcontext

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Column, Table
from rich.text import Text

from bandsmith.shared.bus.base import Bus, Replica
from bandsmith.shared.errors import RetryableError
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.model.base import Value
from bandsmith.shared.settings import BusSettings, HomeSettings

from ..local import SERVICES, running
from .messages import message, quiet_log, sentence
from .tables import table
from .terminal import interrupts

REFRESH_S = 1.0
COLUMN_STYLES = {
    "replicas": "",
    "waiting": "",
    "in_hand": "",
    "redelivered": "yellow",
    "handled": "",
    "failed": "yellow",
    "dead": "red",
}
"""Columns of numbers, and the style of a number that is not zero."""
OPTIONAL_COLUMNS = ("handled", "redelivered", "failed", "in_hand")
"""Columns that a narrow terminal does not show, the first to go first."""
SERVER_TIMEOUT_S = 3.0
"""Seconds to wait for an unreachable server before the command says so."""


class ServiceStatus(Value):
    """The counts of one service."""

    service: str
    replicas: int = 0
    waiting: int = 0
    in_hand: int = 0
    redelivered: int = 0
    handled: int = 0
    """Messages handled since the replicas started."""
    failed: int = 0
    """Messages failed since the replicas started."""
    dead: int = 0


class Status(Value):
    services: list[ServiceStatus]
    replicas: list[Replica]


def status(watch: bool | None, as_json: bool) -> None:
    """Print the status of the services; with `watch` refresh it until Ctrl-C, None means on a terminal only.

    Raises ``MissingPart`` where nothing runs, ``RetryableError`` where the NATS server is unreachable.
    """
    quiet_log()
    asyncio.run(_status(watch if watch is not None else sys.stdout.isatty() and not as_json, as_json))


async def collect(bus: Bus) -> Status:
    """Collect the status of every service; services that only the bus knows come last."""
    queues, replicas, dead = await asyncio.gather(bus.queues(), bus.replicas(), bus.dead_letter_counts())
    unknown = {*(queue.service for queue in queues), *(replica.service for replica in replicas), *dead} - {*SERVICES}
    services = []
    for service in (*SERVICES, *sorted(unknown)):
        own_queues = [queue for queue in queues if queue.service == service]
        own_replicas = [replica for replica in replicas if replica.service == service]
        services.append(
            ServiceStatus(
                service=service,
                replicas=len(own_replicas),
                waiting=sum(queue.waiting for queue in own_queues),
                in_hand=sum(queue.in_flight for queue in own_queues),
                redelivered=sum(queue.redelivered for queue in own_queues),
                handled=sum(replica.handled for replica in own_replicas),
                failed=sum(replica.failed for replica in own_replicas),
                dead=dead.get(service, 0),
            )
        )
    return Status(services=services, replicas=replicas)


def advice(status: Status) -> list[str]:
    """Say what should be done: start a service whose messages wait, look at dead letters."""
    lines = [
        message("cli.status.no_replica", service=service.service, count=service.waiting)
        for service in status.services
        if service.waiting and not service.replicas
    ]
    if not lines and not status.replicas:
        lines.append(message("cli.status.nothing_runs"))
    if dead := sum(service.dead for service in status.services):
        lines.append(message("cli.status.dead_letters", count=dead))
    return lines


async def _status(watch: bool, as_json: bool) -> None:
    async with running(HomeSettings().bus, min(SERVER_TIMEOUT_S, BusSettings().bus_timeout)) as bus:
        if not watch:
            current = await collect(bus)
            if as_json:
                print(json.dumps(current.model_dump(mode="json"), ensure_ascii=False, indent=2))
            else:
                console = Console()
                console.print(_rendered(current, advice(current), console))
        elif as_json:
            async for latest, errors in _refreshed(bus):
                if latest and not errors:
                    print(json.dumps(latest.model_dump(mode="json"), ensure_ascii=False), flush=True)
        else:
            await _watch(bus)


async def _watch(bus: Bus) -> None:
    console = Console()
    with Live(console=console, auto_refresh=False) if console.is_terminal else nullcontext() as live:
        async for latest, errors in _refreshed(bus):
            rendered = _rendered(latest, [*(advice(latest) if latest else []), *errors], console)
            if live:
                live.update(rendered, refresh=True)
            else:
                console.print(rendered)


async def _refreshed(bus: Bus) -> AsyncIterator[tuple[Status | None, Sequence[str]]]:
    """Yield the latest status until Ctrl-C, each time with the error that kept it from being refreshed, if any."""
    latest: Status | None = None
    with interrupts() as pressed:
        leaving = asyncio.create_task(pressed.wait())
        while not pressed.is_set():
            collecting = asyncio.create_task(collect(bus))
            await asyncio.wait([collecting, leaving], return_when=asyncio.FIRST_COMPLETED)
            if not collecting.done():
                collecting.cancel()
                return
            errors: Sequence[str] = ()
            try:
                latest = collecting.result()
            except RetryableError as error:
                errors = (sentence(error),)
            yield latest, errors
            await asyncio.wait([leaving], timeout=REFRESH_S)


def _rendered(status: Status | None, lines: Sequence[str], console: Console) -> RenderableType:
    below = [Text(printable(line), style="yellow") for line in lines]
    return Group(_table(status.services, console), *below) if status else Group(*below)


def _table(services: Sequence[ServiceStatus], console: Console) -> Table:
    columns = {"service": Column(message("cli.status.columns.service"), no_wrap=True)}
    for name in COLUMN_STYLES:
        columns[name] = Column(message(f"cli.status.columns.{name}"), justify="right", no_wrap=True)
    rows = [
        {"service": Text(printable(service.service)), **{name: _count(service, name) for name in COLUMN_STYLES}}
        for service in services
    ]
    return table(columns, rows, console, optional=OPTIONAL_COLUMNS)


def _count(service: ServiceStatus, column: str) -> Text:
    number = getattr(service, column)
    style = COLUMN_STYLES[column] if number else "dim"
    if column in ("replicas", "waiting") and service.waiting and not service.replicas:
        style = "red"
    return Text(f"{number:,}", style=style)
