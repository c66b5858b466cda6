"""The envelope that every message travels in."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from pydantic import ConfigDict, Field, field_validator

from ..model.base import Value
from .base import Command, Message
from .registry import KINDS


class Envelope(Value):
    """A message with the turn that it belongs to and the message that caused it.

    While the services are upgraded one by one, messages of a newer version are received. Fields that this version does
    not know are ignored, in the envelope and in what services send each other.
    """

    model_config = ConfigDict(extra="ignore")

    id: str
    kind: str
    session: str
    turn: str
    node: str = ""
    causation: str = ""
    """Id of the message that this one answers or results from."""
    attempt: int = 1
    """Number of the workflow's attempt, from 1. Redeliveries by the bus do not count."""
    time: datetime = Field(default_factory=lambda: datetime.now(UTC))
    """A time without a zone is in UTC."""
    traceparent: str = ""
    payload: dict[str, Any]

    @field_validator("time")
    @classmethod
    def _has_a_zone(cls, time: datetime) -> datetime:
        return time if time.tzinfo else time.replace(tzinfo=UTC)

    def message(self) -> Message:
        """Return the typed payload.

        Raises ``KeyError`` for an unknown kind, ``ValidationError`` for a wrong payload. An unknown field of a command
        to the gateway, which other programs send, is more likely a mistake, so it is an error.
        """
        kind = KINDS[self.kind]
        comes_from_outside = issubclass(kind, Command) and kind.service == "gateway"
        return kind.model_validate(self.payload, extra="forbid" if comes_from_outside else "ignore")


def command_id(session: str, turn: str, node: str, attempt: int, part: int | None = None) -> str:
    """Derive an id. The same arguments always give the same id, so that publishing twice is one message."""
    text = f"{session}/{turn}/{node}/{attempt}/{'' if part is None else part}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]
