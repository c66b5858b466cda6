"""In a cluster of three message servers the leader is killed (SIGKILL), one after the other."""

from pathlib import Path

import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.settings import BusSettings

from .cluster import Cluster
from .turns import hundred_turns, parts

SETTINGS = BusSettings(ack_wait=5, drain_timeout=0.1, replicas=3, bus_timeout=60, max_deliveries=12)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_every_turn_ends_exactly_once(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Each restart of a server costs messages in flight a delivery or two.
    monkeypatch.setenv("BANDSMITH_MAX_DELIVERIES", str(SETTINGS.max_deliveries))
    # Given a cluster that is still finding itself, with a gateway, services and a client
    with Cluster(tmp_path) as cluster:
        killed: list[str] = []

        async def kill_the_leader() -> None:
            killed.append(await cluster.leader("EVT"))
            cluster.kill(killed[-1])

        async def when_it_is_back_kill_another() -> None:
            cluster.start(killed[-1])
            for stream in ("CMD", "EVT", "KV_STATE"):
                await cluster.whole(stream)
            await kill_the_leader()

        async with parts(cluster.url, SETTINGS) as client:
            # When the leader is killed, and when it is back another
            outcome = await hundred_turns(client, [kill_the_leader, when_it_is_back_kill_another])

    # Then nothing is lost or done twice
    assert killed[0] != killed[1]
    assert outcome == (100, 0, 0, 0, 0, outcome.stall)
    said = caplog.text + "".join(capfd.readouterr())
    assert "Traceback" not in said and "nats: encountered error" not in said
    with capfd.disabled():
        print(f"\nthe leader of three killed twice: {outcome}")


async def test_replicas_on_a_single_server_are_an_error(nats_server) -> None:
    with pytest.raises(BadInput, match="larger than the number of servers in the NATS cluster"):
        await NatsBus.connect(nats_server.url, SETTINGS)
