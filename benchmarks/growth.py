"""Whether a turn costs more as work grows: with many live sessions, and with many earlier turns in its session.

Workflow, gateway and bus are the real ones; the services answer immediately. Measured are the time that a turn which
changes a report (five nodes) spends in the gateway, and the time that its client waits.
"""

from __future__ import annotations

import asyncio
import hashlib
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

from bandsmith.client import Client
from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import (
    ClassifyIntent,
    Command,
    CompressHistory,
    Envelope,
    Event,
    GenerateReport,
    HistoryCompressed,
    IntentClassified,
    KnowledgeRecalled,
    ModifyTemplate,
    RecallKnowledge,
    ReportGenerated,
    StartTurn,
    TemplateModified,
    TemplateValidated,
    TurnFinished,
    ValidateTemplate,
)
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.document import Document
from bandsmith.shared.worker import run_actor

from .results import Result

SIZES = (10, 100, 1000)
TURNS = 30
"""Turns whose median is taken, at each size."""
REQUEST = "make the title larger and the amounts bold"


class Cost(NamedTuple):
    """Milliseconds of one turn."""

    gateway: float
    client: float


def ref(text: str) -> Ref:
    return Ref(key=hashlib.sha256(text.encode()).hexdigest(), media="application/xml", size=20_000)


class ImmediateActor:
    """Answers every command of a turn without a picture. Each change gives another template."""

    def __init__(self) -> None:
        self._changes = 0

    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        match command:
            case CompressHistory():
                return HistoryCompressed(history=command.history[-10:], archive=ref("archive"))
            case ClassifyIntent():
                if command.has_template:
                    return IntentClassified(intent="modify_report", change=ref("change"))
                return IntentClassified(intent="initial_generation", spec=ref("spec"))
            case RecallKnowledge():
                return KnowledgeRecalled()
            case GenerateReport():
                return ReportGenerated(template=ref("first"), data=ref("data"))
            case ModifyTemplate():
                self._changes += 1
                template = ref(f"change {self._changes}")
                return TemplateModified(template=template, data=ref("data"), changed=1, edits=ref("e"), summary="Done.")
            case ValidateTemplate():
                return TemplateValidated(passed=True, findings=[], verdict=ref("verdict"), pages=[ref("page")])
        raise AssertionError(command)


class TimedGateway(GatewayActor):
    """Adds up the seconds that each turn spends in it."""

    def __init__(self, bus: NatsBus) -> None:
        super().__init__(bus)
        self.seconds: dict[str, float] = {}

    async def begin(self, envelope: Envelope) -> None:
        await self._timed(envelope, super().begin(envelope))

    async def go_on(self, envelope: Envelope) -> None:
        await self._timed(envelope, super().go_on(envelope))

    async def _timed(self, envelope: Envelope, step: Awaitable[None]) -> None:
        began = time.perf_counter()
        await step
        self.seconds[envelope.turn] = self.seconds.get(envelope.turn, 0.0) + time.perf_counter() - began


class Bench:
    """A client, and the gateway that answers it."""

    def __init__(self, bus: NatsBus, gateway: TimedGateway) -> None:
        self.bus = bus
        self._client = Client(bus)
        self._gateway = gateway

    async def turn(self, session: str) -> Cost:
        self._gateway.seconds.clear()
        began = time.perf_counter()
        end = await self._client.say(session, REQUEST)
        seconds = time.perf_counter() - began
        assert isinstance(end, TurnFinished) and end.status == "done"
        await asyncio.sleep(0.005)  # the gateway is done with the turn shortly after its client receives the end
        return Cost(sum(self._gateway.seconds.values()) * 1000, seconds * 1000)

    async def turns(self, session: str, count: int) -> list[Cost]:
        return [await self.turn(session) for _ in range(count)]

    async def start_unanswered(self, session: str) -> None:
        """Start a turn that stays alive: no service reads its picture."""
        start = StartTurn(attachments=[Document(name="form.jpg", content=ref(session))])
        payload = start.model_dump(mode="json")
        await self.bus.send(Envelope(id=session, kind="StartTurn", session=session, turn=session, payload=payload))


@asynccontextmanager
async def connected() -> AsyncIterator[Bench]:
    with NatsServer() as server:
        bus, worker = await NatsBus.connect(server.url), await NatsBus.connect(server.url)
        gateway = TimedGateway(bus)
        await gateway.start()
        for service in ("planner", "generator", "validator"):
            await run_actor(worker, service, ImmediateActor(), concurrency=16)
        bench = Bench(bus, gateway)
        await bench.turns("warm-up", 20)
        yield bench
        await gateway.stop()
        await worker.close()
        await bus.close()


async def by_sessions(sizes: Sequence[int], turns: int) -> dict[int, Cost]:
    """Measure the third turn of a new session, by the number of live sessions."""
    costs = {}
    async with connected() as bench:
        live = 0
        for size in sizes:
            await asyncio.gather(*(bench.start_unanswered(f"live-{number}") for number in range(live, size)))
            live = size
            while len(await bench.bus.state_keys("session-live-")) < live:  # noqa: ASYNC110 - there is no signal
                await asyncio.sleep(0.1)
            costs[size] = median([(await bench.turns(f"among-{size}-{number}", 3))[-1] for number in range(turns)])
    return costs


async def by_turns(sizes: Sequence[int], turns: int) -> dict[int, Cost]:
    """Measure a turn by the number of earlier turns in its session."""
    costs = {}
    async with connected() as bench:
        earlier = 0
        for size in sizes:
            await bench.turns("long", max(0, size - earlier))
            costs[size] = median(await bench.turns("long", turns))
            earlier = size + turns
    return costs


def median(costs: list[Cost]) -> Cost:
    return Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))


async def measure(sizes: Sequence[int] = SIZES, turns: int = TURNS) -> list[Result]:
    return [
        _result("live sessions", await by_sessions(sizes, turns)),
        _result("turns in the session", await by_turns(sizes, turns)),
    ]


def _result(what: str, costs: dict[int, Cost]) -> Result:
    sizes = list(costs)
    first = costs[sizes[0]]

    def ratios(part: Callable[[Cost], float]) -> str:
        return ", ".join(f"{part(cost) / part(first):.2f}" for cost in costs.values())

    return Result(
        f"a turn's time in the gateway with {', '.join(f'{size:,}' for size in sizes)} {what}",
        ratios(lambda cost: cost.gateway),
        "flat",
        f"times that with {sizes[0]}, {first.gateway:.1f} ms; for its client ({first.client:.1f} ms) "
        f"{ratios(lambda cost: cost.client)}; services that answer immediately",
    )
