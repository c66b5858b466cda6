"""The gateway is killed between saving a state and publishing its messages, at every node of a turn."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter

import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import Command, Envelope, Event
from tests.shared.processes import until

from ..gateway.scripted import ScriptedActor, scripted, until_the_end
from ..workflow.play import starting
from .scripts import NODES, SCRIPT, TURNS

QUICK = {"BANDSMITH_ACK_WAIT": "0.5", "BANDSMITH_MAX_DELIVERIES": "20"}
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


async def _add_nodes(lines: asyncio.StreamReader, nodes: set[str]) -> None:
    """Add the node at which each gateway kills itself."""
    async for line in lines:
        if (node := line.decode().strip()) != "ready":
            nodes.add(node)


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
    gateways = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.faults.gateway", nats_server.url, how),
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | QUICK,
        start_new_session=True,
    )
    killed_at: set[str] = set()
    reading = asyncio.create_task(_add_nodes(gateways.stdout, killed_at))
    await asyncio.wait([ending, reading], return_when=asyncio.FIRST_COMPLETED)
    assert not reading.done(), "a gateway ended by itself"
    # ... the one that is killed last may say so after we hear of the end
    await asyncio.to_thread(until, lambda: killed_at >= nodes)
    os.killpg(gateways.pid, signal.SIGKILL)
    await reading

    # Then it was killed at every node, and the turn finished all the same, once
    said = await ending
    assert killed_at == nodes
    assert [event.kind for event in said if event.kind.startswith("Turn")] == ["TurnStarted", "TurnFinished"]
    # ... every service was asked once, and nothing was said twice or is missing
    assert set(services.asked.values()) == {1}
    counts = Counter((event.kind, event.node, event.attempt) for event in said if event.kind.startswith("Node"))
    assert set(counts.values()) == {1}
    began, ended = ({node for kind, node, _ in counts if kind == what} for what in ("NodeStarted", "NodeFinished"))
    assert began == ended and began > nodes
    assert await bus.dead_letters() == []
