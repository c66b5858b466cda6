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
from bandsmith.shared.events import Command, Envelope, Event

from ..gateway.scripted import ScriptedActor, scripted, until_the_end
from ..workflow.play import starting
from .scripts import NODES, SCRIPT, TURNS

QUICK = {"BANDSMITH_ACK_WAIT": "1", "BANDSMITH_MAX_DELIVERIES": "20"}
PICTURE_NODES = {
    *("process_input", "classify_intent", "retrieve", "read_form", "generate_skeleton", "refine_layout", "map_fields"),
    *("validate", "finalize"),
}
"""Those of a usual turn with a picture at which it waits, or ends."""


class Counting(ScriptedActor):
    """Counts what it is asked."""

    def __init__(self) -> None:
        super().__init__(SCRIPT)
        self.asked: Counter[str] = Counter()

    async def handle(self, command: Command) -> Event:
        part = getattr(command, "window", "") or getattr(getattr(command, "work", None), "name", "")
        self.asked[f"{command.kind()} {part}"] += 1
        return await super().handle(command)


@pytest.mark.slow
@pytest.mark.timeout(360)
@pytest.mark.parametrize("how", ["written", "said"])
@pytest.mark.parametrize(
    ("start", "nodes"),
    [(starting(), PICTURE_NODES), *((TURNS[turn], NODES[turn]) for turn in TURNS)],
    ids=["a report", *TURNS],
)
async def test_a_turn_survives_a_gateway_killed_in_any_step(
    bus: NatsBus, nats_server: NatsServer, how: str, start: Envelope, nodes: set[str]
):
    # Given a turn, and services that count what they are asked
    services = Counting()
    await scripted(bus, actor=services)
    await bus.send(start)
    ending = asyncio.create_task(until_the_end(bus, seconds=300))

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
        words = (await printed).decode().split()  # one that is killed at once had no time to say that it is ready
        killed_at += [word for word in words if word != "ready"]
        assert await gateway.wait() == -signal.SIGKILL

    # Then it was killed at every node, and the turn finished all the same, once
    said = await ending
    assert set(killed_at) == nodes
    assert [event.kind for event in said if event.kind.startswith("Turn")] == ["TurnStarted", "TurnFinished"]
    # ... every service was asked once, and nothing was said twice or is missing
    assert set(services.asked.values()) == {1}
    counts = Counter((event.kind, event.node, event.attempt) for event in said if event.kind.startswith("Node"))
    assert set(counts.values()) == {1}
    began, ended = ({node for kind, node, _ in counts if kind == what} for what in ("NodeStarted", "NodeFinished"))
    assert began == ended and began > nodes
    assert await bus.dead_letters() == []
