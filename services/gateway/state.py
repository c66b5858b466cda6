"""What the gateway knows of a session: one value, stored under one key, changed only by compare-and-set.

An answer's fields are kept in the turn as facts of the same names, and a command is filled from the facts of its own
fields' names. So a new node needs a fact for each thing that it brings (`facts/`), and nothing else here.
"""

from __future__ import annotations

from typing import Any

from pydantic import model_validator

from bandsmith.shared.events import Command, Envelope, Message
from bandsmith.shared.llm.base import Allowance
from bandsmith.shared.model.session import Session

from .facts.learning import changes
from .facts.report import MAX_ROUNDS, ReportFacts

RENAMED = {
    ("ExportReport", "format"): "export_format",
    ("ReadChange", "text"): "request",
    ("RefineWindow", "window"): "part",
    ("ValidateTemplate", "form"): "original",
    ("ValidateTemplate", "before"): "previous",
    ("RememberFixes", "fixes"): "learned",
}
"""Fields of commands that are filled from a fact of another name."""


OBSOLETE_FACTS = frozenset({"proposed"})
"""Facts of earlier versions, which a stored turn may still hold."""


class Turn(ReportFacts):
    """A turn under way, or the last one: the facts of every flow."""

    @model_validator(mode="before")
    @classmethod
    def _drop_obsolete(cls, stored: Any) -> Any:
        if isinstance(stored, dict) and not OBSOLETE_FACTS.isdisjoint(stored):
            return {name: value for name, value in stored.items() if name not in OBSOLETE_FACTS}
        return stored

    def learn(self, event: Message, **updates: object) -> Turn:
        """The turn with what `event` says, and with other `updates`."""
        news: dict[str, Any] = {name: change(self, event) for name, change in changes(Turn, type(event)).items()}
        return self.model_copy(update=news | updates)

    @property
    def allowance(self) -> Allowance:
        """What is left to spend on a model; nothing while a layout is refined by rules alone."""
        if self.node == "refine_layout" and self.attempts["refine_layout"] < MAX_ROUNDS:
            return Allowance()
        return self.budget.less(self.usage)

    def ask(self, command: type[Command], part: int = 0, parts: int = 1) -> Command:
        """The command of this kind, filled with facts; one of several `parts` gets its share of the allowance."""
        known = {name: RENAMED.get((command.kind(), name), name) for name in command.model_fields}
        given = {"part": part, "allowance": _share(self.allowance, parts, part)}
        return command.model_validate(
            {name: given[fact] if fact in given else getattr(self, fact, None) for name, fact in known.items()}
        )


def _share(left: Allowance, parts: int, part: int) -> Allowance:
    """What one of the parts that ask a model at the same time may spend."""
    calls, remainder = divmod(left.calls, parts)
    return Allowance(calls=calls + (part < remainder), tokens=left.tokens // parts)


class SessionState(Session):
    """A session with the turn that is under way, and the turns that wait for it."""

    turn: Turn | None = None
    waiting: list[Envelope] = []
    """The beginnings of the next turns, in order."""
    past: list[str] = []
    """Ids of the last finished and refused turns: a late copy of their first command starts nothing."""
    said: list[Envelope] = []
    """The events of the last step."""
