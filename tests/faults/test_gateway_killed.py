"""The gateway is killed between saving a state and publishing its messages, at every node of a turn."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from contextlib import suppress

import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Command, Event

from ..gateway.scripted import ScriptedActor, scripted, until_the_end
from ..workflow.play import starting

QUICK = {"BANDSMITH_ACK_WAIT": "1", "BANDSMITH_MAX_DELIVERIES": "20"}
NODES = {
    *("process_input", "classify_intent", "retrieve", "generate_skeleton", "refine_layout", "map_fields"),
    *("validate", "finalize"),
}
"""Those of a usual turn with a picture at which it waits, or ends."""


class Counting(ScriptedActor):
    """Counts what it is asked."""

    def __init__(self) -> None:
        super().__init__({})
        self.asked: Counter[str] = Counter()

    async def handle(self, command: Command) -> Event:
        self.asked[f"{command.kind()} {getattr(command, 'window', '')}"] += 1
        return await super().handle(command)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["written", "said"])
async def test_a_turn_survives_a_gateway_killed_in_any_step(bus: NatsBus, nats_server: NatsServer, how: str):
    # Given a turn, and services that count what they are asked
    services = Counting()
    await scripted(bus, actor=services)
    await bus.send(starting())
    ending = asyncio.create_task(until_the_end(bus, seconds=120))

    # When the gateway is killed in each step, and each time another starts
    killed_at: list[str] = []
    while not ending.done():
        gateway = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.faults.gateway", nats_server.url, how),
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | QUICK,
        )
        printed = asyncio.create_task(gateway.stdout.read())
        await asyncio.wait([ending, printed], return_when=asyncio.FIRST_COMPLETED)
        if ending.done():
            if how == "said":  # we may hear of the end before it kills itself, or after: the next has nothing to say
                await asyncio.wait([printed], timeout=20)
            with suppress(ProcessLookupError):
                os.kill(gateway.pid, signal.SIGKILL)  # its own method might take its exit status away from us
        ready_and_killed_at = (await printed).decode().split()  # the last of them had no time to be ready, perhaps
        killed_at += ready_and_killed_at[1:]
        assert await gateway.wait() == -signal.SIGKILL

    # Then it was killed at every node, and the turn finished all the same, once
    said = await ending
    assert set(killed_at) == NODES
    assert [event.kind for event in said if event.kind.startswith("Turn")] == ["TurnStarted", "TurnFinished"]
    # ... every service was asked once, and nothing was said twice or is missing
    assert set(services.asked.values()) == {1}
    counts = Counter((event.kind, event.node, event.attempt) for event in said if event.kind.startswith("Node"))
    assert set(counts.values()) == {1}
    began, ended = ({node for kind, node, _ in counts if kind == what} for what in ("NodeStarted", "NodeFinished"))
    assert began == ended and began > NODES
    assert await bus.dead_letters() == []
