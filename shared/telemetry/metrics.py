"""What this process counts and times, for Prometheus: names, labels and the text that is scraped.

Every label has few values: never an id, and never a word that came from outside without a bound on how many there are.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TypeVar

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, disable_created_metrics
from prometheus_client.exposition import generate_latest

M = TypeVar("M", Counter, Histogram)

disable_created_metrics()  # type: ignore[no-untyped-call]

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
"""From a step of the gateway to a model that thinks for long."""
MOST_VALUES = 64
OTHER = "other"

HANDLING = Histogram(
    "bandsmith_handling_seconds",
    "Time to handle a message; of the service gateway it is a step of a turn.",
    ("service", "node", "kind"),
    buckets=SECONDS,
    registry=REGISTRY,
)
DELIVERIES = Counter(
    "bandsmith_deliveries",
    "Messages handed to a handler; whether the bus (delivery) or the workflow (attempt) tries them again.",
    ("service", "kind", "delivery", "attempt"),
    registry=REGISTRY,
)
SETTLED = Counter(
    "bandsmith_settled",
    "What became of messages: acked, failed (it never can be done), retried, dead (given up).",
    ("service", "kind", "outcome"),
    registry=REGISTRY,
)
VERDICTS = Counter("bandsmith_verdicts", "Templates validated.", ("verdict",), registry=REGISTRY)
FINDINGS = Counter(
    "bandsmith_findings", "What was found wrong with templates.", ("code", "severity"), registry=REGISTRY
)
MODEL_SECONDS = Histogram(
    "bandsmith_model_call_seconds",
    "Time of one call of the language model: answered, cut, stopped, or the code of its failure.",
    ("outcome",),
    buckets=SECONDS,
    registry=REGISTRY,
)
MODEL_TOKENS = Counter(
    "bandsmith_model_tokens", "Tokens of the language model, in and out.", ("direction", "outcome"), registry=REGISTRY
)
OCR_SECONDS = Histogram(
    "bandsmith_ocr_page_seconds",
    "Time to read one page, without waiting for its turn; the count is pages.",
    ("engine",),
    buckets=SECONDS,
    registry=REGISTRY,
)
TURNS = Histogram(
    "bandsmith_turn_seconds",
    "Time from a request to the end of its turn: done, unfinished, or failed; the count is turns.",
    ("intent", "outcome"),
    buckets=SECONDS,
    registry=REGISTRY,
)


class Bounded:
    """Values of a label: so many different ones, and whatever else comes is ``other``."""

    def __init__(self, most: int = MOST_VALUES) -> None:
        self._most = most
        self._seen: set[str] = set()

    def __call__(self, value: str) -> str:
        if value not in self._seen:
            if len(self._seen) >= self._most:
                return OTHER
            self._seen.add(value)
        return value


@cache
def _one(metric: M, *labels: str) -> M:
    """A series. To look it up by its labels each time takes longer than to count."""
    return metric.labels(*labels)


_node, _code, _outcome = Bounded(), Bounded(2 * MOST_VALUES), Bounded()


def delivered(service: str, kind: str, delivery: int, attempt: int) -> None:
    """A handler is given a message of a kind of ours: by the bus for the `delivery`-th time, by the workflow for the
    `attempt`-th."""
    again = ("first", "again")
    _one(DELIVERIES, service, kind, again[delivery > 1], again[attempt > 1]).inc()


def settled(service: str, node: str, kind: str, outcome: str, seconds: float) -> None:
    """A message of one of our kinds was settled after so many seconds."""
    _one(SETTLED, service, kind, outcome).inc()
    _one(HANDLING, service, _node(node), kind).observe(seconds)


def unreadable(service: str) -> None:
    """Something that is no message became a dead letter."""
    _one(SETTLED, service, OTHER, "dead").inc()


def validated(passed: bool, findings: Iterable[tuple[str, str]]) -> None:
    """A verdict on a template, with the code and the severity of each finding."""
    VERDICTS.labels("passed" if passed else "failed").inc()
    for code, severity in findings:
        FINDINGS.labels(_code(code), severity).inc()


def called(outcome: str, seconds: float, tokens_in: int, tokens_out: int) -> None:
    """A language model was called."""
    outcome = _outcome(outcome)
    MODEL_SECONDS.labels(outcome).observe(seconds)
    MODEL_TOKENS.labels("in", outcome).inc(tokens_in)
    MODEL_TOKENS.labels("out", outcome).inc(tokens_out)


def page_read(engine: str, seconds: float) -> None:
    """An OCR engine read a page."""
    OCR_SECONDS.labels(engine).observe(seconds)


def ended(intent: str, outcome: str, seconds: float) -> None:
    """A turn is over."""
    TURNS.labels(intent, outcome).observe(seconds)


def text() -> str:
    """All of it, as Prometheus reads it."""
    return generate_latest(REGISTRY).decode()
