"""A hundred runs are due at once, three gateways look after them, and one is killed (SIGKILL) in the middle."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import DeliverFiles, FilesDelivered
from bandsmith.shared.runs.store import Runs
from bandsmith.shared.settings import BusSettings

from ..gateway.scripted import scripted
from ..shared.runs.made import scheduled
from .test_streams import Gateway

RUNS, GATEWAYS = 100, 3


async def done(runs: Runs) -> list[str]:
    """Return the names of the runs that have a result, once for each result."""
    states = [await runs.read(name) for name in await runs.names()]
    return [stored.state.run.name for stored in states if stored for _ in stored.state.results]


async def until_done(runs: Runs, count: int) -> None:
    while len(await done(runs)) < count:  # noqa: ASYNC110 - other processes write the results
        await asyncio.sleep(0.1)


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_each_run_happens_once_when_a_gateway_is_killed(tmp_path: Path):
    with NatsServer(tmp_path / "store") as server:
        bus = await NatsBus.connect(server.url, BusSettings(ack_wait=1, max_deliveries=20))
        await scripted(bus, {DeliverFiles: [FilesDelivered(delivered_to=["reports/a.pdf"])]})
        runs, now = Runs(bus), datetime.now(UTC)
        # Given a hundred runs, due once, a moment ago
        for number in range(RUNS):
            moment = now - timedelta(seconds=1)
            once = f"{moment.minute} {moment.hour} {moment.day} {moment.month} *"
            state = scheduled(f"run{number}", once, now)
            await runs.add(state.model_copy(update={"next_due": moment}))

        # When three gateways start, and one of them dies while the runs are under way
        gateways = [Gateway(server.url) for _ in range(GATEWAYS)]
        await asyncio.gather(*(gateway.start() for gateway in gateways))
        await until_done(runs, RUNS // 10)
        await gateways[0].kill()
        await until_done(runs, RUNS)
        await asyncio.gather(*(gateway.kill() for gateway in gateways[1:]))

        # Then each has one result and was one turn
        assert sorted(Counter(await done(runs)).values()) == [1] * RUNS
        for number in range(RUNS):
            events = await bus.read_turn_events(f"run-run{number}", after=0, limit=1000)
            kinds = Counter(one.event.kind for one in events)
            assert (kinds["TurnStarted"], kinds["TurnFinished"]) == (1, 1)
        await bus.close()
