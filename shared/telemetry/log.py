"""Logging to standard error: readable on a terminal, JSON elsewhere, and never a document's content."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, TextIO, cast

import structlog
from structlog.typing import EventDict, Processor

from ..settings import LogSettings

if TYPE_CHECKING:
    from ..events import Envelope  # slow to import

MAX_LIBRARY_LINE_CHARS = 400
MAX_LOCATIONS = 5
_QUOTED = re.compile(r"""(['"])(?:file://|~|[A-Za-z]:\\|/)[^'"]*\1""")
_PATH = re.compile(r"(?<![\w:/.])(?:file://|~|[A-Za-z]:(?=\\))?[/\\](?!\s)[^\s'\",;:()\[\]<>]+")
_CREDENTIALS = re.compile(r"://[^\s/@]+@")

_message_context: ContextVar[Mapping[str, str] | None] = ContextVar("message_context", default=None)


class _Stderr:
    """The current ``sys.stderr``; write errors are ignored.

    Callbacks of the bus log, and an exception in one of them would stop the client from reconnecting.
    """

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.flush()


def configure(settings: LogSettings | None = None) -> None:
    """Set up logging; called once when a process starts. Libraries' logs and warnings get the same format."""
    settings = settings or LogSettings()
    shared: list[Processor] = [
        add_message_context,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: Processor = (
        structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(settings.level),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _Stderr())),
    )
    handler = _LibraryHandler(cast(TextIO, _Stderr()))
    remove = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=[_library_event, *shared], processors=[remove, renderer])
    )
    root = logging.getLogger()
    root.handlers = [other for other in root.handlers if not isinstance(other, _LibraryHandler)] + [handler]
    root.setLevel(max(settings.level, logging.WARNING))
    logging.captureWarnings(True)


class _LibraryHandler(logging.StreamHandler[TextIO]):
    """Writes the log records of libraries."""


def _library_event(logger: object, method: str, line: EventDict) -> EventDict:
    """Convert a library's record, without paths, credentials and exception messages."""
    record: logging.LogRecord = line["_record"]
    error = record.exc_info[1] if record.exc_info else None
    record.exc_info = record.exc_text = record.stack_info = None
    details = {"error": type(error).__name__, "where": error_locations(error)} if error else {}
    return {
        "event": scrub(str(line["event"])),
        "logger": record.name,
        **details,
        "_record": record,
        "_from_structlog": False,
    }


def scrub(text: str) -> str:
    """Return text from outside as one short line, without paths and without credentials in addresses."""
    text = _CREDENTIALS.sub("://", " ".join(text.split()))
    return _PATH.sub("…", _QUOTED.sub(r"\1…\1", text))[:MAX_LIBRARY_LINE_CHARS]


@contextmanager
def message_context(envelope: Envelope, **extra: str) -> Iterator[None]:
    """Add the message's ids and `extra` to every line logged in the block."""
    context = {
        "session": envelope.session,
        "turn": envelope.turn,
        "node": envelope.node,
        "message": envelope.id,
        "kind": envelope.kind,
    }
    token = _message_context.set(context | extra)
    try:
        yield
    finally:
        _message_context.reset(token)


def add_message_context(logger: object, method: str, line: EventDict) -> EventDict:
    """Add the context to a line. It is one variable because every message sets it and few of them log."""
    return {**(_message_context.get() or {}), **line}


def error_locations(error: BaseException) -> list[str]:
    """Return the innermost frames as ``module:line``, without the message, which may quote a document."""
    locations = []
    entry = error.__traceback__
    while entry is not None:
        locations.append(f"{entry.tb_frame.f_globals.get('__name__', '?')}:{entry.tb_lineno}")
        entry = entry.tb_next
    return locations[-MAX_LOCATIONS:]
