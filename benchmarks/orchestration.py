"""Cost of a workflow step that does nothing but is stored: ours beside LangGraph and Temporal, in one run.

Needs the dependency group `bench`; Temporal is left out where its program is not installed (``benchmarks.temporal``).

Ten nodes in a row with empty handlers and 2,000 characters of state, the state stored after every step on the same
disk. Ours is complete: the gateway, a service's worker and a nats-server are a process each, and the time ends when a
client receives ``TurnFinished``. Temporal also has a server, a worker and a client. LangGraph runs inside one process
and is called there.

They promise different things when a step is done:

- LangGraph with AsyncSqliteSaver: SQLite in WAL mode with ``synchronous`` at its default, FULL. With durability "sync"
  a step's state is flushed to the disk before the next step begins, and survives a loss of power. With the default,
  "async", it is written while the next step runs; the last step may be lost with the process.
- Ours: the state, the events and the next command are in JetStream's file store before the next step begins. They
  survive the death of any process, nats-server included. The server flushes its files every two minutes
  (``sync_interval``), so a single machine that loses power may lose that much. With three servers (replicas 3) at
  least two machines hold each message before it counts as stored.
- Temporal's development server: each event of the history is in SQLite before the next step begins.

Therefore LangGraph is also measured, and Temporal only, with ``synchronous`` at NORMAL. That is what ours promises on
one machine: no flush at each step.
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
import psutil

from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.services.gateway.workflow import ANYTHING, ANYWHERE, Row, Workflow
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

from .results import Result

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.types import Durability

NODES = 10
TEXT = "x" * 2000
TEN_NODES = Workflow(
    (
        Row("begin", StartTurn, "node_1", RecallKnowledge),
        *(Row(f"node_{n}", KnowledgeRecalled, f"node_{n + 1}", RecallKnowledge) for n in range(1, NODES)),
        Row(f"node_{NODES}", KnowledgeRecalled, TurnFinished),
        Row(ANYWHERE, ANYTHING, TurnFailed),
    )
)


class Sizes(NamedTuple):
    runs: int = 100
    """Sessions one after the other."""
    at_once: int = 100
    rounds: int = 3
    """Times that `at_once` sessions run."""


class Speed(NamedTuple):
    sequential: float
    """Steps a second, one session after the other."""
    concurrent: float
    """Steps a second with many sessions at once."""


async def speed(run: Callable[[str], Awaitable[object]], sizes: Sizes) -> Speed:
    """Measure `run`, which takes a session of this name through all nodes."""
    for number in range(10):
        await run(f"warm-{number}")
    began = time.perf_counter()
    for number in range(sizes.runs):
        await run(f"one-{number}")
    sequential = sizes.runs * NODES / (time.perf_counter() - began)
    began = time.perf_counter()
    for turn in range(sizes.rounds):
        await asyncio.gather(*(run(f"many-{turn}-{number}") for number in range(sizes.at_once)))
    return Speed(sequential, sizes.rounds * sizes.at_once * NODES / (time.perf_counter() - began))


# --- LangGraph -------------------------------------------------------------------------------------------------------


class State(TypedDict):
    count: int
    text: str


async def langgraph(sizes: Sizes, durability: Durability | None, synchronous: str = "FULL") -> Speed:
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

            return await speed(run, sizes)


# --- Temporal --------------------------------------------------------------------------------------------------------


async def temporal(sizes: Sizes) -> Speed | None:
    """None where it is not installed."""
    try:
        from . import temporal as server  # noqa: PLC0415 - of the dependency group `bench`
    except ImportError:
        return None
    if not server.is_installed():
        return None
    async with server.running(TEXT) as run:  # much slower: a tenth of the runs is enough
        return await speed(run, Sizes(max(1, sizes.runs // 10), sizes.at_once, 1))


# --- ours ------------------------------------------------------------------------------------------------------------


class EmptyActor:
    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        return KnowledgeRecalled()


async def serve(part: str, url: str) -> None:
    """Run the gateway or the planner in this process."""
    configure()
    bus = await NatsBus.connect(url)
    if part == "gateway":
        collect_rarely()
        await GatewayActor(bus, workflow=TEN_NODES).start()
    else:
        await run_actor(bus, "planner", EmptyActor(), concurrency=64)
    print("ready", flush=True)
    await asyncio.Event().wait()


@contextmanager
def process(part: str, url: str) -> Iterator[int]:
    """Run the gateway or the planner in a process, and give its id."""
    command = [sys.executable, "-m", "benchmarks.orchestration", part, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout and running.stdout.readline() == "ready\n"
            yield running.pid
        finally:
            running.kill()


class TurnClient:
    """Starts turns, and follows them all."""

    def __init__(self, bus: NatsBus, processes: dict[str, psutil.Process]) -> None:
        self._bus = bus
        self._processes = processes
        self._ends: dict[str, asyncio.Future[None]] = {}
        self.nodes: dict[str, list[float]] = defaultdict(list)
        """By session: when each of its nodes began."""

    async def on_event(self, message: Any) -> None:
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

    async def cpu(self, runs: int, at_once: int) -> dict[str, float]:
        """Return the microseconds of CPU that each process takes for a step, with `at_once` sessions at a time."""
        before = self._cpu_times()
        for turn in range(runs):
            await asyncio.gather(*(self.run(f"cpu-{at_once}-{turn}-{number}") for number in range(at_once)))
        steps = runs * at_once * NODES
        return {name: (time - before[name]) / steps * 1e6 for name, time in self._cpu_times().items()}

    def _cpu_times(self) -> dict[str, float]:
        return {name: sum(process.cpu_times()[:2]) for name, process in self._processes.items()}

    def times_between_nodes(self) -> list[float]:
        """Return the milliseconds from each node's start to the next, of sessions that ran alone."""
        alone = [times for session, times in self.nodes.items() if session.startswith("one-")]
        return [(after - before) * 1000 for times in alone for before, after in pairwise(times[1:])]


