"""One trace per turn across processes, and none unless it is enabled."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from bandsmith.client import Client
from bandsmith.local import WIRING, Host
from bandsmith.services.gateway.actor import GatewayActor
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import Envelope, StartTurn
from bandsmith.shared.llm import Allowance, ask_text
from bandsmith.shared.telemetry import traces
from bandsmith.shared.telemetry.replica_stats import ReplicaStats
from bandsmith.shared.worker import run_actor
from tests.cli.scripted import ScriptedActor
from tests.conftest import Start

BANDSMITH = [sys.executable, "-c", "from bandsmith.cli import main; main()"]
REQUEST = "generate a sales report with customer and amount"
CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


class Collector:
    """Takes what is exported by OTLP over HTTP."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                assert self.path == "/v1/traces"
                for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                    for scope in resource.scope_spans:
                        collector.spans += scope.spans
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def of(self, **about: str | int) -> list[Span]:
        """The spans of which this was said."""
        wanted = {f"bandsmith.{name}": str(value) for name, value in about.items()}
        return [span for span in self.spans if wanted.items() <= attributes(span).items()]

    def one(self, name: str) -> Span:
        [found] = [span for span in self.spans if span.name == name]
        return found


def attributes(span: Span) -> dict[str, str]:
    return {one.key: one.value.string_value or str(one.value.int_value) for one in span.attributes}


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """Enable tracing in this process and its children."""
    collector = Collector()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    traces.close()
    yield collector
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT")
    traces.close()
    collector.close()


def starting(turn: str = "t1", traceparent: str = "") -> Envelope:
    start = StartTurn(text="what is a band?")
    return Envelope(
        id=turn,
        kind=start.kind(),
        session="s",
        turn=turn,
        traceparent=traceparent,
        payload=start.model_dump(mode="json"),
    )


async def one_turn(envelope: Envelope) -> None:
    """A turn through the gateway, with scripted actors."""
    bus = MemoryBus()
    await GatewayActor(bus).start()
    for service in WIRING:
        await run_actor(bus, service, ScriptedActor({}))
    await bus.send(envelope)
    async with asyncio.timeout(20):
        async for event in bus.follow("s"):
            if event.kind in ("TurnFinished", "TurnFailed"):
                break
    await bus.close()
    traces.close()


@pytest.mark.slow
async def test_a_turn_is_one_tree_over_two_processes(bus: NatsBus, nats_server: NatsServer, collector: Collector):
    # Given the gateway and the planner here, and the rest in a separate process
    environment = os.environ | {"NATS_URL": nats_server.url}
    there = subprocess.Popen(  # noqa: ASYNC220 - it returns at once
        [*BANDSMITH, "serve", "generator", "validator"], env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        async with Host(bus, ["gateway", "planner"]):
            assert "Starting" in await asyncio.to_thread(there.stderr.readline)
            assert "Serving" in await asyncio.to_thread(there.stderr.readline)

            # When a turn has gone through them, and all have ended in good order
            await Client(bus).say("sales", REQUEST)
        there.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(there.wait, 30) == 0
        traces.close()
    finally:
        there.kill()
        there.communicate()

    # Then there is one trace, and its root is the turn
    spans = {span.span_id: span for span in collector.spans}
    assert len({span.trace_id for span in spans.values()}) == 1 and len(spans) == len(collector.spans)
    root = collector.one("turn")
    assert not root.parent_span_id and attributes(root)["bandsmith.outcome"] == "done"
    assert attributes(root)["bandsmith.intent"] == "initial_generation"
    # ... and every other span is below it, was handled well, and lies within its time
    for span in set(spans) - {root.span_id}:
        assert spans[span].parent_span_id == root.span_id
        assert attributes(spans[span])["bandsmith.outcome"] == "acked"
        assert root.start_time_unix_nano <= spans[span].start_time_unix_nano
    assert {attributes(span)["bandsmith.service"] for span in collector.spans if span is not root} == {
        *("gateway", "planner", "generator", "validator")
    }
    [generated] = collector.of(service="generator", kind="GenerateReport")
    about = attributes(generated)
    assert [about[f"bandsmith.{name}"] for name in ("node", "attempt", "delivery")] == ["generate", "1", "1"]
    # ... and nothing that was said is in any of them
    assert not any("customer" in value for span in collector.spans for value in attributes(span).values())


async def test_a_turn_joins_the_trace_of_its_caller(collector: Collector):
    await one_turn(starting(traceparent=CALLER))

    root = collector.one("turn")
    _, trace, caller, _ = CALLER.split("-")
    assert (root.trace_id.hex(), root.parent_span_id.hex()) == (trace, caller)
    others = [span for span in collector.spans if span is not root]
    assert others and {span.parent_span_id for span in others} == {root.span_id}


async def test_a_caller_s_sampling_decision_is_kept(collector: Collector):
    await one_turn(starting(traceparent=f"{CALLER[:-2]}00"))

    assert collector.spans == []


async def test_a_model_call_is_a_child_of_its_message(collector: Collector, start: Start):
    model, server = start(["It has two pages."])
    with ReplicaStats("generator").handling(starting(), 1) as handled:
        await ask_text(
            model,
            "explain_error",
            {"findings": "a secret", "language": "en"},
            allowance=Allowance(calls=1, tokens=9_000),
        )
        handled.outcome = "acked"
    traces.close()

    message, call = collector.one("generator StartTurn"), collector.one(f"chat {model.name}")
    assert call.parent_span_id == message.span_id
    assert attributes(call)["bandsmith.tokens_out"] == str(server.usage.tokens_out)
    assert "secret" not in str(collector.spans)


def test_failures_are_marked(collector: Collector):
    with ReplicaStats("generator").handling(starting(), 2) as handled:
        handled.outcome = "retried"
    with pytest.raises(TerminalError), ReplicaStats("planner").handling(starting(), 1):
        raise TerminalError("a secret")
    traces.close()

    retried, handed_back = collector.one("generator StartTurn"), collector.one("planner StartTurn")
    assert [span.status.code for span in (retried, handed_back)] == [2, 2]
    assert [attributes(span)["bandsmith.outcome"] for span in (retried, handed_back)] == ["retried", "handed_back"]
    assert "secret" not in str(collector.spans)


@pytest.mark.parametrize("traceparent", ["", "nonsense", "00-0-0-01", f"00-{'0' * 32}-{'0' * 16}-01", "张-三"])
def test_an_invalid_traceparent_starts_a_new_trace(collector: Collector, traceparent: str):
    here, again, another = (traces.with_trace(starting(turn, traceparent)).traceparent for turn in ("t1", "t1", "t2"))
    assert here == again != another
    assert here == traces.with_trace(starting("t1")).traceparent


@pytest.mark.slow
def test_tracing_is_off_and_not_imported_by_default():
    assert traces.with_trace(starting()).traceparent == ""
    code = (
        "import sys, bandsmith.services.gateway.actor; "
        "sys.exit(any(name.startswith('opentelemetry') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
