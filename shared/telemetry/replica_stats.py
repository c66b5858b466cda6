"""What one replica has in hand and has done: for the roll, for its metrics, its spans and its log."""

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
from .log import about

log = structlog.get_logger(__name__)

SHARED = 0.2
"""Seconds in which the replicas of one process show the same metrics."""

Outcome = Literal["acked", "failed", "retried", "dead"]


class Handled:
    """One message in hand."""

    outcome: Outcome | None = None
    """What became of it; None when it was handed back, because the replica stops."""


class ReplicaStats:
    """Of one replica of `service`, from when it is made; ``Bus.register`` takes its ``replica``."""

    def __init__(self, service: str) -> None:
        self.service = service
        self.name = f"{service}-{secrets.token_hex(4)}"
        self._began = datetime.now(UTC)
        self._in_hand = 0
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
            in_flight=self._in_hand,
            handled=self._handled,
            failed=self._failed,
            metrics=_metrics(int(time.monotonic() / SHARED)),
        )

    @contextmanager
    def handling(self, envelope: Envelope, delivery: int) -> Iterator[Handled]:
        """Within it a message is handled, for the `delivery`-th time."""
        handled, since = Handled(), time.perf_counter()
        metrics.delivered(self.service, _kind(envelope), delivery, envelope.attempt)
        with (
            about(envelope, service=self.service, replica=self.name),
            traces.handling(envelope, self.service, delivery) as span,
        ):
            self._in_hand += 1
            try:
                yield handled
            finally:
                self._in_hand -= 1
                if handled.outcome:
                    self._settled(envelope, handled.outcome, time.perf_counter() - since)
                span.note(outcome=handled.outcome or "handed_back")
                if handled.outcome != "acked":
                    span.failed()

    def _settled(self, envelope: Envelope, outcome: Outcome, seconds: float) -> None:
        self._handled += 1
        self._failed += outcome != "acked"
        metrics.settled(self.service, envelope.node, _kind(envelope), outcome, seconds)
        if structlog.is_configured():  # a program that uses us as a library has not asked for a line for each message
            log.info("message.settled", outcome=outcome, seconds=round(seconds, 4))


def _kind(envelope: Envelope) -> str:
    """As a label: of a message that we do not know it may be anything."""
    return envelope.kind if envelope.kind in KINDS else metrics.OTHER


@lru_cache(maxsize=1)
def _metrics(moment: int) -> str:
    """Those of this process: all its replicas answer the same call, and need not write it all again."""
    return metrics.text()


@lru_cache
def _version() -> str:
    try:
        return version("bandsmith")
    except PackageNotFoundError:  # run from its sources
        return ""
