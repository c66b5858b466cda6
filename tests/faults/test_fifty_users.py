"""Fifty users at once: no turn is lost, doubled or stuck, no user waits for the others, and memory stays flat.

`BANDSMITH_USERS_SECONDS=600 pytest -m slow tests/faults/test_fifty_users.py` lets them talk for ten minutes.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections import Counter
from contextlib import aclosing
from pathlib import Path
from typing import NamedTuple

import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.settings import BusSettings

from ..workflow.play import starting
from .planner import given_up
from .turns import ENDS, parts

SECONDS = float(os.environ.get("BANDSMITH_USERS_SECONDS", "10"))
USERS = 50
STUCK_S = 120.0
"""Seconds after which a turn counts as stuck."""
MAX_GROWTH_SHARE = 0.25
"""What the memory of this process, with gateway, services and clients, may grow by from the first third to the end."""
MIN_TURNS_SHARE = 0.5
"""Turns of the user who had the fewest, as a share of the median; of less than `MIN_TURNS` it would say nothing."""
MIN_TURNS = 10

pytestmark = [pytest.mark.slow, pytest.mark.timeout(SECONDS + 300)]


class Talk(NamedTuple):
    """A turn as its user saw it."""

    turn: str
    seconds: float
    end: str


async def talk(client: NatsBus, session: str, until: float) -> list[Talk]:
    """Send one turn after another, and wait for the answer of each."""
    turns: list[Talk] = []
    while time.monotonic() < until:
        turn, started = f"{session}-{len(turns)}", time.monotonic()
        before = await client.last_sequence()
        await client.send(starting(turn=turn, session=session))
        end = "stuck"
        try:
            async with asyncio.timeout(STUCK_S), aclosing(client.follow(session, after=before)) as events:
                async for event in events:
                    if event.turn == turn and event.kind in ENDS:
                        end = event.kind
                        break
        except TimeoutError:
            pass
        turns.append(Talk(turn, time.monotonic() - started, end))
    return turns


async def ends_in_log(client: NatsBus, session: str) -> Counter[str]:
    """Return how often each turn of a session ended; one more turn shows that nothing follows."""
    ends: Counter[str] = Counter()
    last = f"{session}-last"
    await client.send(starting(turn=last, session=session))
    async with aclosing(client.follow(session)) as events:
        async for event in events:
            ends[event.turn] += event.kind in ENDS
            if event.turn == last and event.kind in ENDS:
                return ends
    return ends


def memory_mb() -> float:
    return int(Path("/proc/self/status").read_text().partition("VmRSS:")[2].split()[0]) / 1024


async def memory_over(seconds: float) -> list[float]:
    """Return the memory at the end of each thirtieth part of the time."""
    measured = []
    for _ in range(30):
        await asyncio.sleep(seconds / 30)
        measured.append(memory_mb())
    return measured


async def test_fifty_users_talk_at_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    sessions = [f"user-{number}" for number in range(USERS)]
    with NatsServer(tmp_path / "store") as server:
        async with parts(server.url, BusSettings()) as client:
            until = time.monotonic() + SECONDS
            measuring = asyncio.create_task(memory_over(SECONDS))
            talks = await asyncio.gather(*(talk(client, session, until) for session in sessions))
            memory = await measuring
            logs = [await ends_in_log(client, session) for session in sessions]
            dead = await given_up(client)
    turns = [turn for of_user in talks for turn in of_user]
    ends: Counter[str] = sum(logs, Counter())
    waits = sorted(turn.seconds for turn in turns)
    with capfd.disabled():
        print(
            f"\n{len(turns)} turns of {USERS} users in {SECONDS:.0f} s: median {statistics.median(waits):.2f} s, "
            f"99 of 100 within {waits[len(waits) * 99 // 100]:.2f} s, longest {waits[-1]:.2f} s; "
            f"{min(map(len, talks))} to {max(map(len, talks))} turns a user; "
            f"memory {memory[len(memory) // 3]:.0f} MB after a third, {memory[-1]:.0f} MB at the end"
        )
    assert [turn.turn for turn in turns if turn.end != "TurnFinished"] == []
    assert [turn.turn for turn in turns if ends[turn.turn] != 1] == []
    assert dead == []
    counts = list(map(len, talks))
    assert min(counts) >= 1
    assert statistics.median(counts) < MIN_TURNS or min(counts) >= MIN_TURNS_SHARE * statistics.median(counts)
    assert memory[-1] < (1 + MAX_GROWTH_SHARE) * memory[len(memory) // 3]
