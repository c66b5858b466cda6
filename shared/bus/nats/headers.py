"""What stands on the outside of a message: CloudEvents' attributes, in the binary mode of its binding for NATS.

So that programs of others can sort and route messages without knowing what is inside:
https://github.com/cloudevents/spec/blob/main/cloudevents/bindings/nats-protocol-binding.md
"""

from __future__ import annotations

from functools import cache
from urllib.parse import quote

from ...events import COMMANDS, EVENTS, Envelope, TurnEvent
from ..base import VERSION
from .fast_client import HEAD

PLAIN = "!#$&'()*+,/:;<=>?@[\\]^`{|}"
"""What may stand in a value as it is; all else but letters and digits becomes %XX."""


def _sources() -> dict[str, str]:
    """Who sends each kind of message."""
    by_gateway = {kind for kind, command in COMMANDS.items() if command.of_turns and command.service != "gateway"}
    sources = {kind: "gateway" if kind in by_gateway else "client" for kind in COMMANDS}
    for command in COMMANDS.values():
        sources |= dict.fromkeys(command.answers, command.service)
    return sources | {kind: "gateway" for kind, event in EVENTS.items() if issubclass(event, TurnEvent)}


SOURCES = _sources()


def headers(envelope: Envelope, taken_as: str = "") -> str:
    """Of the message that carries this envelope; the server takes it once, under its id or under another name."""
    source = SOURCES.get(envelope.kind) or _of_failed(str(envelope.payload.get("command")))
    name = _plain(envelope.id)
    trace = f"traceparent: {_plain(envelope.traceparent)}\r\n" if envelope.traceparent else ""
    return (
        f"{HEAD}Nats-Msg-Id: {taken_as or name}\r\n{_of_kind(envelope.kind, source)}ce-id: {name}\r\n"
        f"ce-subject: {_plain(envelope.session)}\r\nce-time: {envelope.time.isoformat()}\r\n{trace}\r\n"
    )


def _of_failed(command: str) -> str:
    """Who says that a command failed; one that nobody here knows is of another version's making."""
    return COMMANDS[command].service if command in COMMANDS else "unknown"


def known_by(name: str) -> str:
    """Of any other message: the server takes it once under this name."""
    return f"{HEAD}Nats-Msg-Id: {name}\r\n\r\n"


def after(revision: int) -> str:
    """Of a state that takes the place of the one of this revision; of none where it is 0."""
    return f"{HEAD}Nats-Expected-Last-Subject-Sequence: {revision}\r\n\r\n"


def _plain(text: str) -> str:
    return text if text.isascii() and text.isalnum() else quote(text, PLAIN)


@cache
def _of_kind(kind: str, source: str) -> str:
    """What all messages of a kind have."""
    return (
        f"ce-specversion: 1.0\r\nce-type: bandsmith.{VERSION}.{kind}\r\nce-source: /bandsmith/{source}\r\n"
        "ce-datacontenttype: application/json\r\ncontent-type: application/json\r\n"
    )
