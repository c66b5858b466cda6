"""The message server is killed (SIGKILL) three times during a hundred turns and restarted with its store."""

import asyncio
from pathlib import Path

import pytest

from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.settings import BusSettings

from .turns import hundred_turns, parts

AWAY = 0.5
"""Seconds until it is started again."""


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_every_turn_ends_exactly_once(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BANDSMITH_MAX_DELIVERIES", "12")  # each restart costs messages in flight a delivery or two
    # Given a gateway, services and a client
    with NatsServer(tmp_path / "store") as server:

        async def kill() -> None:
            server.kill()
            await asyncio.sleep(AWAY)
            await asyncio.to_thread(server.start)

        async with parts(server.url, BusSettings(ack_wait=2, drain_timeout=0.1)) as client:
            # When the server is killed three times meanwhile
            outcome = await hundred_turns(client, [kill] * 3)

    # Then nothing is lost or done twice, all clients reconnect, and the log has no tracebacks
    assert outcome == (100, 0, 0, 0, 0, outcome.stall)
    said = caplog.text + "".join(capfd.readouterr())
    assert "Traceback" not in said and "nats: encountered error" not in said
    with capfd.disabled():
        print(f"\nnats-server killed three times: {outcome}")
