"""Session: a conversation about an artefact: its versions, what was said, and what can be undone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import model_validator

from ..model.base import Ref, Value
from ..model.session_parts import ArtefactKind, HistoryEntry, Pending, Snapshot, Status, TurnRecord, Version
from ..model.source import AskedQuestion
from ..model.task import TaskProgress
from .verdict import Finding


class Failure(Value):
    """Why the last change is unfinished; the next turn's prompts contain it."""

    error: str
    """The explanation, in the user's language."""
    findings: list[Finding] = []
    template: Ref
    attempts: int
    time: datetime


class Session(Value):
    """What a session keeps from one turn to the next."""

    id: str
    name: str = ""
    created: datetime | None = None
    changed: datetime | None = None
    status: Status = "new"
    artefacts: dict[ArtefactKind, Version] = {}
    """The current version of each kind of artefact."""
    versions: list[Version] = []
    """The newest last."""
    history: list[HistoryEntry] = []
    unshared: datetime | None = None
    """When the links to the session were revoked: no earlier link shows it any more."""
    turns: list[TurnRecord] = []
    """The last turns, also if they were undone since; the newest last."""
    archive: Ref | None = None
    """The whole history as a JSON list of ``HistoryEntry``, if the one above is compressed."""
    undo: list[Snapshot] = []
    redo: list[Snapshot] = []
    pending_failure_context: Failure | None = None
    pending: Pending | None = None
    """What the last turn asked; the next one answers it or goes on to something else."""
    asked: list[AskedQuestion] = []
    """The last questions about data that were answered, the newest last."""
    work: TaskProgress | None = None
    """The last task: its plan and its phase."""
    bindings: Ref | None = None
    """The queries that filled the report from a source: a ``BindingFile`` as YAML."""

    @property
    def report(self) -> Version | None:
        """The current version of the report."""
        return self.artefacts.get("report")

    @model_validator(mode="before")
    @classmethod
    def _read_old_form(cls, stored: Any) -> Any:
        """Read a session that was stored when every artefact was a report."""
        if not isinstance(stored, dict) or "saved" not in stored:
            return stored
        new = {name: value for name, value in stored.items() if name not in ("saved", "said")}
        new["events"] = stored.get("said", [])
        new["artefacts"] = {"report": stored["saved"]} if stored["saved"] else {}
        for stack in ("undo", "redo"):
            new[stack] = [
                {"version": old["saved"], "last_entry": old["said"], "status": old["status"]}
                for old in stored.get(stack, [])
            ]
        turn = new.get("turn") or {}
        for name in ("latest", "best"):
            if turn.get(name):
                validated = {**turn[name], "verdict": turn[name]["said"]}
                turn = {**turn, name: {key: value for key, value in validated.items() if key != "said"}}
        return {**new, "turn": turn or None}
