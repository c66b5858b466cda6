"""`bandsmith status`: who is at work, what waits for them and what went wrong, once or for as long as one looks."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import nullcontext

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from shared.bus.base import Bus, Replica
from shared.errors import RetryableError
from shared.llm.watch import visible
from shared.model.base import Value
from shared.settings import BusSettings, HomeSettings

from .local import SERVICES, running
from .terminal import interrupts
from .words import either, quiet_log, sentence

EVERY = 1.0
"""Seconds between two looks."""
PATIENCE = 3.0
"""Seconds to wait for a server that is away before that is said."""


class Standing(Value):
    """How a service stands."""

    service: str
    replicas: int = 0
    waiting: int = 0
    in_hand: int = 0
    redelivered: int = 0
    handled: int = 0
    failed: int = 0
    """Since its replicas began, as `handled`."""
    dead: int = 0


class Status(Value):
    services: list[Standing]
    replicas: list[Replica]


def status(watch: bool | None, as_json: bool) -> None:
    """Print how the services stand. `watch`: again and again until Ctrl-C; None is that on a terminal alone.

    Raises ``MissingPart`` where nothing runs, ``RetryableError`` where the message server is away.
    """
    quiet_log()
    asyncio.run(_status(watch if watch is not None else sys.stdout.isatty() and not as_json, as_json))


async def look(bus: Bus) -> Status:
    """How every service stands right now; the names of services that only the bus knows come last."""
    queues, replicas, dead = await asyncio.gather(bus.queues(), bus.roll(), bus.dead_counts())
    others = {*(queue.service for queue in queues), *(one.service for one in replicas), *dead} - {*SERVICES}
    standings = []
    for service in (*SERVICES, *sorted(others)):
        mine = [queue for queue in queues if queue.service == service]
        workers = [replica for replica in replicas if replica.service == service]
        standings.append(
            Standing(
                service=service,
                replicas=len(workers),
                waiting=sum(queue.waiting for queue in mine),
                in_hand=sum(queue.in_hand for queue in mine),
                redelivered=sum(queue.redelivered for queue in mine),
                handled=sum(replica.handled for replica in workers),
                failed=sum(replica.failed for replica in workers),
                dead=dead.get(service, 0),
            )
        )
    return Status(services=standings, replicas=replicas)


def notes(found: Status) -> list[str]:
    """What somebody ought to do about it, in sentences."""
    said = []
    for one in found.services:
        if one.waiting and not one.replicas:
            said.append(
                either(
                    f"Nobody works for {one.service}, where {one.waiting:,} wait: run `bandsmith serve {one.service}`.",
                    f"没有进程处理 {one.service}，{one.waiting:,} 条消息在等：请运行 `bandsmith serve {one.service}`。",
                )
            )
    if dead := sum(one.dead for one in found.services):
        said.append(
            either(
                f"Dead letters: {dead:,}; `bandsmith dead list` shows them.",
                f"死信 {dead:,} 条；用 `bandsmith dead list` 查看。",
            )
        )
    return said


async def _status(watch: bool, as_json: bool) -> None:
    async with running(HomeSettings().bus, min(PATIENCE, BusSettings().patience)) as bus:
        if not watch:
            found = await look(bus)
            if as_json:
                print(json.dumps(found.model_dump(mode="json"), ensure_ascii=False, indent=2))
            else:
                Console().print(_shown(found, notes(found)))
        elif as_json:
            async for latest, trouble in _looks(bus):
                if latest and not trouble:
                    print(json.dumps(latest.model_dump(mode="json"), ensure_ascii=False), flush=True)
        else:
            await _watch(bus)


async def _watch(bus: Bus) -> None:
    console = Console()
    with Live(console=console, auto_refresh=False) if console.is_terminal else nullcontext() as live:
        async for found, trouble in _looks(bus):
            shown = _shown(found, [*(notes(found) if found else []), *trouble])
            if live:
                live.update(shown, refresh=True)
            else:
                console.print(shown)


async def _looks(bus: Bus) -> AsyncIterator[tuple[Status | None, Sequence[str]]]:
    """What was seen last, look by look until Ctrl-C, and why it is not newer where it is not."""
    found: Status | None = None
    with interrupts() as pressed:
        leaving = asyncio.create_task(pressed.wait())
        while not pressed.is_set():
            looking = asyncio.create_task(look(bus))
            await asyncio.wait([looking, leaving], return_when=asyncio.FIRST_COMPLETED)
            if not looking.done():
                looking.cancel()
                return
            trouble: Sequence[str] = ()
            try:
                found = looking.result()
            except RetryableError as error:
                trouble = (sentence(error),)
            yield found, trouble
            await asyncio.wait([leaving], timeout=EVERY)


def _shown(found: Status | None, said: Sequence[str]) -> RenderableType:
    below = [Text(visible(line), style="yellow") for line in said]
    return Group(_table(found.services), *below) if found else Group(*below)


def _table(standings: Sequence[Standing]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1))
    names = either(
        "service,replicas,waiting,in hand,redelivered,handled,failed,dead",
        "服务,副本,等待,处理中,重投,已处理,失败,死信",
    ).split(",")
    table.add_column(names[0], no_wrap=True)
    for name in names[1:]:
        table.add_column(name, justify="right")
    for one in standings:
        alarm = "red" if one.waiting and not one.replicas else None
        table.add_row(
            Text(visible(one.service)),
            _count(one.replicas, alarm),
            _count(one.waiting, alarm),
            _count(one.in_hand),
            _count(one.redelivered, "yellow" if one.redelivered else None),
            _count(one.handled),
            _count(one.failed, "yellow" if one.failed else None),
            _count(one.dead, "red" if one.dead else None),
        )
    return table


def _count(number: int, style: str | None = None) -> Text:
    return Text(f"{number:,}", style=style or ("" if number else "dim"))
