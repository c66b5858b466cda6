"""One trace for one turn, over the bus; off unless OTEL_EXPORTER_OTLP_ENDPOINT is set.

A turn is the root span. Its ids are made from the turn's, so that whichever gateway ends it can export it without
having begun it, and ``traceparent`` is all that travels. Each message that is handled is a span below it, and each call
of a model a span below that. Spans hold names, ids and counts, and never what was said.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..events import Envelope
    from .otel import Tracing

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")

BEGINNING = "StartTurn"
"""By its name: the events know the models, and their calls are traced here."""

About = Mapping[str, str | int]


class Span:
    """What is said of a span while it lasts; this one is of no trace, and says it to nobody."""

    def note(self, **about: str | int) -> None: ...

    def failed(self) -> None: ...


NOWHERE = nullcontext(Span())


class Parts(NamedTuple):
    """A ``traceparent``, as https://www.w3.org/TR/trace-context/ has it."""

    trace: int
    span: int
    flags: int

    @classmethod
    def of(cls, text: str) -> Parts | None:
        """None where it is none."""
        fields = text.split("-")[:4]
        if [*map(len, fields)] != [2, 32, 16, 2]:
            return None
        try:
            parts = cls(*(int(field, 16) for field in fields[1:]))
        except ValueError:
            return None
        return parts if parts.trace and parts.span else None

    def __str__(self) -> str:
        return f"00-{self.trace:032x}-{self.span:016x}-{self.flags:02x}"

    def crossed(self, turn: str) -> Parts:
        """From the span of who began the turn to the turn's own, and back again.

        The one is hidden in the other, so whoever ends the turn finds both. Nobody's span is 0.
        """
        return self._replace(span=self.span ^ _hash(turn, 8))


def handling(envelope: Envelope, service: str, delivery: int) -> AbstractContextManager[Span]:
    """The span of a message that is handled; below the turn that it belongs to."""
    tracing = _tracing()
    parent = Parts.of(with_trace(envelope).traceparent) if tracing else None
    if not tracing or not parent:
        return NOWHERE
    about: About = {
        "service": service,
        "node": envelope.node,
        "kind": envelope.kind,
        "attempt": envelope.attempt,
        "delivery": delivery,
        "session": envelope.session,
        "turn": envelope.turn,
        "message": envelope.id,
    }
    return tracing.handling(f"{service} {envelope.kind}", about, parent)


def calling(model: str) -> AbstractContextManager[Span]:
    """The span of one call of a language model; below the message whose handling asks it."""
    tracing = _tracing()
    return tracing.calling(f"chat {model}", {"model": model}) if tracing else NOWHERE


def with_trace(envelope: Envelope) -> Envelope:
    """The beginning of a turn with the trace that all of the turn belongs to; anything else as it is.

    A trace that the message brings is gone on with: the turn is a part of what its sender is at.
    """
    tracing = _tracing()
    if not tracing or envelope.kind != BEGINNING:
        return envelope
    parts = Parts.of(envelope.traceparent)
    if parts is None:
        trace = _hash(f"{envelope.turn}/trace", 16)
        parts = Parts(trace, 0, int(tracing.wants(trace)))
    return envelope.model_copy(update={"traceparent": str(parts.crossed(envelope.turn))})


def ended(envelope: Envelope, intent: str, outcome: str, began: datetime, now: datetime, *, failed: bool) -> None:
    """Export the span of the turn whose end `envelope` says."""
    tracing, parts = _tracing(), Parts.of(envelope.traceparent)
    if tracing and parts:
        about = {
            "session": envelope.session,
            "turn": envelope.turn,
            "intent": intent,
            "outcome": outcome,
        }
        tracing.export(parts, parts.crossed(envelope.turn), about, began, now, failed=failed)


def close() -> None:
    """Export what is left. A process that ends in good order does so by itself."""
    if tracing := _tracing():
        tracing.close()
    _tracing.cache_clear()


@lru_cache
def _tracing() -> Tracing | None:
    """None where traces are not wanted; looked for once in a process."""
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or not any(map(os.environ.get, ENDPOINTS)):
        return None
    from .otel import Tracing  # noqa: PLC0415 - it takes a while to load

    return Tracing()


def _hash(text: str, size: int) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:size], "big")
