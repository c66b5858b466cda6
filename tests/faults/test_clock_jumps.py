"""The clock jumps a day ahead and an hour back under gateways and the web process: nothing is lost, doubled or wrong.

The clock of the message server stays as it is: a program in Go asks the kernel itself.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2
import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import DeliverFiles, FilesDelivered
from bandsmith.shared.model.run import RunResult
from bandsmith.shared.runs.store import Runs
from bandsmith.shared.runs.times import next_due
from bandsmith.shared.settings import BusSettings
from bandsmith.web.access import Access
from benchmarks.streams import WebProcess

from ..gateway.scripted import scripted
from ..shared.runs.made import scheduled
from .clocks import WallClock
from .test_streams import Gateway
from .turns import hundred_turns

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
JUMPS = (DAY, -HOUR, DAY, timedelta())
RUNS = 10


@asynccontextmanager
async def two_gateways(url: str, *clocks: WallClock) -> AsyncIterator[NatsBus]:
    """Services and two gateways, each with its clock; what is given is a client's connection."""
    settings = BusSettings()
    async with AsyncExitStack() as stack:
        client, services = [await NatsBus.connect(url, settings) for _ in range(2)]
        stack.push_async_callback(client.close)
        stack.push_async_callback(services.close)
        await scripted(services, {DeliverFiles: [FilesDelivered(delivered_to=["reports/a.pdf"])]})
        for clock in clocks:
            with clock.used():
                gateway = Gateway(url)
                await gateway.start()
            stack.push_async_callback(gateway.kill)
        yield client


def clocks_of(folder: Path, *, together: bool) -> list[WallClock]:
    """The clocks of two gateways: of one machine, or of two of which the second keeps the right time."""
    one = WallClock(folder / "clock")
    return [one, one if together else WallClock(folder / "right")]


@pytest.mark.parametrize("together", [True, False], ids=["both", "one of two"])
async def test_no_turn_is_lost_or_doubled(tmp_path: Path, together: bool):
    clocks = clocks_of(tmp_path, together=together)

    def jump(ahead: timedelta):
        async def do() -> None:
            clocks[0].jump(ahead)

        return do

    with NatsServer(tmp_path / "store") as server:
        async with two_gateways(server.url, *clocks) as client:
            got = await hundred_turns(client, [jump(ahead) for ahead in JUMPS])
    print(f"\n{got}")
    assert (got.turns, got.lost, got.doubled, got.failed, got.dead) == (100, 0, 0, 0, 0)


async def results(runs: Runs, name: str) -> list[RunResult]:
    stored = await runs.read(name)
    return list(stored.state.results) if stored else []


async def until_done(runs: Runs, name: str, count: int) -> None:
    while len(await results(runs, name)) < count:  # noqa: ASYNC110 - other processes write the results
        await asyncio.sleep(0.1)


@pytest.mark.parametrize("together", [True, False], ids=["both", "one of two"])
async def test_each_time_of_a_run_happens_once(tmp_path: Path, together: bool):
    clocks = clocks_of(tmp_path, together=together)
    with NatsServer(tmp_path / "store") as server:
        async with two_gateways(server.url, *clocks) as bus:
            # Given runs that are due every eight hours and make up for what was missed
            runs, now = Runs(bus), datetime.now(UTC)
            rule = f"0 {','.join(str((now + number * 8 * HOUR).hour) for number in range(1, 4))} * * *"
            for number in range(RUNS):
                await runs.add(scheduled(f"run{number}", rule, now, missed="all"))
            # When the clock jumps a day ahead, and back to an hour before the right time
            clocks[0].jump(25 * HOUR)
            await asyncio.gather(*(until_done(runs, f"run{number}", 3) for number in range(RUNS)))
            clocks[0].jump(-HOUR)
            # ... and the runs have been looked at with that time
            past = scheduled("zz-past", "* * * * *", now)
            await runs.add(past.model_copy(update={"next_due": now - 2 * HOUR}))
            await until_done(runs, "zz-past", 1)
            # Then each of the three times has one result and was one turn
            for number in range(RUNS):
                done = await results(runs, f"run{number}")
                assert [one.outcome for one in done] == ["done"] * 3
                assert len({one.due for one in done}) == 3
                assert done[0].due == next_due(scheduled(at=now, rule=rule).run.times, now)
                kinds = Counter(
                    e.event.kind for e in await bus.read_turn_events(f"run-run{number}", after=0, limit=999)
                )
                assert (kinds["TurnStarted"], kinds["TurnFinished"], kinds["TurnFailed"]) == (3, 3, 0)


async def test_links_and_cookies_follow_the_clock(tmp_path: Path):
    clock = WallClock(tmp_path / "clock")
    with NatsServer(tmp_path / "store") as server, clock.used():
        bus, web = await NatsBus.connect(server.url), WebProcess(server.url, tmp_path)
        await web.start()
        try:
            stored = await bus.put(b"%PDF-", "application/pdf")
            access = Access(web.secret)
            paths = {
                "session": f"/api/sessions/{access.share('s', days=1)}",
                "file": access.file_path("a.pdf", stored),
                "own": "/api/sessions",
            }
            ahead = Access(web.secret, (datetime.now(UTC) + DAY).timestamp)
            paths["file of tomorrow"] = ahead.file_path("a.pdf", stored)

            async def seen(ahead: timedelta) -> dict[str, int]:
                clock.jump(ahead)
                address = f"http://127.0.0.1:{web.port}"
                async with httpx2.AsyncClient(base_url=address, headers={"cookie": web.cookie}, trust_env=False) as own:
                    answers = {name: await own.get(path) for name, path in paths.items()}
                for answer in answers.values():
                    assert answer.status_code != 410 or answer.json()["detail"]
                return {name: answer.status_code for name, answer in answers.items()}

            today = await seen(timedelta())
            assert today == {"session": 404, "file": 200, "own": 200, "file of tomorrow": 200}
            # A day ahead, what is valid for a day or an hour has ended; the cookie has not
            assert await seen(25 * HOUR) == today | {"session": 410, "file": 410}
            assert await seen(31 * DAY) == {"session": 410, "file": 410, "own": 401, "file of tomorrow": 410}
            # Set back, everything is as it was
            assert await seen(-HOUR) == today
        finally:
            web.kill()
            await bus.close()
