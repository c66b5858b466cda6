"""Session: a conversation around one report: its versions, what was said, and what can be undone."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from .base import Ref, Value
from .verdict import Finding

Intent = Literal[
    "initial_generation", "modify_report", "preview_report", "export_pdf", "export_jrxml", "export_file",
    "consult_question", "undo_modification", "redo_modification", "reset_session", "unknown",
]  # fmt: skip
"""What a user wants of a turn."""
Format = Literal["png", "pdf", "xlsx", "docx", "html", "csv"]
"""What the engine exports; PNG is a picture for each page."""
Status = Literal["new", "done", "unfinished"]
"""New: there is no report yet. Unfinished: the corrections of the last change ran out."""


class HistoryEntry(Value):
    """One entry of the history."""

    number: int
    """Counts from 1; a summary has the number of the last entry that it stands for."""
    role: Literal["user", "assistant", "summary"]
    text: str
    time: datetime


class Version(Value):
    """A template as it was saved, and what the validator said of it."""

    number: int
    """Counts from 1 in its session."""
    template: Ref
    data: Ref
    layout: Ref | None = None
    form: Ref | None = None
    """The picture that it was built from."""
    author: str
    """The node that wrote it: ``generate``, ``modify_jrxml``, ``correct_jrxml``, ``handle_undo`` and so on."""
    request: str = ""
    """The beginning of what the user asked for."""
    time: datetime
    passed: bool | None = None
    """None: it was not validated yet."""
    findings: int = 0
    page: Ref | None = None
    """Page 1 as a PNG of 150 dots per inch."""


class Snapshot(Value):
    """What undo brings back."""

    saved: Version | None
    said: int
    """Number of the last entry of the history."""
    status: Status


class Failure(Value):
    """Why the last change is unfinished; the next turn's prompts carry it."""

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
    saved: Version | None = None
    """The report as it stands."""
    versions: list[Version] = []
    """The newest last."""
    history: list[HistoryEntry] = []
    archive: Ref | None = None
    """The whole history as a JSON list of ``HistoryEntry``, where the one above is compressed."""
    undo: list[Snapshot] = []
    redo: list[Snapshot] = []
    pending_failure_context: Failure | None = None
