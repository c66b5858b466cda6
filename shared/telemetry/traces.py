"""One trace per turn across the bus; disabled unless OTEL_EXPORTER_OTLP_ENDPOINT is set.

The root span is the turn. Its ids are derived from the turn's id, so that any gateway can export the span when the turn
ends, even if another one started it; only ``traceparent`` travels with the messages. Each handled message is a child
span, and each model call a child of that. Spans hold names, ids and counts, never content.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from .spans import Attributes, Span, TraceParent, derived_id

if TYPE_CHECKING:
    from ..events import Envelope
    from .otel import Tracing

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")

START_TURN = "StartTurn"
"""A name instead of the class, because importing the events here would be circular."""

NO_SPAN = nullcontext(Span())


def handling(envelope: Envelope, service: str, delivery: int) -> AbstractContextManager[Span]:
    """Return the span for handling a message, a child of its turn's span."""
    tracing = _tracing()
    parent = TraceParent.of(with_trace(envelope).traceparent) if tracing else None
    if not tracing or not parent:
        return NO_SPAN
    attributes: Attributes = {
        "service": service,
        "node": envelope.node,
        "kind": envelope.kind,
        "attempt": envelope.attempt,
        "delivery": delivery,
        "session": envelope.session,
        "turn": envelope.turn,
        "message": envelope.id,
    }
    return tracing.handling(f"{service} {envelope.kind}", attributes, parent)


def calling(model: str) -> AbstractContextManager[Span]:
    """Return the span for a language model call, a child of the message being handled."""
    tracing = _tracing()
    return tracing.calling(f"chat {model}", {"model": model}) if tracing else NO_SPAN


def with_trace(envelope: Envelope) -> Envelope:
    """Return a ``StartTurn`` envelope with its turn's trace; any other envelope unchanged.

    If the message already carries a trace, the turn becomes part of it.
    """
    tracing = _tracing()
    if not tracing or envelope.kind != START_TURN:
        return envelope
    parent = TraceParent.of(envelope.traceparent)
    if parent is None:
        trace = derived_id(f"{envelope.turn}/trace", 16)
        parent = TraceParent(trace, 0, int(tracing.samples(trace)))
    return envelope.model_copy(update={"traceparent": str(parent.crossed(envelope.turn))})


def turn_ended(envelope: Envelope, intent: str, outcome: str, began: datetime, now: datetime, *, failed: bool) -> None:
    """Export the span of the turn that `envelope` ends."""
    tracing, span = _tracing(), TraceParent.of(envelope.traceparent)
    if tracing and span:
        attributes = {
            "session": envelope.session,
            "turn": envelope.turn,
            "intent": intent,
            "outcome": outcome,
        }
        tracing.export(span, span.crossed(envelope.turn), attributes, began, now, failed=failed)


def close() -> None:
    """Export the remaining spans; a process that exits normally does so by itself."""
    if tracing := _tracing():
        tracing.close()
    _tracing.cache_clear()


@lru_cache
def _tracing() -> Tracing | None:
    """Return the exporter, or None if tracing is off; decided once per process."""
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or not any(map(os.environ.get, ENDPOINTS)):
        return None
    from .otel import Tracing  # noqa: PLC0415 - slow to import

    return Tracing()
