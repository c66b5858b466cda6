"""Each service is killed at each node of a question, an analysis and a filling, and the turn is carried out once."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import COMMANDS

from ..gateway.scripted import until_the_end
from ..workflow.service_events import MODEL
from .scripts import NODES, TURNS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
SERVICES = ("planner", "generator", "validator")
QUICK = {"BANDSMITH_ACK_WAIT": "1", "BANDSMITH_MAX_DELIVERIES": "20"}


async def keep(service: str, url: str, folder: Path, how: str) -> None:
    """Run a service, and another process of it each time that one killed itself."""
    while True:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.faults.service", url, service, str(folder), how),
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | QUICK,
        )
        try:
            assert await process.wait() == -signal.SIGKILL
        finally:
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("how", ["asked", "answered"])
@pytest.mark.parametrize("turn", TURNS)
async def test_a_turn_survives_services_killed_at_each_node(
    bus: NatsBus, nats_server: NatsServer, tmp_path: Path, turn: str, how: str
):
    # Given services that die once at each command: while they handle it, or before they acknowledge it
    gateway = GatewayActor(bus, MODEL)
    await gateway.start()
    services = [asyncio.create_task(keep(name, nats_server.url, tmp_path, how)) for name in SERVICES]

    # When a turn needs all of them
    await bus.send(TURNS[turn])
    said = await until_the_end(bus, seconds=400)
    answers = [event for event in said if not event.kind.startswith(("Turn", "Node"))]
    given = {event.kind for event in answers}
    expected = given if how == "answered" else _asked(given)
    with suppress(TimeoutError):  # the end of the turn may be heard before the last service has died
        async with asyncio.timeout(10):
            while _died(tmp_path) != expected:  # noqa: ASYNC110 - other processes make the files
                await asyncio.sleep(0.05)
    for service in services:
        service.cancel()
    await asyncio.gather(*services, return_exceptions=True)

    # Then it finished once, and every command was answered once
    assert [event.kind for event in said if event.kind.startswith("Turn")] == ["TurnStarted", "TurnFinished"]
    begun = Counter(event.payload["node"] for event in said if event.kind == "NodeStarted")
    assert begun.keys() >= NODES[turn]
    assert set(Counter(event.causation for event in answers).values()) == {1}
    # ... by services of which each died at every kind of command
    assert _died(tmp_path) == expected
    assert await bus.dead_letters() == []
    await gateway.stop()


def _died(folder: Path) -> set[str]:
    """Return at which kinds of command or answer a service has died."""
    return set(os.listdir(folder))  # noqa: PTH208 - names only


def _asked(answers: set[str]) -> set[str]:
    """Return the commands that have these answers."""
    return {
        kind for kind, command in COMMANDS.items() if answers & set(command.answers) and command.service in SERVICES
    }
