"""Whether a turn costs more as work grows: with many sessions alive, and with many turns behind it in its session.

python -m benchmarks.growth

The routes, the gateway and the bus are the real ones; the services answer at once. What is measured of a turn that
changes a report (five nodes) is the time it spends in the gateway, and the time that its client waits.
"""

from __future__ import annotations

import asyncio
import hashlib
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable
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
from bandsmith.shared.telemetry.log import configure
from bandsmith.shared.worker import run_actor

from .table import Row

SIZES = (10, 100, 1000)
TURNS = 30
"""Of how many the median is taken, at each size."""
REQUEST = "make the title larger and the amounts bold"


class Cost(NamedTuple):
    """Milliseconds of one turn."""

    gateway: float
    client: float


def ref(text: str) -> Ref:
    return Ref(key=hashlib.sha256(text.encode()).hexdigest(), media="application/xml", size=20_000)


class AtOnce:
    """Answers everything that a turn without a picture asks, at once; each change gives another template."""

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


class Timed(GatewayActor):
    """Adds up the seconds that each turn spends in it."""

    def __init__(self, bus: NatsBus) -> None:
        super().__init__(bus)
        self.spent: dict[str, float] = {}

    async def begin(self, envelope: Envelope) -> None:
        await self._timed(envelope, super().begin(envelope))

    async def go_on(self, envelope: Envelope) -> None:
        await self._timed(envelope, super().go_on(envelope))

    async def _timed(self, envelope: Envelope, step: Awaitable[None]) -> None:
        begun = time.perf_counter()
        await step
        self.spent[envelope.turn] = self.spent.get(envelope.turn, 0.0) + time.perf_counter() - begun


class Bench:
    """A client, and the gateway that it speaks to."""

    def __init__(self, bus: NatsBus, gateway: Timed) -> None:
        self.bus = bus
        self._client = Client(bus)
        self._gateway = gateway

    async def turn(self, session: str) -> Cost:
        self._gateway.spent.clear()
        begun = time.perf_counter()
        end = await self._client.say(session, REQUEST)
        took = time.perf_counter() - begun
        assert isinstance(end, TurnFinished) and end.status == "done"
        await asyncio.sleep(0.005)  # the gateway is done with the turn a little after its end is heard
        return Cost(sum(self._gateway.spent.values()) * 1000, took * 1000)

    async def hold(self, session: str) -> None:
        """A turn that waits for its picture to be read, which nobody does."""
        start = StartTurn(attachments=[Document(name="form.jpg", content=ref(session))])
        payload = start.model_dump(mode="json")
        await self.bus.send(Envelope(id=session, kind="StartTurn", session=session, turn=session, payload=payload))


@asynccontextmanager
async def bench() -> AsyncIterator[Bench]:
    with NatsServer() as server:
        bus, worker = await NatsBus.connect(server.url), await NatsBus.connect(server.url)
        gateway = Timed(bus)
        await gateway.start()
        for service in ("planner", "generator", "validator"):
            await run_actor(worker, service, AtOnce(), concurrency=16)
        yield Bench(bus, gateway)
        await gateway.stop()
        await worker.close()
        await bus.close()


async def with_sessions() -> dict[int, Cost]:
    """By how many sessions are alive."""
    found = {}
    async with bench() as measured:
        await turns(measured, "warm", 20)
        alive = 0
        for size in SIZES:
            await asyncio.gather(*(measured.hold(f"held-{number}") for number in range(alive, size)))
            alive = size
            while len(await measured.bus.state_keys("session-held-")) < alive:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.1)
            found[size] = median([(await turns(measured, f"among-{size}-{number}", 3))[-1] for number in range(TURNS)])
    return found


async def with_turns() -> dict[int, Cost]:
    """By how many turns the session has had."""
    found = {}
    async with bench() as measured:
        await turns(measured, "warm", 20)
        had = 0
        for size in SIZES:
            await turns(measured, "long", size - had)
            found[size] = median(await turns(measured, "long", TURNS))
            had = size + TURNS
    return found


async def turns(measured: Bench, session: str, count: int) -> list[Cost]:
    return [await measured.turn(session) for _ in range(count)]


def median(costs: list[Cost]) -> Cost:
    return Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))


async def rows() -> list[Row]:
    return [
        _row("sessions alive", await with_sessions()),
        _row("turns in the session", await with_turns()),
    ]


def _row(what: str, costs: dict[int, Cost]) -> Row:
    first = costs[SIZES[0]]

    def ratios(of: Callable[[Cost], float]) -> str:
        return ", ".join(f"{of(costs[size]) / of(first):.2f}" for size in SIZES)

    return Row(
        f"a turn's time in the gateway with {', '.join(f'{size:,}' for size in SIZES)} {what}",
        ratios(lambda cost: cost.gateway),
        "flat",
        f"times that with {SIZES[0]}, {first.gateway:.1f} ms; for its client ({first.client:.1f} ms) "
        f"{ratios(lambda cost: cost.client)}; services that answer at once",
    )


async def main() -> None:
    configure()
    for row in await rows():
        print(f"{row.what}: {row.figure}\n    ({row.made_of})")


if __name__ == "__main__":
    asyncio.run(main())
