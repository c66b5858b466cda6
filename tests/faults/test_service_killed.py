"""Each service is killed at each node of a question, an analysis and a filling, and the turn is carried out once."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import COMMANDS

from ..gateway.scripted import until_the_end
from ..workflow.service_events import MODEL
from .forked import Forked
from .scripts import NODES, TURNS
from .service import main

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
SERVICES = ("planner", "generator", "validator")
QUICK = {"BANDSMITH_ACK_WAIT": "1", "BANDSMITH_MAX_DELIVERIES": "20"}


async def keep(service: str, url: str, folder: Path, how: str) -> None:
    """Run a service, and another process of it each time that one killed itself."""
    while True:
        process = Forked(main, url, service, folder, how, environment=os.environ | QUICK)
        try:
            assert await process.wait() == -signal.SIGKILL
        finally:
            process.kill()


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
    for service in services:
        service.cancel()
    await asyncio.gather(*services, return_exceptions=True)

    # Then it finished once, and every command was answered once
    assert [event.kind for event in said if event.kind.startswith("Turn")] == ["TurnStarted", "TurnFinished"]
    begun = Counter(event.payload["node"] for event in said if event.kind == "NodeStarted")
    assert begun.keys() >= NODES[turn]
    answers = [event for event in said if not event.kind.startswith(("Turn", "Node"))]
    assert set(Counter(event.causation for event in answers).values()) == {1}
    # ... by services of which each died at every kind of command
    died = set(os.listdir(tmp_path))  # noqa: PTH208 - names only
    given = {event.kind for event in answers}
    assert died == (given if how == "answered" else _asked(given))
    assert await bus.dead_letters() == []
    await gateway.stop()


def _asked(answers: set[str]) -> set[str]:
    """Return the commands that have these answers."""
    return {
        kind for kind, command in COMMANDS.items() if answers & set(command.answers) and command.service in SERVICES
    }
