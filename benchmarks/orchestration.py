"""What a step of a workflow costs that does nothing but is kept: ours side by side with LangGraph's, in one run.

python -m benchmarks.orchestration          needs the dependency group `bench`

Ten nodes in a row, handlers empty, 2,000 characters in the state, and the state stored after every step, on the same
disk. Ours is all of it: the gateway, the loop of a service, and a nats-server, each a process of its own; the time
ends when a client hears ``TurnFinished``. LangGraph runs in one process and is called there.

What each promises when a step is done differs:

- LangGraph with AsyncSqliteSaver: SQLite in WAL mode, ``synchronous`` as it comes (FULL): with durability "sync" the
  step's state is flushed to the disk before the next step begins, and survives a loss of power; by default ("async") it
  is written while the next step runs, so the last step may be lost with the process.
- Ours: the state, the events and the next command are in JetStream's file store before the next step begins. They
  survive that any process of ours, or nats-server itself, is killed. The server flushes its files to the disk every two
  minutes (``sync_interval``): one machine that loses power may lose that. Three servers (replicas 3) hold each message
  on two machines at least before it counts as stored.

Therefore LangGraph is also measured with SQLite's ``synchronous`` at NORMAL, which promises what ours does on one
machine: nothing is flushed at each step.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import nats
import orjson

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.services.gateway.workflow import ANYTHING, ANYWHERE, Workflow
from bandsmith.services.gateway.workflow import Row as Way
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.events import (
    Command,
    Envelope,
    Event,
    KnowledgeRecalled,
    RecallKnowledge,
    StartTurn,
    TurnFailed,
    TurnFinished,
)
from bandsmith.shared.serving.garbage import collect_rarely
from bandsmith.shared.telemetry.log import configure
from bandsmith.shared.worker import run_actor

from .table import Row

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.types import Durability

NODES = 10
TEXT = "x" * 2000
RUNS = 100
"""One after the other."""
AT_ONCE = 100
ROUNDS = 3
"""Of as many as run at once."""

TEN_NODES = Workflow(
    (
        Way("begin", StartTurn, "node_1", RecallKnowledge),
        *(Way(f"node_{n}", KnowledgeRecalled, f"node_{n + 1}", RecallKnowledge) for n in range(1, NODES)),
        Way(f"node_{NODES}", KnowledgeRecalled, TurnFinished),
        Way(ANYWHERE, ANYTHING, TurnFailed),
    )
)


class Speed(NamedTuple):
    one: float
    """Steps a second, one session after the other."""
    many: float
    """... with a hundred sessions at once."""


async def speed(run: Callable[[str], Awaitable[object]]) -> Speed:
    """`run` takes a session of that name through all nodes."""
    for number in range(10):
        await run(f"warm-{number}")
    begun = time.perf_counter()
    for number in range(RUNS):
        await run(f"one-{number}")
    one = RUNS * NODES / (time.perf_counter() - begun)
    begun = time.perf_counter()
    for turn in range(ROUNDS):
        await asyncio.gather(*(run(f"many-{turn}-{number}") for number in range(AT_ONCE)))
    return Speed(one, ROUNDS * AT_ONCE * NODES / (time.perf_counter() - begun))


# --- LangGraph -------------------------------------------------------------------------------------------------------


class State(TypedDict):
    count: int
    text: str


async def langgraph(durability: Durability | None, synchronous: str = "FULL") -> Speed:
    try:
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver  # noqa: PLC0415 - of the dependency group `bench`
        from langgraph.graph import END, START, StateGraph  # noqa: PLC0415
    except ImportError:
        raise SystemExit("LangGraph is not installed: run `pip install --group bench`.") from None

    async def count(state: State) -> dict[str, int]:
        return {"count": state["count"] + 1}

    graph = StateGraph(State)
    names = [START, *(f"node_{number}" for number in range(NODES)), END]
    for name in names[1:-1]:
        graph.add_node(name, count)
    for before, after in pairwise(names):
        graph.add_edge(before, after)
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncSqliteSaver.from_conn_string(str(Path(folder) / "states.db")) as saver:
            await saver.setup()
            await saver.conn.execute(f"PRAGMA synchronous={synchronous}")
            compiled = graph.compile(checkpointer=saver)

            async def run(name: str) -> None:
                config: RunnableConfig = {"configurable": {"thread_id": name}}
                start: State = {"count": 0, "text": TEXT}
                end = await compiled.ainvoke(start, config, durability=durability)
                assert end["count"] == NODES

            return await speed(run)


# --- ours ------------------------------------------------------------------------------------------------------------


class Empty:
    """An actor that does nothing."""

    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        return KnowledgeRecalled()


async def serve(part: str, url: str) -> None:
    """The gateway or the service, in this process, until it is ended."""
    configure()
    bus = await NatsBus.connect(url)
    if part == "gateway":
        collect_rarely()
        await GatewayActor(bus, workflow=TEN_NODES).start()
    else:
        await run_actor(bus, "planner", Empty(), concurrency=64)
    print("ready", flush=True)
    await asyncio.Event().wait()


@contextmanager
def process(part: str, url: str) -> Iterator[None]:
    """A part in a process of its own, at work."""
    command = [sys.executable, "-m", "benchmarks.orchestration", part, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout and running.stdout.readline() == "ready\n"
            yield
        finally:
            running.kill()


class Ours:
    """A client that starts turns and hears how they get on."""

    def __init__(self, bus: NatsBus) -> None:
        self._bus = bus
        self._ends: dict[str, asyncio.Future[None]] = {}
        self.nodes: dict[str, list[float]] = defaultdict(list)
        """By session: when each of its nodes began."""

    async def hear(self, message: Any) -> None:
        *_, session, _, kind = message.subject.split(".")
        if kind == "NodeStarted":
            self.nodes[session].append(time.perf_counter())
        elif kind in ("TurnFinished", "TurnFailed") and session in self._ends:
            assert kind == "TurnFinished", message.data
            self._ends[session].set_result(None)

    async def run(self, session: str) -> None:
        end = self._ends[session] = asyncio.get_running_loop().create_future()
        payload = StartTurn(text=TEXT).model_dump(mode="json")
        await self._bus.send(Envelope(id=session, kind="StartTurn", session=session, turn=session, payload=payload))
        await end


@asynccontextmanager
async def ours() -> AsyncIterator[Ours]:
    with NatsServer() as server, ExitStack() as processes:
        for part in ("gateway", "planner"):
            processes.enter_context(process(part, server.url))
        bus, ear = await NatsBus.connect(server.url), await nats.connect(server.url)
        client = Ours(bus)
        # Heard as they are published: a follower of each session would be a consumer more for each.
        await ear.subscribe("evt.v1.*.turn.*", cb=client.hear)
        await ear.flush()
        yield client
        await _check(bus)
        await ear.close()
        await bus.close()


async def _check(bus: NatsBus) -> None:
    """Every session's last state is stored, and every node is in it."""
    for key in await bus.state_keys("session-"):
        stored = await bus.read_state(key)
        assert stored is not None
        turn = orjson.loads(stored[0])["turn"]
        assert turn["over"] and len(turn["attempts"]) == NODES + 1, key


