"""The bases of all messages: a command to one service, or an event that says what happened."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..model.base import Value

Service = Literal["ocr", "planner", "generator", "validator", "gateway"]


class Message(Value):
    """Payload of an envelope."""

    @classmethod
    def kind(cls) -> str:
        return cls.__name__


class Command(Message):
    """Asks one service for one thing."""

    service: ClassVar[Service]
    answers: ClassVar[tuple[str, ...]]
    """Kinds of the events that may answer it, besides ``StageFailed``."""
    of_turns: ClassVar[bool] = True
    """Whether the table of routes sends it; other commands come from clients."""


class Event(Message):
    """Says what happened."""


class TurnEvent(Event):
    """Progress or end of a turn, published by the gateway for clients and external programs."""
