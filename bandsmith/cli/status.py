"""`bandsmith status`: who is at work, what waits for them and what went wrong, once or for as long as one looks."""

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
from .messages import either, quiet_log, sentence
from .tables import table
from .terminal import interrupts

EVERY = 1.0
"""Seconds between two looks."""
COLUMNS = {
    "replicas": ("replicas", "副本", ""),
    "waiting": ("waiting", "等待", ""),
    "in_hand": ("in hand", "处理中", ""),
    "redelivered": ("redelivered", "重投", "yellow"),
    "handled": ("handled", "已处理", ""),
    "failed": ("failed", "失败", "yellow"),
    "dead": ("dead", "死信", "red"),
}
"""What each is called in English and in Chinese, and the style of what is not zero."""
LESS = ("handled", "redelivered", "failed", "in_hand")
"""What is left out where the terminal is narrow, in this order."""
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
    queues, replicas, dead = await asyncio.gather(bus.queues(), bus.replicas(), bus.dead_letter_counts())
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
                in_hand=sum(queue.in_flight for queue in mine),
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
                    f"Nobody works for {one.service} (waiting: {one.waiting:,}): run `bandsmith serve {one.service}`.",
                    f"没有进程处理 {one.service}，{one.waiting:,} 条消息在等：请运行 `bandsmith serve {one.service}`。",
                )
            )
    if not said and not found.replicas:
        said.append(either("Nobody is at work: run `bandsmith serve`.", "没有进程在运行：请执行 `bandsmith serve`。"))
    if dead := sum(one.dead for one in found.services):
        said.append(
            either(
                f"Dead letters: {dead:,}; `bandsmith dead list` shows them.",
                f"死信 {dead:,} 条；用 `bandsmith dead list` 查看。",
            )
        )
    return said


async def _status(watch: bool, as_json: bool) -> None:
    async with running(HomeSettings().bus, min(PATIENCE, BusSettings().bus_timeout)) as bus:
        if not watch:
            found = await look(bus)
            if as_json:
                print(json.dumps(found.model_dump(mode="json"), ensure_ascii=False, indent=2))
            else:
                console = Console()
                console.print(_shown(found, notes(found), console))
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
            shown = _shown(found, [*(notes(found) if found else []), *trouble], console)
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


def _shown(found: Status | None, said: Sequence[str], console: Console) -> RenderableType:
    below = [Text(printable(line), style="yellow") for line in said]
    return Group(_table(found.services, console), *below) if found else Group(*below)


def _table(standings: Sequence[Standing], console: Console) -> Table:
    columns = {"service": Column(either("service", "服务"), no_wrap=True)}
    columns |= {name: Column(either(*said[:2]), justify="right", no_wrap=True) for name, said in COLUMNS.items()}
    rows = [
        {"service": Text(printable(one.service)), **{name: _count(one, name) for name in COLUMNS}} for one in standings
    ]
    return table(columns, rows, console, less=LESS)


def _count(one: Standing, column: str) -> Text:
    number = getattr(one, column)
    style = COLUMNS[column][2] if number else "dim"
    if column in ("replicas", "waiting") and one.waiting and not one.replicas:
        style = "red"
    return Text(f"{number:,}", style=style)
