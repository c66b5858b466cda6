"""The log on standard error: pretty on a terminal, JSON elsewhere, and never a document's content."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TextIO, cast

import structlog
from structlog.typing import EventDict, Processor

from ..events import Envelope
from ..settings import LogSettings

LONGEST = 400
"""Characters of a line that a library wrote."""
_QUOTED = re.compile(r"""(['"])(?:file://|~|[A-Za-z]:\\|/)[^'"]*\1""")
_PATH = re.compile(r"(?<![\w:/.])(?:file://|~|[A-Za-z]:(?=\\))?[/\\](?!\s)[^\s'\",;:()\[\]<>]+")
_CREDENTIALS = re.compile(r"://[^\s/@]+@")

_about: ContextVar[Mapping[str, str] | None] = ContextVar("about", default=None)


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
    """Call once, when a process starts. What libraries log and warn of becomes lines of the same kind."""
    settings = settings or LogSettings()
    marks: list[Processor] = [
        of_message,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: Processor = structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*marks, last],
        wrapper_class=structlog.make_filtering_bound_logger(settings.level),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _Stderr())),
    )
    handler = _Libraries(cast(TextIO, _Stderr()))
    remove = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=[_as_ours, *marks], processors=[remove, last])
    )
    root = logging.getLogger()
    root.handlers = [one for one in root.handlers if not isinstance(one, _Libraries)] + [handler]
    root.setLevel(max(settings.level, logging.WARNING))
    logging.captureWarnings(True)


class _Libraries(logging.StreamHandler[TextIO]):
    """Writes what libraries log."""


def _as_ours(logger: object, method: str, line: EventDict) -> EventDict:
    """A library's record as a line of ours: without paths, the key in an address, and the words of an exception."""
    record: logging.LogRecord = line["_record"]
    error = record.exc_info[1] if record.exc_info else None
    record.exc_info = record.exc_text = record.stack_info = None
    told = {"error": type(error).__name__, "where": where(error)} if error else {}
    return {
        "event": scrubbed(str(line["event"])),
        "logger": record.name,
        **told,
        "_record": record,
        "_from_structlog": False,
    }


def scrubbed(text: str) -> str:
    """What somebody else wrote, as one short line without paths, and without what stands before the @ of an address."""
    text = _CREDENTIALS.sub("://", " ".join(text.split()))
    return _PATH.sub("…", _QUOTED.sub(r"\1…\1", text))[:LONGEST]


@contextmanager
def about(envelope: Envelope, **more: str) -> Iterator[None]:
    """Within it, every line says which message it is about, and `more`."""
    said = {
        "session": envelope.session,
        "turn": envelope.turn,
        "node": envelope.node,
        "message": envelope.id,
        "kind": envelope.kind,
    }
    token = _about.set(said | more)
    try:
        yield
    finally:
        _about.reset(token)


def of_message(logger: object, method: str, line: EventDict) -> EventDict:
    """The line with what it is about. One variable holds it all: a message sets it, few messages log."""
    return {**(_about.get() or {}), **line}


def where(error: BaseException) -> list[str]:
    """The innermost places that an exception came through, as ``module:line``; its words may quote a document."""
    places = []
    at = error.__traceback__
    while at is not None:
        places.append(f"{at.tb_frame.f_globals.get('__name__', '?')}:{at.tb_lineno}")
        at = at.tb_next
    return places[-5:]
