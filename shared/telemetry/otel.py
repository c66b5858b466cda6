"""Export spans with OpenTelemetry's SDK, as OTLP over HTTP to OTEL_EXPORTER_OTLP_ENDPOINT.

OpenTelemetry's other environment variables apply as well, such as OTEL_SERVICE_NAME and OTEL_TRACES_SAMPLER.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import Decision
from opentelemetry.trace import NonRecordingSpan, SpanContext, SpanKind, Status, StatusCode, TraceFlags

from .spans import Attributes, Span, TraceParent

NAME = "bandsmith"


class Tracing:
    """The span exporter of this process."""

    def __init__(self) -> None:
        service = os.environ.get("OTEL_SERVICE_NAME") or NAME
        self._provider = TracerProvider(resource=Resource.create({SERVICE_NAME: service}))
        self._processor = BatchSpanProcessor(OTLPSpanExporter())
        self._provider.add_span_processor(self._processor)
        self._tracer = self._provider.get_tracer(NAME)

    def samples(self, trace_id: int) -> bool:
        """Whether the sampler selects this trace."""
        return self._provider.sampler.should_sample(None, trace_id, "turn").decision is Decision.RECORD_AND_SAMPLE

    @contextmanager
    def handling(self, name: str, attributes: Attributes, parent: TraceParent) -> Iterator[Span]:
        context = trace.set_span_in_context(NonRecordingSpan(_context(parent)))
        with self._span(name, context, SpanKind.CONSUMER, attributes) as span:
            yield span

    @contextmanager
    def calling(self, name: str, attributes: Attributes) -> Iterator[Span]:
        with self._span(name, None, SpanKind.CLIENT, attributes) as span:
            yield span

    @contextmanager
    def _span(self, name: str, context: Context | None, kind: SpanKind, attributes: Attributes) -> Iterator[Span]:
        """Start a span. OpenTelemetry would record exceptions with their messages, which may quote a document."""
        with self._tracer.start_as_current_span(
            name, context, kind, _prefixed(attributes), record_exception=False, set_status_on_exception=False
        ) as span:
            yield OtelSpan(span)

    def export(
        self,
        turn: TraceParent,
        caller: TraceParent,
        attributes: Attributes,
        began: datetime,
        now: datetime,
        *,
        failed: bool,
    ) -> None:
        """Export the span of a finished turn."""
        self._processor.on_end(
            ReadableSpan(
                name="turn",
                context=_context(turn),
                parent=_context(caller) if caller.span else None,
                resource=self._provider.resource,
                attributes=_prefixed(attributes),
                kind=SpanKind.SERVER,
                status=Status(StatusCode.ERROR if failed else StatusCode.OK),
                start_time=_nanoseconds(began),
                end_time=_nanoseconds(now),
            )
        )

    def close(self) -> None:
        self._provider.shutdown()


class OtelSpan(Span):
    """A span that is exported."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def set(self, **attributes: str | int) -> None:
        self._span.set_attributes(_prefixed(attributes))

    def fail(self) -> None:
        self._span.set_status(StatusCode.ERROR)


def _context(parent: TraceParent) -> SpanContext:
    return SpanContext(parent.trace, parent.span, is_remote=True, trace_flags=TraceFlags(parent.flags))


def _prefixed(attributes: Attributes) -> dict[str, str | int]:
    return {f"{NAME}.{name}": value for name, value in attributes.items()}


def _nanoseconds(time: datetime) -> int:
    return int(time.timestamp() * 1_000_000) * 1000
