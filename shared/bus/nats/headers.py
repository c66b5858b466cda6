"""Message headers: CloudEvents attributes in the binary mode of its NATS binding.

They let other programs filter and route messages without parsing them:
https://github.com/cloudevents/spec/blob/main/cloudevents/bindings/nats-protocol-binding.md
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from urllib.parse import quote

from ...events import COMMANDS, EVENTS, Envelope, TurnEvent
from ..base import VERSION
from .fast_client import HEADER_LINE

SESSIONS = "Bandsmith-Sessions"
"""Header of the first chunk of an object: the keys of the sessions that it was stored for, separated by commas."""
UNESCAPED = "!#$&'()*+,/:;<=>?@[\\]^`{|}"
"""Characters that a value may contain besides letters and digits; all others become %XX."""

UNRESERVED = re.compile(r"[\w.~-]*", re.ASCII)
"""Values with nothing to escape, as most ids and names are."""


def _sources() -> dict[str, str]:
    """Return the sender of each kind of message."""
    by_gateway = {kind for kind, command in COMMANDS.items() if command.of_turns and command.service != "gateway"}
    sources = {kind: "gateway" if kind in by_gateway else "client" for kind in COMMANDS}
    for command in COMMANDS.values():
        sources |= dict.fromkeys(command.answers, command.service)
    return sources | {kind: "gateway" for kind, event in EVENTS.items() if issubclass(event, TurnEvent)}


SOURCES = _sources()


def headers(envelope: Envelope, message_id: str) -> str:
    """Return an envelope's headers; the server deduplicates by `message_id`."""
    source = SOURCES.get(envelope.kind) or _source_of_failure(str(envelope.payload.get("command")))
    name = _escaped(envelope.id)
    trace = f"traceparent: {_escaped(envelope.traceparent)}\r\n" if envelope.traceparent else ""
    return (
        f"{HEADER_LINE}Nats-Msg-Id: {_escaped(message_id)}\r\n{_kind_headers(envelope.kind, source)}ce-id: {name}\r\n"
        f"ce-subject: {_escaped(envelope.session)}\r\nce-time: {envelope.time.isoformat()}\r\n{trace}\r\n"
    )


def _source_of_failure(command: str) -> str:
    """Return the service that reports a command's failure; a newer version may send commands unknown here."""
    return COMMANDS[command].service if command in COMMANDS else "unknown"


def deduplicated_by(message_id: str) -> str:
    """Return headers that make the server store a message once per id."""
    return f"{HEADER_LINE}Nats-Msg-Id: {message_id}\r\n\r\n"


def object_headers(message_id: str, revision: int, sessions: Iterable[str] | None) -> str:
    """Return the headers of an object's first chunk, which replaces that of this revision; 0: there must be none."""
    known_as = f"Nats-Msg-Id: {message_id}\r\n" if message_id else ""
    listed = f"{SESSIONS}: {','.join(sorted(sessions))}\r\n" if sessions is not None else ""
    return f"{HEADER_LINE}{known_as}Nats-Expected-Last-Subject-Sequence: {revision}\r\n{listed}\r\n"


def expecting_revision(revision: int) -> str:
    """Return headers for replacing a state of this revision; 0 means that it must not exist."""
    return f"{HEADER_LINE}Nats-Expected-Last-Subject-Sequence: {revision}\r\n\r\n"


def _escaped(text: str) -> str:
    return text if UNRESERVED.fullmatch(text) else quote(text, UNESCAPED)


@cache
def _kind_headers(kind: str, source: str) -> str:
    """Return the headers that all messages of a kind share."""
    return (
        f"ce-specversion: 1.0\r\nce-type: bandsmith.{VERSION}.{kind}\r\nce-source: /bandsmith/{source}\r\n"
        "ce-datacontenttype: application/json\r\ncontent-type: application/json\r\n"
    )
