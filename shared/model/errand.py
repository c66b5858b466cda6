"""Errands: what a tool of reports, data or runs does besides a calendar, exactly as the user agrees to it."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from .action import Action
from .base import Ref, Value
from .document import Document
from .filling import Filling
from .run import Delivery
from .run_request import RunChange
from .session_parts import Version
from .source import Asking
from .task import Answer

SESSION_SUFFIX = "-errand"
"""What is added to the key of a session for the one in which the turns of its tasks' errands take place."""


class Workpiece(Value):
    """What a turn works on instead of the report of its own session."""

    number: int = 0
    """Number of its version in the session that it comes from."""
    template: Ref | None = None
    """None: there is no report."""
    data: Ref | None = None
    page: Ref | None = None
    """Picture of its page 1."""
    look: str = ""
    """Digest of its printed pages."""
    seen: Ref | None = None
    """The texts that can be seen on its pages."""
    upload: Ref | None = None
    """The user's own template that it comes from."""

    @classmethod
    def of(cls, report: Version) -> Workpiece:
        return cls.model_validate({name: getattr(report, name) for name in cls.model_fields})

    def version(self, now: datetime) -> Version | None:
        """Return it as a version of a session; None if there is no report."""
        if self.template is None or self.data is None:
            return None
        known = {name: getattr(self, name) for name in Workpiece.model_fields}
        return Version.model_validate({**known, "author": "task", "time": now, "passed": True})


class ErrandTurn(Value):
    """A turn of its own: what would be said in a conversation, with everything that it needs."""

    text: str = ""
    attachments: list[Document] = []
    asking: Asking | None = None
    filling: Filling | None = None
    delivery: Delivery | None = None
    action: Action | None = None
    answer: Answer | None = None
    """The errand goes on with the turn that asked this."""
    workpiece: Workpiece = Workpiece()
    makes_report: bool = False
    """Whether the report that the turn makes becomes that of the task's session."""


class Errand(Value):
    """One of a turn, or a change of the scheduled runs; neither: something is listed."""

    turn: ErrandTurn | None = None
    run_change: RunChange | None = None
    lists: Literal["runs", "sessions"] = "runs"
    looks_up: bool = False
    """Whether the run, or the queries of a filling, are found first, and shown before anything is changed."""
    shown: str = ""
    """What the user is shown besides what is found so."""
    bindings: Ref | None = None
    """The new queries that the user is shown, a ``BindingFile`` as YAML."""
    reads: bool = False
    """Whether it changes nothing, so that the user is not asked first."""
