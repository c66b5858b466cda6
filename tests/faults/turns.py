"""A hundred turns without a model in ten sessions at once, while the message server is disturbed."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from itertools import pairwise
from typing import NamedTuple

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.settings import BusSettings

from ..gateway.scripted import scripted
from ..workflow.play import starting
from .planner import given_up

SESSIONS = [f"session-{number}" for number in range(10)]
TURNS = 10
ENDS = ("TurnFinished", "TurnFailed")


class Outcome(NamedTuple):
    turns: int
    lost: int
    doubled: int
    failed: int
    dead: int
    stall: float
    """The longest time, in seconds, in which no turn ended."""


@asynccontextmanager
async def parts(url: str, settings: BusSettings) -> AsyncIterator[NatsBus]:
    """A gateway and the services at work, each with a connection of its own; what is given is a client's."""
    buses = [await NatsBus.connect(url, settings) for _ in range(3)]
    client, gateway, services = buses
    await scripted(services)
    await GatewayActor(gateway).start()
    try:
        yield client
    finally:
        await asyncio.gather(*(bus.close() for bus in buses))


async def hundred_turns(client: NatsBus, hurt: Sequence[Callable[[], Awaitable[None]]]) -> Outcome:
    """`hurt` is done one after the other, each when so many more turns have ended."""
    times: list[float] = [time.monotonic()]
    ended = asyncio.Condition()

    async def talk(session: str) -> None:
        for number in range(TURNS):
            turn = f"{session}-{number}"
            before = await client.last_sequence()
            await client.send(starting(turn=turn, session=session))
            async with aclosing(client.follow(session, after=before)) as events:
                async for event in events:
                    if event.turn == turn and event.kind in ENDS:
                        break
            async with ended:
                times.append(time.monotonic())
                ended.notify_all()

    async def disturb() -> None:
        every = len(SESSIONS) * TURNS // (len(hurt) + 1)
        for number, harm in enumerate(hurt, 1):
            async with ended:
                while len(times) <= number * every:
                    await ended.wait()
            await harm()

    try:
        async with asyncio.timeout(540):  # busy machines take minutes; what matters is that each turn ends
            await asyncio.gather(disturb(), *(talk(session) for session in SESSIONS))
            return await outcome(client, max(later - sooner for sooner, later in pairwise(times)))
    except TimeoutError:
        async with asyncio.timeout(20):
            raise AssertionError(f"{len(times) - 1} turns ended; the others: {await without_end(client)}") from None


async def without_end(client: NatsBus) -> dict[str, list[str]]:
    """Return the events in the log of each turn that has no end there."""
    events: dict[str, list[str]] = {f"{session}-{number}": [] for session in SESSIONS for number in range(TURNS)}
    for session in SESSIONS:
        for _, event in await client.read_turn_events(session, after=0, limit=1000):
            events[event.turn].append(event.kind)
    return {turn: kinds for turn, kinds in events.items() if not set(kinds) & set(ENDS)}


async def outcome(client: NatsBus, stall: float) -> Outcome:
    """What the log holds in the end; a last turn of each session shows that nothing comes behind."""
    ends: Counter[str] = Counter()
    failed = 0
    for session in SESSIONS:
        last = f"{session}-last"
        await client.send(starting(turn=last, session=session))
        async with aclosing(client.follow(session)) as events:
            async for event in events:
                if event.kind in ENDS:
                    ends[event.turn] += 1
                    failed += event.kind == "TurnFailed"
                if event.turn == last and event.kind in ENDS:
                    break
    sent = [f"{session}-{number}" for session in SESSIONS for number in range(TURNS)]
    lost = sum(turn not in ends for turn in sent)
    doubled = sum(count > 1 for count in ends.values())
    return Outcome(len(sent), lost, doubled, failed, len(await given_up(client)), stall)
