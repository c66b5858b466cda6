"""Two gateways receive every event, late, out of order and some twice, and act like one."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from contextlib import aclosing
from typing import Any

import orjson
import pytest

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import ClassifyIntent, Command, Envelope, Event, RefineLayout
from bandsmith.shared.model.session_parts import Intent

from ..gateway.scripted import ScriptedActor, scripted
from ..workflow.play import PICTURE, starting
from ..workflow.service_events import MODEL, refined, wants

SESSIONS = [f"session-{number}" for number in range(60)]
TURNS = {"build": "", "change": "make the title larger", "ask": "what is a field?"}
"""What is said in each; the first has a picture."""
ENDS = ("TurnFinished", "TurnFailed")
WINDOWS = 6


class Services(ScriptedActor):
    """A picture is built into a report, which the next turn changes; the third asks something."""

    def __init__(self) -> None:
        super().__init__({RefineLayout: [refined(unresolved=WINDOWS)]})

    async def handle(self, command: Command) -> Event:
        if isinstance(command, ClassifyIntent):
            first: Intent = "initial_generation" if command.has_page else "modify_report"
            return wants("consult_question" if "?" in command.text else first)
        return await super().handle(command)


async def three_turns(bus: Bus, session: str) -> list[Envelope]:
    """Each is sent when the one before is heard of, so that two of them wait; all that is said until the last ends."""
    said: list[Envelope] = []
    async with aclosing(bus.follow(session)) as events:
        for name, text in TURNS.items():
            turn = f"{session}-{name}"
            await bus.send(starting(text, () if text else (PICTURE,), turn, session))
            while not said or said[-1].turn != turn:
                said.append(await anext(events))
        while said[-1].turn != turn or said[-1].kind not in ENDS:
            said.append(await anext(events))
    return said


def comparable(value: Any) -> Any:
    """A state without what no two runs share: times, each turn's secret, and the ids of commands made with it."""
    if isinstance(value, dict):
        own = ("time", "since", "began", "created", "changed", "seconds", "secret", "causation")
        return {name: comparable(part) for name, part in value.items() if name not in own}
    return [comparable(part) for part in value] if isinstance(value, list) else value


async def states(bus: Bus) -> dict[str, Any]:
    stored = {session: await bus.read_state(f"session-{session}") for session in SESSIONS}
    return {session: comparable(orjson.loads(state[0])) for session, state in stored.items() if state}


async def by_one_gateway() -> dict[str, Any]:
    bus = MemoryBus()
    await scripted(bus, actor=Services())
    await GatewayActor(bus, MODEL).start()
    async with asyncio.timeout(60):
        await asyncio.gather(*(three_turns(bus, session) for session in SESSIONS))
    found = await states(bus)
    await bus.close()
    return found


@pytest.mark.slow
async def test_two_racing_gateways_give_the_result_of_one(bus: NatsBus, nats_server: NatsServer):
    # Given two gateways that are both handed every event, in any order, and some of them twice
    await scripted(bus, actor=Services())
    gateways = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.faults.gateway", nats_server.url, name),
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | {"BANDSMITH_MAX_DELIVERIES": "20"},
        )
        for name in ("one", "other")
    ]
    try:
        for gateway in gateways:
            assert await gateway.stdout.readline() == b"ready\n"

        # When sixty sessions have three turns each, all at the same time
        async with asyncio.timeout(170):
            said = await asyncio.gather(*(three_turns(bus, session) for session in SESSIONS))
    finally:
        for gateway in gateways:
            gateway.kill()
            await gateway.communicate()

    # Then every turn ended exactly once, and nothing was said twice
    for session, events in zip(SESSIONS, said, strict=True):
        ends = Counter(event.turn for event in events if event.kind in ENDS)
        assert ends == {f"{session}-{turn}": 1 for turn in TURNS}
        assert all(event.kind != "TurnFailed" for event in events)
        assert max(Counter(event.id for event in events).values()) == 1
    # ... and every session is as a single gateway leaves it
    assert await states(bus) == await by_one_gateway()
    assert await bus.dead_letters() == []
