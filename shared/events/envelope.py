"""The envelope that every message travels in, and the registry of kinds."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from pydantic import Field, field_validator

from ..model.base import Value
from . import knowledge as _knowledge  # noqa: F401 - the registry holds what has been defined
from . import report as _report  # noqa: F401
from . import turn as _turn  # noqa: F401
from .base import Command, Event, Message

# --- the envelope --------------------------------------------------------------------------------------------------


def _kinds(base: type[Message]) -> dict[str, type[Any]]:
    """What is made of `base`, and of what is made of it; a base itself is no message."""
    found: dict[str, type[Any]] = {}
    for sub in base.__subclasses__():
        found |= _kinds(sub) or {sub.kind(): sub}
    return found


COMMANDS: dict[str, type[Command]] = _kinds(Command)
EVENTS: dict[str, type[Event]] = _kinds(Event)
KINDS: dict[str, type[Message]] = {**COMMANDS, **EVENTS}


class Envelope(Value):
    """What travels: a payload with where it belongs and what caused it."""

    id: str
    kind: str
    session: str
    turn: str
    node: str = ""
    causation: str = ""
    """Id of the message that this one answers or follows."""
    attempt: int = 1
    """The workflow's count: the first try is 1. Redelivery by the bus does not count here."""
    time: datetime = Field(default_factory=lambda: datetime.now(UTC))
    """One without a zone is in UTC."""
    traceparent: str = ""
    payload: dict[str, Any]

    @field_validator("time")
    @classmethod
    def _has_a_zone(cls, time: datetime) -> datetime:
        return time if time.tzinfo else time.replace(tzinfo=UTC)

    def message(self) -> Message:
        """The typed payload. Raises ``KeyError`` for an unknown kind, ``ValidationError`` for a wrong payload."""
        return KINDS[self.kind].model_validate(self.payload)


def command_id(session: str, turn: str, node: str, attempt: int, window: int | None = None) -> str:
    """The same session, turn, node, attempt and window always give the same id: publishing twice is one message."""
    text = f"{session}/{turn}/{node}/{attempt}/{'' if window is None else window}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]