def between(client: Ours) -> list[float]:
    """Milliseconds from one node's beginning to the next's, one session at a time."""
    alone = [times for session, times in client.nodes.items() if session.startswith("one-")]
    return [(b - a) * 1000 for times in alone for a, b in pairwise(times[1:])]


# --- the table -------------------------------------------------------------------------------------------------------


async def rows() -> list[Row]:
    usual, synced = await langgraph(None), await langgraph("sync")
    unflushed = await langgraph("sync", "NORMAL")
    async with ours() as client:
        mine = await speed(client.run)
        added = statistics.quantiles(between(client), n=100)
    made_of = f"{NODES} empty nodes, 2,000 characters, state stored after each; LangGraph with AsyncSqliteSaver"
    return [
        Row(
            "steps a second, 1 session",
            f"{mine.one:.0f}: {_times(mine.one, usual.one, synced.one)}",
            "3 times",
            f"{made_of}: {usual.one:.0f}, durability sync {synced.one:.0f}, never flushed {unflushed.one:.0f}",
        ),
        Row(
            "steps a second, 100 sessions at once",
            f"{mine.many:.0f}: {_times(mine.many, usual.many, synced.many)}",
            "10 times",
            f"the same: {usual.many:.0f}, sync {synced.many:.0f}, never flushed {unflushed.many:.0f}",
        ),
        Row(
            "time that the gateway and the bus add to a node",
            f"{added[49]:.2f} ms, {added[98]:.2f} ms",
            "1.5 ms, 5 ms",
            "median and 99 of 100, from one node's start to the next's; 1 session",
        ),
    ]


def _times(mine: float, usual: float, synced: float) -> str:
    return f"{mine / usual:.1f} times LangGraph's, {mine / synced:.1f} with durability sync"


async def main() -> None:
    for row in await rows():
        print(f"{row.what:50s} {row.figure:40s} (wanted: {row.wanted}) {row.made_of}")


if __name__ == "__main__":
    if sys.argv[1:]:
        asyncio.run(serve(*sys.argv[1:]))
    else:
        asyncio.run(main())
