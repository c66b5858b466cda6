"""A poison message: it is retried, dead-lettered with its reason, and the others are not delayed."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import aclosing

import nats
import pytest

from bandsmith.client import Client
from bandsmith.local import WIRING
from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.base import Bus, DeadLetter
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import (
    ClassifyIntent,
    Command,
    Envelope,
    Event,
    GenerateReport,
    KnowledgeRecalled,
    RecallKnowledge,
    StageFailed,
    TurnFinished,
)
from bandsmith.shared.worker import run_actor
from tests.cli.scripted import Script, ScriptedActor
from tests.workflow.service_events import wants

from .planner import SETTINGS

BANDSMITH = [sys.executable, "-c", "from bandsmith.cli import main; main()", "dead"]
POISON = "poison"
REPORT = "a sales report with customer and amount"


class Planner:
    """Fails on the poison text until it is fixed, and counts the deliveries of each text."""

    def __init__(self, fixed: bool = False) -> None:
        self.fixed = fixed
        self.given: Counter[str] = Counter()

    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        assert isinstance(command, RecallKnowledge)
        self.given[command.text] += 1
        if command.text == POISON and not self.fixed:
            raise ZeroDivisionError
        return KnowledgeRecalled()


def command(name: str, text: str) -> Envelope:
    payload = RecallKnowledge(text=text, layout=None).model_dump(mode="json")
    return Envelope(id=name, kind="RecallKnowledge", session="s1", turn="t1", payload=payload)


async def answers(bus: Bus, count: int) -> dict[tuple[str, str], int]:
    """So many of them, by the command and their kind."""
    seen: Counter[tuple[str, str]] = Counter()
    async with asyncio.timeout(30), aclosing(bus.follow("s1")) as events:
        async for event in events:
            seen[event.causation, event.kind] += 1
            if seen.total() == count:
                break
    return seen


async def dead(bus: Bus, count: int) -> list[DeadLetter]:
    async with asyncio.timeout(30):
        while len(found := await bus.dead_letters()) < count:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.02)
    return found


async def test_a_poison_message_is_dead_lettered_and_replayable(bus: NatsBus, nats_server: NatsServer) -> None:
    # Given good commands, one that its worker chokes on, and bytes that are nothing at all
    client = await nats.connect(nats_server.url)
    for number in range(6):
        await bus.send(command(f"good-{number}", f"{number}"))
        if number == 2:
            await bus.send(command("bad", POISON))
            await client.jetstream().publish("cmd.v1.planner.RecallKnowledge", b"\x00\xff no envelope")
    await client.close()

    # When a worker takes them, two at a time
    planner = Planner()
    working = await run_actor(bus, "planner", planner, concurrency=2, settings=SETTINGS)

    # Then the good ones are answered, the bad one is tried as often as is set, and said to have failed
    good = {(f"good-{number}", KnowledgeRecalled.kind()): 1 for number in range(6)}
    assert await answers(bus, 7) == {**good, ("bad", StageFailed.kind()): 1}
    assert planner.given[POISON] == SETTINGS.max_deliveries
    # ... and it and the bytes lie aside, each with its reason
    letters = {letter.reason: letter for letter in await dead(bus, 2)}
    assert letters.keys() == {"not an envelope", f"internal: given up after {SETTINGS.max_deliveries} deliveries"}
    assert letters["not an envelope"].data == b"\x00\xff no envelope"

    # When the worker is fixed, and both are replayed
    await working.stop()
    await run_actor(bus, "planner", Planner(fixed=True), concurrency=2, settings=SETTINGS)
    await bus.replay(*(letter.name for letter in letters.values()))

    # Then the bad one is answered, once; the bytes are no better than they were
    assert (await answers(bus, 8))["bad", KnowledgeRecalled.kind()] == 1
    [again] = await dead(bus, 1)
    assert again.data == b"\x00\xff no envelope"


async def test_a_command_that_no_version_knows_fails_and_lies_aside(bus: NatsBus, nats_server: NatsServer) -> None:
    # Given a planner, and a command of an unknown kind
    await run_actor(bus, "planner", Planner(), settings=SETTINGS)
    client = await nats.connect(nats_server.url)
    unheard = command("new", "").model_copy(update={"kind": "Foretell"})
    await client.jetstream().publish("cmd.v1.planner.Foretell", unheard.model_dump_json().encode())
    await client.close()

    # Then its sender gets an error once it was offered several times, and it can be replayed after the upgrade
    assert await answers(bus, 1) == {("new", StageFailed.kind()): 1}
    [letter] = await dead(bus, 1)
    assert letter.subject == "cmd.v1.planner.Foretell"


@pytest.mark.slow
async def test_replaying_it_resumes_and_finishes_its_turn(bus: NatsBus, nats_server: NatsServer) -> None:
    # Given a turn that failed because the generator chokes on what it was asked for
    def choke(command: Command) -> Event:
        raise ZeroDivisionError

    script: Script = {ClassifyIntent: lambda command: wants("initial_generation"), GenerateReport: choke}
    await GatewayActor(bus).start()
    workers = {service: await run_actor(bus, service, ScriptedActor(script), settings=SETTINGS) for service in WIRING}
    client = Client(bus)
    with pytest.raises(TerminalError) as failed:
        await client.say("march", REPORT)
    assert failed.value.code == "internal"
    assert (await client.session("march")).report is None
    place = await bus.last_sequence()

    # When the generator is fixed, and the user puts back what is dead
    await workers["generator"].stop()
    del script[GenerateReport]
    await run_actor(bus, "generator", ScriptedActor(script), settings=SETTINGS)
    [listed] = json.loads(await bandsmith(nats_server, "list", "--json"))
    assert (listed["kind"], listed["session"], listed["reason"][:8]) == ("GenerateReport", "march", "internal")
    said = await bandsmith(nats_server, "replay", listed["name"])

    # Then the command says that the turn continues, and it does, until it ends
    assert said == f"Replayed {listed['name']}: the turn that waits for it continues.\n"
    async with asyncio.timeout(30), aclosing(bus.follow("march", after=place)) as events:
        kinds = []
        async for event in events:
            kinds.append(event.kind)
            if event.kind == TurnFinished.kind():
                break
    assert "IntentClassified" not in kinds
    session = await client.session("march")
    assert session.report is not None and session.requests == []
    assert [said.role for said in session.history] == ["user", "assistant"]
    assert await bus.dead_letters() == []


async def bandsmith(server: NatsServer, *words: str) -> str:
    """What `bandsmith dead` prints."""
    ended = await asyncio.to_thread(
        subprocess.run,
        [*BANDSMITH, *words],
        env=os.environ | {"NATS_URL": server.url, "LANG": "C.UTF-8"},
        check=True,
        capture_output=True,
        text=True,
    )
    return ended.stdout
