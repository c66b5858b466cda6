"""The log on standard error: pretty on a terminal, JSON elsewhere, and never a document's content."""

from __future__ import annotations

import logging
import sys
from contextlib import AbstractContextManager, suppress
from typing import TextIO, cast

import structlog

from .events import Envelope
from .settings import LogSettings


class _Stderr:
    """Standard error as it is when a line is written. A line that cannot be written stops nobody: it is logged from
    within callbacks of the bus, and an error there would end its reconnecting."""

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.flush()


def configure(settings: LogSettings | None = None) -> None:
    """Call once, when a process starts."""
    settings = settings or LogSettings()
    terminal = sys.stderr.isatty()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(settings.level),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _Stderr())),
    )
    logging.basicConfig(stream=sys.stderr, level=max(settings.level, logging.WARNING), format="%(name)s: %(message)s")


def about(envelope: Envelope) -> AbstractContextManager[None]:
    """Within it, every line says which message it is about."""
    return structlog.contextvars.bound_contextvars(
        session=envelope.session, turn=envelope.turn, node=envelope.node, message=envelope.id, kind=envelope.kind
    )


def where(error: BaseException) -> list[str]:
    """The innermost places that an exception came through, as ``module:line``; its words may quote a document."""
    places = []
    at = error.__traceback__
    while at is not None:
        places.append(f"{at.tb_frame.f_globals.get('__name__', '?')}:{at.tb_lineno}")
        at = at.tb_next
    return places[-5:]
