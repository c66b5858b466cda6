"""A replica's messages in flight and their outcomes, for the registry, metrics, traces and the log."""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

import structlog

from ..bus.base import Replica
from ..events import KINDS, Envelope
from . import metrics, traces
from .log import message_context

log = structlog.get_logger(__name__)

METRICS_CACHE_S = 0.2
"""How long the replicas of one process share a rendering of its metrics."""

Outcome = Literal["acked", "failed", "retried", "dead"]


class Handling:
    """A message being handled."""

    outcome: Outcome | None = None
    """None until it is known, and for a message that is handed back because the replica stops."""


class ReplicaStats:
    """Statistics of one replica of `service`; ``replica`` is what ``Bus.register`` needs."""

    def __init__(self, service: str) -> None:
        self.service = service
        self.name = f"{service}-{secrets.token_hex(4)}"
        self._began = datetime.now(UTC)
        self._in_flight = 0
        self._handled = 0
        self._failed = 0

    def replica(self) -> Replica:
        host = socket.gethostname()
        return Replica(
            name=self.name,
            service=self.service,
            host=host,
            process=f"{host}-{os.getpid()}",
            version=_version(),
            began=self._began,
            in_flight=self._in_flight,
            handled=self._handled,
            failed=self._failed,
            metrics=_metrics(int(time.monotonic() / METRICS_CACHE_S)),
        )

    @contextmanager
    def handling(self, envelope: Envelope, delivery: int) -> Iterator[Handling]:
        """Record the handling of a message in the block; `delivery` is the number of its delivery."""
        handling, start = Handling(), time.perf_counter()
        metrics.delivered(self.service, _kind(envelope), delivery, envelope.attempt)
        with (
            message_context(envelope, service=self.service, replica=self.name),
            traces.handling(envelope, self.service, delivery) as span,
        ):
            self._in_flight += 1
            try:
                yield handling
            finally:
                self._in_flight -= 1
                if handling.outcome:
                    self._record(envelope, handling.outcome, time.perf_counter() - start)
                span.set(outcome=handling.outcome or "handed_back")
                if handling.outcome != "acked":
                    span.fail()

    def _record(self, envelope: Envelope, outcome: Outcome, seconds: float) -> None:
        self._handled += 1
        self._failed += outcome != "acked"
        metrics.message_settled(self.service, envelope.node, _kind(envelope), outcome, seconds)
        if structlog.is_configured():  # a program that embeds Bandsmith did not ask for a line per message
            log.info("message.settled", outcome=outcome, seconds=round(seconds, 4))


def _kind(envelope: Envelope) -> str:
    """Return the kind as a label; the kind of an unknown message can be anything."""
    return envelope.kind if envelope.kind in KINDS else metrics.OTHER


@lru_cache(maxsize=1)
def _metrics(moment: int) -> str:
    """Return the process's metrics, rendered once for all replicas that answer the same request."""
    return metrics.text()


@lru_cache
def _version() -> str:
    try:
        return version("bandsmith")
    except PackageNotFoundError:  # running from the source tree
        return ""
