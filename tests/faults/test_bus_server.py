"""The message server is killed (SIGKILL) under load and restarted."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from bandsmith.shared.bus.base import Conflict
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.errors import RetryableError
from bandsmith.shared.events import Envelope
from bandsmith.shared.settings import BusSettings
from bandsmith.shared.worker import run_actor
from tests.faults.planner import SETTINGS, Planner, command, given_up

COMMANDS = 60
PATIENT = SETTINGS.model_copy(update={"max_deliveries": 12})
"""Each restart of the server costs messages in flight a delivery or two."""


@pytest.fixture
def server(tmp_path: Path) -> NatsServer:
    return NatsServer(tmp_path / "store")


@pytest.fixture
async def bus(server: NatsServer) -> AsyncIterator[NatsBus]:
    with server:
        bus = await NatsBus.connect(server.url, SETTINGS)
        yield bus
        await bus.close()


async def answers(bus: NatsBus, last: str, seen: asyncio.Queue[str] | None = None) -> list[str]:
    """The ids of the commands that were answered, in order, until `last` is."""
    answered: list[str] = []
    async with asyncio.timeout(60), aclosing(bus.follow("s1")) as events:
        async for event in events:
            answered.append(event.causation)
            if seen is not None:
                seen.put_nowait(event.causation)
            if event.causation == last:
                break
    return answered


async def test_every_command_is_answered_once_despite_restarts(
    bus: NatsBus, server: NatsServer, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    # Given workers, a sender and a reader, all at work
    workers = await NatsBus.connect(server.url, PATIENT)
    await run_actor(workers, "planner", Planner(0.02), concurrency=3, settings=PATIENT)
    seen: asyncio.Queue[str] = asyncio.Queue()
    reading = asyncio.create_task(answers(bus, "last", seen))

    async def send_all() -> None:
        for number in range(COMMANDS):
            await bus.send(command(f"c{number}"))
            await asyncio.sleep(0.01)

    sending = asyncio.create_task(send_all())

    # When the server is killed twice meanwhile
    for _ in range(2):
        for _ in range(10):
            await seen.get()
        server.kill()
        await asyncio.sleep(0.3)
        server.start()

    # Then all is as if nothing had happened
    await sending
    while seen.qsize() + 20 < COMMANDS:  # noqa: ASYNC110 - the commands are answered in any order
        await asyncio.sleep(0.01)
    await bus.send(command("last"))
    answered = await reading
    assert sorted(answered) == sorted([*(f"c{number}" for number in range(COMMANDS)), "last"])
    assert await answers(bus, "last") == answered
    assert await given_up(bus) == []
    await workers.close()
    said = caplog.text + "".join(capfd.readouterr())
    assert "Traceback" not in said and "nats: encountered error" not in said


async def test_states_and_objects_survive_a_restart(bus: NatsBus, server: NatsServer) -> None:
    ref = await bus.put(b"x" * 2_000_000, "image/png")
    revision = await bus.write_state("s1", b"first", None)

    server.kill()
    asking = [
        asyncio.create_task(thing) for thing in (bus.read_state("s1"), bus.write_state("s1", b"second", revision))
    ]
    await asyncio.sleep(0.3)
    server.start()
    await asyncio.gather(*asking)

    newest = await bus.read_state("s1")
    assert newest is not None and newest[0] == b"second"
    with pytest.raises(Conflict):
        await bus.write_state("s1", b"third", revision)
    reader = await NatsBus.connect(server.url, SETTINGS)
    assert await reader.get(ref) == b"x" * 2_000_000
    await reader.close()


async def test_work_continues_on_a_server_that_lost_its_store(bus: NatsBus, server: NatsServer, tmp_path: Path) -> None:
    await run_actor(bus, "planner", Planner(0), settings=SETTINGS)
    await bus.send(command("c1"))
    await answers(bus, "c1")

    server.kill()
    shutil.rmtree(tmp_path / "store")
    server.start()
    await bus.send(command("c2"))

    assert await answers(bus, "c2") == ["c2"]


async def test_a_repeated_advisory_is_counted_once(server: NatsServer) -> None:
    # Given a message that was delivered too often, as the server says
    with server:
        bus = await NatsBus.connect(server.url, BusSettings(max_deliveries=1))

        async def advisories(times: int) -> None:
            async with asyncio.timeout(20):
                while (await bus._jetstream.stream_info("DEAD")).state.messages < times:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)

        await bus.consume_commands("planner", lambda delivery: delivery.nak())
        await bus.send(command("c1"))
        await advisories(1)
        assert await bus.dead_letter_counts() == {"planner": 1}

        # When the server is killed, and says it again
        server.kill()
        server.start()
        await bus.last_sequence()
        await advisories(2)

        # Then it is the same letter
        assert len(await bus.dead_letters()) == 1
        assert await bus.dead_letter_counts() == {"planner": 1}
        # ... also for one who has not counted before
        other = await NatsBus.connect(server.url)
        assert await other.dead_letter_counts() == {"planner": 1}
        await other.close()
        await bus.close()


async def test_a_lost_store_loses_its_dead_letters(server: NatsServer, tmp_path: Path) -> None:
    with server:
        bus = await NatsBus.connect(server.url, SETTINGS)
        await bus.consume_commands("planner", lambda delivery: delivery.term("cannot be read"))
        await bus.send(command("c1"))
        async with asyncio.timeout(20):
            while await bus.dead_letter_counts() != {"planner": 1}:  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(0.02)

        server.kill()
        shutil.rmtree(tmp_path / "store")
        server.start()
        await bus.last_sequence()

        assert (await bus.dead_letters(), await bus.dead_letter_counts()) == ([], {})
        await bus.close()


async def test_a_server_that_stays_down_is_an_error(server: NatsServer) -> None:
    with server:
        bus = await NatsBus.connect(server.url, BusSettings(bus_timeout=1.0))
        server.kill()

        for attempt in (bus.send(command("c1")), bus.put(b"a form", "text/plain"), bus.read_state("s1")):
            with pytest.raises(RetryableError, match="not reachable"):
                await attempt

        async with asyncio.timeout(20):
            await bus.close()


async def test_an_attempt_to_connect_that_misses_its_cancellation_ends_all_the_same(server: NatsServer) -> None:
    with server:
        bus = await NatsBus.connect(server.url, BusSettings(bus_timeout=1.0))
        server.kill()
        async with asyncio.timeout(20):
            while not bus._client.is_reconnecting:  # noqa: ASYNC110 - the library sends no event
                await asyncio.sleep(0.02)

            # Given that the cancellation by the library has no effect
            attempts, bus._client._reconnection_task = bus._client._reconnection_task, None
            await bus.close()
            await asyncio.wait({attempts})
        assert attempts.done()


async def test_closing_while_the_server_is_down_does_not_hang(server: NatsServer) -> None:
    with server:
        bus = await NatsBus.connect(server.url, SETTINGS)
        await run_actor(bus, "planner", Planner(0), settings=SETTINGS)

        async def follow() -> list[Envelope]:
            return [event async for event in bus.follow("s1")]

        following = asyncio.create_task(follow())
        await asyncio.sleep(0.1)
        server.kill()
        await asyncio.sleep(0.1)

        async with asyncio.timeout(20):
            await bus.close()
            assert await following == []
