"""What every message is: a command for one service, or an event that says what happened."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..model.base import Value

Service = Literal["ocr", "planner", "generator", "validator", "gateway"]


class Message(Value):
    """The payload of an envelope."""

    @classmethod
    def kind(cls) -> str:
        return cls.__name__


class Command(Message):
    """Asks one service for one thing."""

    service: ClassVar[Service]
    answers: ClassVar[tuple[str, ...]]
    """Kinds of the events it may be answered with, besides ``StageFailed``."""
    of_turns: ClassVar[bool] = True
    """Whether the table of routes sends it; the others come from whoever wants the answer."""


class Event(Message):
    """Says what happened."""


class TurnEvent(Event):
    """Says how a turn gets on: what the gateway tells clients, and programs of others that follow the work."""