@asynccontextmanager
async def ours() -> AsyncIterator[TurnClient]:
    with NatsServer() as server, ExitStack() as stack:
        pids = {part: stack.enter_context(process(part, server.url)) for part in ("gateway", "planner")}
        processes = {name: psutil.Process(pid) for name, pid in {**pids, "nats-server": server.pid}.items()}
        bus, subscriber = await NatsBus.connect(server.url), await nats.connect(server.url)
        client = TurnClient(bus, processes)
        # One subscription for all sessions: a follower of each would be one more consumer for each.
        await subscriber.subscribe("evt.v1.*.turn.*", cb=client.on_event)
        await subscriber.flush()
        yield client
        await _check(bus)
        await subscriber.close()
        await bus.close()


async def _check(bus: NatsBus) -> None:
    """Check that every session's last state is stored with every node in it."""
    for key in await bus.state_keys("session-"):
        stored = await bus.read_state(key)
        assert stored is not None
        turn = orjson.loads(stored[0])["turn"]
        assert turn["over"] and len(turn["attempts"]) == NODES + 1, key


# --- the results -----------------------------------------------------------------------------------------------------


async def measure(runs: int = 100, at_once: int = 100, rounds: int = 3) -> list[Result]:
    sizes = Sizes(runs, at_once, rounds)
    others = {
        "LangGraph": await langgraph(sizes, None),
        "durability sync": await langgraph(sizes, "sync"),
        "no flush": await langgraph(sizes, "sync", "NORMAL"),
    }
    if (durable := await temporal(sizes)) is not None:
        others["Temporal"] = durable
    async with ours() as client:
        mine = await speed(client.run, sizes)
        times = statistics.quantiles(client.times_between_nodes(), n=100)
        cpu = {"1 session": await client.cpu(runs, 1), f"{at_once} at once": await client.cpu(rounds, at_once)}
    details = f"{NODES} empty nodes, 2,000 characters, state stored after each"
    return [
        _compared("steps a second, 1 session", 0, mine, others, "3 times", details),
        _compared(f"steps a second, {at_once} sessions at once", 1, mine, others, "10 times", "the same"),
        Result(
            "time that the gateway and the bus add to a node",
            f"{times[49]:.2f} ms, {times[98]:.2f} ms",
            "1.5 ms, 5 ms",
            "median and 99 of 100, from one node's start to the next's; 1 session",
        ),
        *(
            Result(f"CPU of a step, {name}", f"{sum(parts.values()):.0f} µs", "", _listed(parts, " µs"))
            for name, parts in cpu.items()
        ),
    ]


def _compared(what: str, index: int, mine: Speed, others: dict[str, Speed], target: str, details: str) -> Result:
    ratios = ", ".join(f"{mine[index] / other[index]:.1f} times {name}" for name, other in others.items())
    rates = _listed({name: other[index] for name, other in others.items()})
    return Result(what, f"{mine[index]:.0f}: {ratios}", target, f"{details}: {rates}")


def _listed(values: dict[str, float], unit: str = "") -> str:
    return ", ".join(f"{name} {value:.0f}{unit}" for name, value in values.items())


if __name__ == "__main__":
    asyncio.run(serve(*sys.argv[1:]))
