"""Spans exported by OpenTelemetry's SDK: OTLP over HTTP, to where OTEL_EXPORTER_OTLP_ENDPOINT says.

What OpenTelemetry reads from the environment holds here too: OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and the rest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import Decision
from opentelemetry.trace import NonRecordingSpan, SpanContext, SpanKind, Status, StatusCode, TraceFlags

from . import traces
from .traces import About, Parts

NAME = "bandsmith"


class Tracing:
    """What this process exports."""

    def __init__(self) -> None:
        named = os.environ.get("OTEL_SERVICE_NAME") or NAME
        self._provider = TracerProvider(resource=Resource.create({SERVICE_NAME: named}))
        self._processor = BatchSpanProcessor(OTLPSpanExporter())
        self._provider.add_span_processor(self._processor)
        self._tracer = self._provider.get_tracer(NAME)

    def wants(self, number: int) -> bool:
        """Whether the sampler takes the trace of this number."""
        return self._provider.sampler.should_sample(None, number, "turn").decision is Decision.RECORD_AND_SAMPLE

    @contextmanager
    def handling(self, name: str, about: About, parent: Parts) -> Iterator[traces.Span]:
        above = trace.set_span_in_context(NonRecordingSpan(_context(parent)))
        with self._tracer.start_as_current_span(
            name, above, SpanKind.CONSUMER, _named(about), record_exception=False, set_status_on_exception=False
        ) as span:
            yield Span(span)

    @contextmanager
    def calling(self, name: str, about: About) -> Iterator[traces.Span]:
        with self._tracer.start_as_current_span(
            name, None, SpanKind.CLIENT, _named(about), record_exception=False, set_status_on_exception=False
        ) as span:
            yield Span(span)

    def export(self, turn: Parts, caller: Parts, about: About, began: datetime, now: datetime, *, failed: bool) -> None:
        """The span of a turn, as a whole."""
        self._processor.on_end(
            ReadableSpan(
                name="turn",
                context=_context(turn),
                parent=_context(caller) if caller.span else None,
                resource=self._provider.resource,
                attributes=_named(about),
                kind=SpanKind.SERVER,
                status=Status(StatusCode.ERROR if failed else StatusCode.OK),
                start_time=_nanoseconds(began),
                end_time=_nanoseconds(now),
            )
        )

    def close(self) -> None:
        self._provider.shutdown()


class Span(traces.Span):
    """A span of a trace."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def note(self, **about: str | int) -> None:
        self._span.set_attributes(_named(about))

    def failed(self) -> None:
        self._span.set_status(StatusCode.ERROR)


def _context(parts: Parts) -> SpanContext:
    return SpanContext(parts.trace, parts.span, is_remote=True, trace_flags=TraceFlags(parts.flags))


def _named(about: About) -> dict[str, str | int]:
    return {f"{NAME}.{name}": value for name, value in about.items()}


def _nanoseconds(time: datetime) -> int:
    return int(time.timestamp() * 1_000_000) * 1000
