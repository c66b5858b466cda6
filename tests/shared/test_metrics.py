"""Metrics in Prometheus's format: lag, outcomes, verdicts and turns, with bounded labels."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bandsmith.client import Client
from bandsmith.local import SERVICES, Host
from bandsmith.metrics import collect, merge, metrics_server
from bandsmith.shared.bus.base import Replica
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import Command, Envelope, Event, RecallKnowledge, TemplateValidated, ValidateTemplate
from bandsmith.shared.llm import Allowance, ModelFailed, ask_text
from bandsmith.shared.llm.scripted import ScriptedReply
from bandsmith.shared.model.base import Ref
from bandsmith.shared.settings import BusSettings
from bandsmith.shared.telemetry import metrics
from bandsmith.shared.turns.verdict import Finding
from bandsmith.shared.worker import delivery_handler, run_actor
from tests.conftest import Start

SOMETHING = Ref(key="0" * 64, media="application/json", size=2)
OUTCOMES = ("cut", "answered", "model-down")
NAMES = {"service", "node", "kind", "delivery", "attempt", "outcome", "verdict", "code", "severity", "le", "process"}
NAMES |= {"direction", "engine", "intent", "holds"}
"""Every label there is: none that has a value for each session or message."""

Numbers = dict[tuple[str, frozenset[tuple[str, str]]], float]


def read(text: str) -> Numbers:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def total(numbers: Numbers, metric: str, **labels: str) -> float:
    return sum(
        value for (name, found), value in numbers.items() if name == metric and labels.items() <= dict(found).items()
    )


@contextmanager
def counting() -> Iterator[Numbers]:
    """What this process counted within the block, when it is over."""
    more: Numbers = {}
    before = read(metrics.text())
    yield more
    more |= {name: value - before.get(name, 0) for name, value in read(metrics.text()).items()}


async def page(address: str) -> tuple[int, str]:
    """The page's status and what is on it."""

    def get() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(address) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    return await asyncio.to_thread(get)


@pytest.mark.slow
async def test_prometheus_reads_the_metrics_of_real_turns(bus: NatsBus):
    # Given all services but the one that reads pictures
    client = Client(bus)
    async with (
        Host(bus, [service for service in SERVICES if service != "ocr"]),
        metrics_server(bus, "127.0.0.1:0") as address,
    ):
        # When it looks after a turn, and after the next one
        seen = []
        for words in ("generate a sales report with customer and amount", "rename the title to Orders"):
            await client.say("sales", words)
            status, text = await page(f"{address}/metrics")
            assert status == 200
            seen.append(read(text))
        first, second = seen

    # Then what is counted has moved, with the labels that it is asked by
    for metric, labels in {
        "bandsmith_handling_seconds_count": {"service": "generator", "node": "modify_jrxml", "kind": "ModifyTemplate"},
        "bandsmith_settled_total": {"service": "validator", "outcome": "acked"},
        "bandsmith_deliveries_total": {"service": "gateway", "delivery": "first", "attempt": "first"},
        "bandsmith_verdicts_total": {"verdict": "passed"},
        "bandsmith_turn_seconds_count": {"outcome": "done"},
    }.items():
        assert total(second, metric, **labels) > total(first, metric, **labels), metric
    # ... and each service has its replica and its queue, with nothing waiting in it
    assert [total(second, "bandsmith_replicas", service=service) for service in SERVICES] == [0, 1, 1, 1, 1]
    assert total(second, "bandsmith_queue_waiting", service="validator", holds="commands") == 0
    assert total(second, "process_resident_memory_bytes") > 0
    # ... and what would be another series for each session is nowhere
    assert {name for _, labels in second for name, _ in labels} <= NAMES
    assert not any("sales" in value for _, labels in second for _, value in labels)


async def test_waiting_messages_are_the_lag(bus: NatsBus):
    asleep = await bus.consume_commands("planner", delivery_handler(_never))
    await asleep.stop()
    for number in range(3):
        await bus.send(_recall(f"c{number}"))

    async with metrics_server(bus, "127.0.0.1:0") as address:
        _, text = await page(f"{address}/metrics")

    assert total(read(text), "bandsmith_queue_waiting", service="planner", holds="commands") == 3


async def test_probes_distinguish_a_lost_bus_from_a_stuck_process(tmp_path: Path):
    with NatsServer(tmp_path / "store") as server:
        bus = await NatsBus.connect(server.url, BusSettings(bus_timeout=1.0))
        async with metrics_server(bus, "127.0.0.1:0") as address:
            assert await page(f"{address}/healthz") == (200, "ok\n")

            server.kill()

            assert (await page(f"{address}/healthz"))[0] == 503
            assert (await page(f"{address}/metrics"))[0] == 503
            assert await page(f"{address}/livez") == (200, "ok\n")
            assert (await page(f"{address}/"))[0] == 404
        await bus.close()


@pytest.mark.parametrize("listen", ["9464", "localhost:", ":9464", "localhost:x", "localhost:99999", "192.0.2.1:9464"])
async def test_an_invalid_address_is_an_error(listen: str):
    with pytest.raises(BadInput, match=r"HOST:PORT|not an address of this machine"):
        async with metrics_server(MemoryBus(), listen):
            pass


