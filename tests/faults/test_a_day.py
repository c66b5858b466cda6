"""Twenty-four hours of scheduled runs and conversations on a virtual clock: nothing is lost or doubled."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

import pytest

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.services.gateway.runs import RunScheduler
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.events import DeliverFiles, FilesDelivered
from bandsmith.shared.runs.store import Runs

from ..gateway.scripted import scripted
from ..shared.runs.made import START, scheduled
from ..virtual_clock import virtual_clock
from ..workflow.play import starting

DAY_S = 24 * 3600
RUNS, RUNS_A_DAY = 5, 48
SESSIONS, TURNS_A_DAY = 20, 24
T = TypeVar("T")
ENDS = ("TurnFinished", "TurnFailed")


@pytest.mark.slow
async def test_a_day_of_runs_and_conversations_loses_and_doubles_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(asyncio, "to_thread", at_once)  # a thread has no time on a virtual clock
    bus, loop = MemoryBus(), asyncio.get_running_loop()
    runs = Runs(bus)
    await scripted(bus, {DeliverFiles: [FilesDelivered(delivered_to=["reports/a.pdf"])]})
    for number in range(RUNS):
        await runs.add(scheduled(f"run{number}", "*/30 * * * *"))
    with virtual_clock():
        began = loop.time()
        clock = RunScheduler(
            bus, lambda: START + timedelta(seconds=loop.time() - began), interval=30, monotonic=loop.time
        )
        gateway = GatewayActor(bus, scheduler=clock)
        await gateway.start()
        tasks_before = len(asyncio.all_tasks())
        await asyncio.gather(*(talk(bus, f"session-{number}") for number in range(SESSIONS)))
        await asyncio.sleep(60)

        ended = await ends(bus)
        assert ended["TurnFailed"] == 0
        assert ended["TurnFinished"] == ended["turns"] == RUNS * RUNS_A_DAY + SESSIONS * TURNS_A_DAY
        assert await bus.dead_letters() == []
        assert not any(queue.waiting or queue.in_flight for queue in await bus.queues())
        assert len(asyncio.all_tasks()) <= tasks_before
        await gateway.stop()


async def at_once(function: Callable[..., T], *args: object) -> T:
    return function(*args)


async def talk(bus: MemoryBus, session: str) -> None:
    for number in range(TURNS_A_DAY):
        beginning = starting("a sales report with customer and amount", (), turn=f"t{number}", session=session)
        await bus.send(beginning.model_copy(update={"id": f"{session}-{number}"}))
        await asyncio.sleep(DAY_S / TURNS_A_DAY)


async def ends(bus: MemoryBus) -> Counter[str]:
    """Return how many ends of each kind were published, and how many turns they belong to."""
    sessions = [f"run-run{number}" for number in range(RUNS)] + [f"session-{number}" for number in range(SESSIONS)]
    found: Counter[str] = Counter()
    for session in sessions:
        events = [one.event for one in await bus.read_turn_events(session, after=0, limit=1_000_000)]
        finished = [event for event in events if event.kind in ENDS]
        found.update(event.kind for event in finished)
        found["turns"] += len({event.turn for event in finished})
    return found
