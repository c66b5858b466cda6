"""What the gateway knows of a session: one value, kept under one key, changed only by compare-and-set.

What an answer says is kept in the turn under the name it has in the event, and a command is filled from the fields of
the same names; so a new node needs a field here for each thing it brings, and nothing else.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath
from typing import Any

from shared.events import Command, DraftRendered, Envelope, Message, StageFailed, TemplateValidated, WindowRefined
from shared.model.base import Ref, Value
from shared.model.document import Document
from shared.model.verdict import Finding


class Version(Value):
    """A template that was validated, and what the validator said of it."""

    template: Ref
    data: Ref
    said: TemplateValidated

    @property
    def rank(self) -> tuple[bool, int, float]:
        """Greater is better: it passed, then fewest errors, then likeness."""
        errors = sum(finding.severity == "error" for finding in self.said.findings)
        likeness = self.said.likeness
        return self.said.passed, -errors, likeness.ssim + likeness.texts if likeness else 0.0


class Turn(Value):
    """A turn under way, or the last one."""

    id: str
    document: Document

    # where it stands
    node: str
    since: datetime
    """When it came to the node."""
    attempts: dict[str, int] = {}
    """How often it came to each node."""
    spent: dict[str, int] = {}
    """What each cap has been charged."""
    awaiting: dict[str, Envelope] = {}
    """The commands that are not answered yet, by id."""
    said: list[Envelope] = []
    """The events that the last step published."""

    # what the answers brought
    layout: Ref | None = None
    form: Ref | None = None
    overlay: Ref | None = None
    total_rows: int = 0
    notes: list[str] = []
    passages: list[str] = []
    template: Ref | None = None
    data: Ref | None = None
    windows: int = 0
    page: Ref | None = None
    printed: Ref | None = None
    refined: dict[int, Ref] = {}
    """Edits by window, as they come in."""
    changed: int = 0
    """How much the last join or correction changed."""
    explanation: str = ""
    explanation_zh: str = ""
    latest: Version | None = None
    best: Version | None = None
    failure: StageFailed | None = None

    @property
    def name(self) -> str:
        """The report's name."""
        return PurePath(self.document.name).stem or "report"

    @property
    def edits(self) -> list[Ref]:
        """The refined windows' edits, in the windows' order."""
        return [self.refined[window] for window in sorted(self.refined)]

    @property
    def findings(self) -> list[Finding]:
        return self.latest.said.findings if self.latest else []

    def learn(self, event: Message) -> Turn:
        """The turn, knowing what `event` says."""
        news: dict[str, Any] = {name: getattr(event, name) for name in type(event).model_fields if name in FACTS}
        match event:
            case DraftRendered():
                news["refined"] = {}
            case WindowRefined():
                news = {"refined": {**self.refined, event.window: event.edits}}
            case TemplateValidated() if self.template and self.data:
                latest = Version(template=self.template, data=self.data, said=event)
                best = latest if self.best is None else max(self.best, latest, key=lambda version: version.rank)
                news = {"latest": latest, "best": best}
            case StageFailed():
                news = {"failure": event, "notes": [f"{self.node} failed: {event.message}"]}
        if "notes" in news:
            news["notes"] = [*self.notes, *news["notes"]]
        return self.model_copy(update=news)

    def ask(self, command: type[Command]) -> list[Command]:
        """The commands of this kind that the turn stands ready to send: one, or one for each window."""
        known = {name: getattr(self, name) for name in command.model_fields if name != "window"}
        if "window" not in command.model_fields:
            return [command.model_validate(known)]
        return [command.model_validate({**known, "window": window}) for window in range(self.windows)]


FACTS = frozenset(Turn.model_fields) - {"id", "node", "since", "attempts", "spent", "awaiting", "said"}
"""The fields that answers fill."""


class Saved(Value):
    """What a session keeps from one turn to the next."""

    template: Ref
    data: Ref
    layout: Ref
    form: Ref


class Session(Value):
    id: str
    turn: Turn | None = None
    past: list[str] = []
    """Ids of the turns before, the last few: a late copy of their first command starts nothing."""
    saved: Saved | None = None