class Validator:
    """Fails as often as there are errors, then finds what was to be found."""

    def __init__(self, *errors: Exception) -> None:
        self._errors = [*errors]

    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        if self._errors:
            raise self._errors.pop(0)
        overlap = Finding(code="structure.overlap", message="张三", severity="warning")
        return TemplateValidated(passed=True, findings=[overlap], verdict=SOMETHING)


@pytest.mark.parametrize(
    ("error", "outcomes"),
    [
        (None, {"acked": 1}),
        (BadInput("The file is empty."), {"failed": 1}),
        (ValueError("unexpected"), {"retried": 1, "acked": 1}),
    ],
)
async def test_message_outcomes_are_counted(error: Exception | None, outcomes: dict[str, int]):
    bus = MemoryBus(settings=BusSettings(retry_delay=0.01, drain_timeout=1))
    command = ValidateTemplate(template=SOMETHING, data=SOMETHING, layout=None, form=None)
    with counting() as more:
        working = await run_actor(bus, "validator", Validator(*[error] if error else []))
        await bus.send(
            Envelope(id="c", kind=command.kind(), session="s", turn="t", payload=command.model_dump(mode="json"))
        )
        async with aclosing(bus.follow("s")) as events:
            await anext(aiter(events))
        await working.stop()

    about = {"service": "validator", "kind": "ValidateTemplate"}
    for outcome in ("acked", "failed", "retried", "dead"):
        assert total(more, "bandsmith_settled_total", outcome=outcome, **about) == outcomes.get(outcome, 0)
    assert total(more, "bandsmith_deliveries_total", delivery="again", **about) == sum(outcomes.values()) - 1
    found = outcomes.get("acked", 0)
    assert total(more, "bandsmith_findings_total", code="structure.overlap", severity="warning") == found
    assert total(more, "bandsmith_verdicts_total", verdict="passed") == found


async def test_model_calls_are_counted_with_their_tokens(start: Start):
    model, server = start([ScriptedReply("It has", "length"), "It has two pages.", ScriptedReply(status=500)])
    values, allowance = {"findings": "", "language": "en"}, Allowance(calls=9, tokens=10_000)
    with counting() as more:
        await ask_text(model, "explain_error", values, allowance=allowance)
        with pytest.raises(ModelFailed):
            await ask_text(model, "explain_error", values, allowance=allowance)

    calls = {outcome: total(more, "bandsmith_model_call_seconds_count", outcome=outcome) for outcome in OUTCOMES}
    assert calls == {"cut": 1, "answered": 1, "model-down": 1}
    written = sum(total(more, "bandsmith_model_tokens_total", direction="out", outcome=outcome) for outcome in OUTCOMES)
    assert written == server.usage.tokens_out > 0


def test_label_values_are_bounded():
    with counting() as more:
        for number in range(1000):
            metrics.message_settled("planner", f"node-{number}", "RecallKnowledge", "acked", 0.01)
            metrics.validated(False, [(f"made.up-{number}", "error")])

    nodes = {dict(labels)["node"] for name, labels in more if name == "bandsmith_handling_seconds_count"}
    codes = {dict(labels)["code"] for name, labels in more if name == "bandsmith_findings_total"}
    assert len(nodes) <= 70 and len(codes) <= 140 and {"other"} <= nodes & codes
    assert total(more, "bandsmith_findings_total") == 1000


def test_an_unreadable_process_does_not_hide_the_others():
    shown = merge(
        [
            _replica("planner", "a-1", "# TYPE x_total counter\nx_total 1\n"),
            _replica("gateway", "a-1", "# TYPE x_total counter\nx_total 1\n"),
            _replica("planner", "b-1", "# TYPE x_total counter\nx_total 2\n"),
            _replica("planner", "c-1", "nonsense {"),
            _replica("planner", "d-1", "# TYPE x gauge\nx 5\n"),
        ]
    )

    [family] = shown
    assert (family.name, family.type) == ("x", "counter")
    assert [(sample.labels, sample.value) for sample in family.samples] == [
        ({"process": "a-1"}, 1),
        ({"process": "b-1"}, 2),
    ]


def _replica(service: str, process: str, text: str) -> Replica:
    return Replica(
        name=f"{service}-{process}",
        service=service,
        host="a",
        process=process,
        version="1",
        began=datetime.now(UTC),
        in_flight=0,
        handled=0,
        failed=0,
        metrics=text,
    )


def _recall(name: str) -> Envelope:
    message = RecallKnowledge(text="", layout=None)
    return Envelope(id=name, kind=message.kind(), session="s", turn="t", payload=message.model_dump())


async def _never(envelope: Envelope) -> None:
    raise AssertionError


async def test_every_metric_is_documented():
    guide = (Path(__file__).parents[2] / "docs" / "observability.md").read_text()
    families = [*metrics.REGISTRY.collect(), *await collect(MemoryBus())]
    names = {f"{family.name}_total" if family.type == "counter" else family.name for family in families}
    missing = {name for name in names if name.startswith("bandsmith_") and f"| `{name}` |" not in guide}
    assert not missing, f"docs/observability.md does not explain {sorted(missing)}"
