"""A hundred turns during each fault: none is lost, doubled or wrong."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from bandsmith.client import Client
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.errors import RetryableError
from bandsmith.shared.settings import BusSettings
from tests.conftest import delete_all_streams

from ..gateway.scripted import until_the_end
from ..workflow.play import starting
from .bad_network import bad_network
from .turns import Outcome, hundred_turns, parts

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
SETTINGS = BusSettings(ack_wait=2, drain_timeout=0.1)
STOPPED_S = 20.0


@pytest.fixture(autouse=True)
def many_deliveries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANDSMITH_MAX_DELIVERIES", "12")  # each fault costs messages in flight a delivery or two


def report(capfd: pytest.CaptureFixture[str], day: str, outcome: Outcome) -> None:
    with capfd.disabled():
        print(f"\n{day}: {outcome}")


async def test_the_message_server_stands_still_for_twenty_seconds(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    """The server is stopped (SIGSTOP) and continued, as a machine that swaps or a virtual one that is moved."""
    with NatsServer(tmp_path / "store") as server:

        async def stop() -> None:
            os.kill(server.pid, signal.SIGSTOP)
            await asyncio.sleep(STOPPED_S)
            os.kill(server.pid, signal.SIGCONT)

        async with parts(server.url, SETTINGS) as client:
            outcome = await hundred_turns(client, [stop])
    report(capfd, "stopped for 20 s", outcome)
    assert outcome == (100, 0, 0, 0, 0, outcome.stall)


async def test_the_network_is_slow_and_breaks_off(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    """Every part takes 2 to 30 ms, and all connections are cut four times."""
    with NatsServer(tmp_path / "store") as server:
        token, _, address = server.url.removeprefix("nats://").partition("@")
        async with (
            bad_network(int(address.rpartition(":")[2]), (0.002, 0.03)) as (network, port),
            parts(f"nats://{token}@127.0.0.1:{port}", SETTINGS) as client,
        ):
            outcome = await hundred_turns(client, [network.cut] * 4)
    report(capfd, "slow and cut four times", outcome)
    assert outcome == (100, 0, 0, 0, 0, outcome.stall)


async def test_streams_and_buckets_that_were_removed_are_made_again(tmp_path: Path):
    """Every stream is removed while the services wait for work; the next turn runs, and none waits for ever."""
    with NatsServer(tmp_path / "store") as server:
        async with parts(server.url, SETTINGS) as client:
            await client.send(starting(turn="before", session="a"))
            assert (await until_the_end(client, "before", "a"))[-1].kind == "TurnFinished"
            await delete_all_streams(server.url)
            await client.send(starting(turn="after", session="b"))
            assert (await until_the_end(client, "after", "b"))[-1].kind == "TurnFinished"


@pytest.mark.parametrize("comes_back", [False, True], ids=["removed", "and made again"])
async def test_who_follows_a_turn_hears_that_its_log_was_lost(tmp_path: Path, comes_back: bool):
    """A turn that no service works on, whose log is removed with everything else, is not waited for."""
    with NatsServer(tmp_path / "store") as server:
        bus, other = [await NatsBus.connect(server.url, SETTINGS) for _ in range(2)]
        turn = asyncio.create_task(Client(bus).say("march", "a sales report with customer and amount"))
        while not await other.queues():  # noqa: ASYNC110 - the server sends no event for it
            await asyncio.sleep(0.05)
        await delete_all_streams(server.url)
        if comes_back:
            await other.send(starting(turn="after", session="b"))
        with pytest.raises(RetryableError, match="Send the request again"):
            await asyncio.wait_for(turn, 120)
        await asyncio.gather(bus.close(), other.close())
