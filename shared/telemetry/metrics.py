"""The process's Prometheus metrics.

Labels have low cardinality: they never hold ids, and values from outside go through ``BoundedLabel``.
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
"""Bucket bounds, from a step of the gateway to a slow model call."""
MAX_LABEL_VALUES = 64
OTHER = "other"

HANDLING = Histogram(
    "bandsmith_handling_seconds",
    "Time to handle a message; for the gateway, a step of a turn.",
    ("service", "node", "kind"),
    buckets=SECONDS,
    registry=REGISTRY,
)
DELIVERIES = Counter(
    "bandsmith_deliveries",
    "Messages passed to a handler; first or again, by the bus (delivery) and by the workflow (attempt).",
    ("service", "kind", "delivery", "attempt"),
    registry=REGISTRY,
)
SETTLED = Counter(
    "bandsmith_settled",
    "Outcomes of messages: acked, failed (can never succeed), retried, dead (dead-lettered).",
    ("service", "kind", "outcome"),
    registry=REGISTRY,
)
VERDICTS = Counter("bandsmith_verdicts", "Templates validated.", ("verdict",), registry=REGISTRY)
FINDINGS = Counter("bandsmith_findings", "Findings in validated templates.", ("code", "severity"), registry=REGISTRY)
MODEL_SECONDS = Histogram(
    "bandsmith_model_call_seconds",
    "Duration of one language model call, by outcome: answered, cut, stopped, or an error code.",
    ("outcome",),
    buckets=SECONDS,
    registry=REGISTRY,
)
MODEL_TOKENS = Counter(
    "bandsmith_model_tokens", "Language model tokens, in and out.", ("direction", "outcome"), registry=REGISTRY
)
OCR_SECONDS = Histogram(
    "bandsmith_ocr_page_seconds",
    "Time to recognise one page, without waiting in the queue; the count is pages.",
    ("engine",),
    buckets=SECONDS,
    registry=REGISTRY,
)
TURNS = Histogram(
    "bandsmith_turn_seconds",
    "Time from a request to the end of its turn, by outcome: done, unfinished, failed; the count is turns.",
    ("intent", "outcome"),
    buckets=SECONDS,
    registry=REGISTRY,
)


class BoundedLabel:
    """Limits a label to a number of distinct values; further ones become ``other``."""

    def __init__(self, max_values: int = MAX_LABEL_VALUES) -> None:
        self._max_values = max_values
        self._seen: set[str] = set()

    def __call__(self, value: str) -> str:
        if value not in self._seen:
            if len(self._seen) >= self._max_values:
                return OTHER
            self._seen.add(value)
        return value


@cache
def _series(metric: M, *labels: str) -> M:
    """Return a series, cached because looking it up by its labels takes longer than counting."""
    return metric.labels(*labels)


_node, _code, _outcome = BoundedLabel(), BoundedLabel(2 * MAX_LABEL_VALUES), BoundedLabel()


def delivered(service: str, kind: str, delivery: int, attempt: int) -> None:
    """Count a message passed to a handler, with the numbers of the bus's delivery and the workflow's attempt."""
    first_or_again = ("first", "again")
    _series(DELIVERIES, service, kind, first_or_again[delivery > 1], first_or_again[attempt > 1]).inc()


def message_settled(service: str, node: str, kind: str, outcome: str, seconds: float) -> None:
    """Count a message that was acknowledged, handed back or dead-lettered, and the seconds that took."""
    _series(SETTLED, service, kind, outcome).inc()
    _series(HANDLING, service, _node(node), kind).observe(seconds)


def unreadable(service: str) -> None:
    """Count a dead-lettered message that is not an envelope."""
    _series(SETTLED, service, OTHER, "dead").inc()


def validated(passed: bool, findings: Iterable[tuple[str, str]]) -> None:
    """Count a verdict, with the code and severity of each finding."""
    VERDICTS.labels("passed" if passed else "failed").inc()
    for code, severity in findings:
        FINDINGS.labels(_code(code), severity).inc()


def model_called(outcome: str, seconds: float, tokens_in: int, tokens_out: int) -> None:
    """Count a language model call."""
    outcome = _outcome(outcome)
    MODEL_SECONDS.labels(outcome).observe(seconds)
    MODEL_TOKENS.labels("in", outcome).inc(tokens_in)
    MODEL_TOKENS.labels("out", outcome).inc(tokens_out)


def page_read(engine: str, seconds: float) -> None:
    """Count a page recognised by an OCR engine."""
    OCR_SECONDS.labels(engine).observe(seconds)


def turn_ended(intent: str, outcome: str, seconds: float) -> None:
    """Count a finished turn."""
    TURNS.labels(intent, outcome).observe(seconds)


def text() -> str:
    """Return all metrics in Prometheus's text format."""
    return generate_latest(REGISTRY).decode()
