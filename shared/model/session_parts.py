"""The parts of a session: versions of artefacts, its history, its questions and the turns that are over."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from .base import Ref, Value
from .task import ToolCall

Intent = Literal[
    "initial_generation", "modify_report", "preview_report", "export_pdf", "export_jrxml", "export_file",
    "consult_question", "ask_data", "fill_report", "undo_modification", "redo_modification", "restore_version",
    "reset_session", "fix_report", "plan_work", "manage_runs", "unknown",
]  # fmt: skip
"""What a user wants of a turn."""
Format = Literal["png", "pdf", "xlsx", "docx", "html", "csv"]
"""What the engine prints; PNG is one picture for each page."""
ExportFormat = Literal["png", "pdf", "xlsx", "docx", "html", "csv", "jrxml7", "java"]
"""What a report is exported as: also its template for JasperReports 7, and a ZIP archive for Java programs."""
Status = Literal["new", "done", "unfinished"]
"""New: there is no report yet. Unfinished: the last change still had errors after its last correction."""
ArtefactKind = Literal["report", "table", "schedule"]
"""What a session can hold one of. Each kind has versions, and changes to it can be undone."""


class HistoryEntry(Value):
    """One entry of the history."""

    number: int
    """Counts from 1; a summary has the number of the last entry that it replaces."""
    role: Literal["user", "assistant", "summary"]
    text: str
    time: datetime


class Version(Value):
    """An artefact as it was saved, and the verdict on it."""

    kind: ArtefactKind = "report"
    number: int
    """Counts from 1 in the session, through all kinds."""
    template: Ref
    """The artefact itself: a report's JRXML."""
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
    pages: list[Ref] = []
    """The first pages, as PNGs of 150 dots per inch."""
    elements: Ref | None = None
    """The elements of page 1, as a JSON list of ``Printed``."""
    compare: Ref | None = None
    """Page 1 beside the form, or beside the page before the change, with the differences marked."""
    pdf: Ref | None = None
    page_count: int = 0
    """Number of its filled pages; 0 if it is not known."""
    look: str = ""
    """Digest of the printed pages' pixels; empty if it is not known."""
    seen: Ref | None = None
    """The texts that can be seen on its pages: a JSON object by the keys of their elements."""
    edits: Ref | None = None
    """The edits of the change that made it, as a JSON list of ``AnyEdit``."""
    edited: Ref | None = None
    """The template that these edits were applied to."""
    verdict: Ref | None = None
    """The ``Verdict`` as JSON."""
    upload: Ref | None = None
    """The user's own template that it comes from."""


class Snapshot(Value):
    """An artefact before a turn changed it: what undo restores."""

    kind: ArtefactKind = "report"
    version: Version | None
    """None: the session had no artefact of this kind."""
    status: Status
    last_entry: int
    """Number of the history's last entry."""
    request: str = ""
    """The beginning of the request whose change undo takes back."""


class Pending(Value):
    """A question to the user that the session waits to have answered."""

    kind: Literal["question", "confirmation"]
    text: str
    """What is asked, in the user's language."""
    id: str = ""
    """Names the question in an ``Answer``."""
    call: ToolCall | None = None
    """The tool call that is to be confirmed, exactly as it will be carried out."""
    asked: datetime | None = None


class TurnRecord(Value):
    """A turn that is over, as a person who looks at the conversation sees it."""

    turn: str
    text: str = ""
    """What was asked; a long text is cut."""
    files: list[str] = []
    """Names of the attached files."""
    reply: str = ""
    """What was answered; a long text is cut."""
    notes: list[str] = []
    query: str = ""
    """The SQL query that a question about data was answered by."""
    results: dict[str, Ref] = {}
    """The files that were asked for, by name: exports, a filled report, the rows of an answer."""
    failed: str = ""
    """Code of the failure; empty for a turn that finished."""
    version: int | None = None
    """Number of the version that the turn ended with."""
    time: datetime
