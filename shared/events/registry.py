"""The registry of messages: every command and event of every flow, by kind."""

from __future__ import annotations

from types import ModuleType
from typing import TypeVar

from . import (
    analysis,
    binding,
    correction,
    data,
    delivery,
    generation,
    knowledge,
    query,
    report,
    review,
    runs,
    task,
    turn,
)
from .base import Command, Event, Message

FLOWS: tuple[ModuleType, ...] = (
    turn, report, generation, correction, review, data, binding, delivery, query, analysis, task, runs, knowledge,
)  # fmt: skip
"""The modules that define messages. A new flow adds its own."""
M = TypeVar("M", bound=Message)


def _defined(base: type[M]) -> dict[str, type[M]]:
    """Return the messages of a base class that the flows define, in order."""
    return {
        message.kind(): message
        for flow in FLOWS
        for message in vars(flow).values()
        if isinstance(message, type) and issubclass(message, base) and message.__module__ == flow.__name__
    }


COMMANDS: dict[str, type[Command]] = _defined(Command)
EVENTS: dict[str, type[Event]] = _defined(Event)
KINDS: dict[str, type[Message]] = {**COMMANDS, **EVENTS}
