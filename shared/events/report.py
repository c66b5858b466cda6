"""Messages of the report flow, in its order: what is asked, changed, answered, exported and validated.

The messages of ``generation.py`` make a report, those of ``correction.py`` correct it.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..edits import AnyEdit
from ..language import Language
from ..model.allowance import Allowance, Usage
from ..model.base import Ref
from ..model.document import Document
from ..model.filling import Filling
from ..model.knowledge import FieldDefinition
from ..model.layout import Remark
from ..model.session_parts import ExportFormat, HistoryEntry, Intent, Version
from ..model.source import AskedQuestion
from ..turns.session import Failure
from ..turns.verdict import Finding, Grade, Likeness
from .base import Command, Event

# --- process_input -------------------------------------------------------------------------------------------------


class ExtractLayout(Command):
    service = "ocr"
    answers = ("LayoutExtracted",)
    document: Document
    language: Language = "en"
    """Language of the notes."""


class LayoutExtracted(Event):
    layout: Ref
    """A ``Layout`` as JSON."""
    form: Ref
    """The upright, flattened page as a PNG of exactly 150 dots per inch, which the report is compared with.

    Further pages are below it.
    """
    overlay: Ref
    """``layout.png``: the layout drawn on the form."""
    total_rows: int
    remarks: list[Remark] = []
    """Requests that a person drew on the page."""
    notes: list[str] = []
    """How the page was read: what was turned, and what was left out."""


class ReadTemplate(Command):
    """Make an uploaded JRXML the template of the session."""

    service = "validator"
    answers = ("TemplateRead",)
    document: Document
    language: Language = "en"


class TemplateRead(Event):
    template: Ref
    """The file as it came, unless it is of an old form that had to be converted."""
    upload: Ref | None = None
    """The same: what later versions are compared with."""
    data: Ref
    """A ``Data`` as JSON: sample values of the parameters and fields."""
    notes: list[str] = []


# --- manage_context ------------------------------------------------------------------------------------------------


class CompressHistory(Command):
    service = "planner"
    answers = ("HistoryCompressed",)
    history: list[HistoryEntry]
    archive: Ref | None
    language: Language
    allowance: Allowance


class HistoryCompressed(Event):
    history: list[HistoryEntry]
    """The history, unchanged if it is short enough. Otherwise the older entries are replaced by one summary."""
    archive: Ref | None
    """The whole history as a JSON list of ``HistoryEntry``."""
    usage: Usage = Usage()


# --- take_answer ---------------------------------------------------------------------------------------------------


class ReadAnswer(Command):
    """Read the message as an answer to the question with which the turn before ended."""

    service = "planner"
    answers = ("AnswerRead",)
    text: str


class AnswerRead(Event):
    agrees: bool | None
    """None: the message is not an answer but a request."""
    says_right: bool = False
    """Whether it says that the answer before was right."""
    drops: bool = False
    """Whether the user gives up what is waiting for an answer."""
    agrees_to_all: bool = False
    """Whether the yes also holds for all further changes of the task that are like the one that was shown."""
    asks_calendar: bool = False
    """Whether it is no answer but a question about the calendar, which rules can answer."""


# --- classify_intent -----------------------------------------------------------------------------------------------


class ClassifyIntent(Command):
    service = "planner"
    answers = ("IntentClassified",)
    text: str
    language: Language
    has_template: bool
    has_page: bool
    """Whether a picture or another page is attached."""
    remarks: list[Remark]
    layout: Ref | None
    """The layout of the page that the remarks are drawn on."""
    template: Ref | None
    data: Ref | None
    texts: list[Document]
    """Attached text files."""
    pictures: list[Document] = []
    """Attached pictures."""
    history: list[HistoryEntry]
    earlier: list[Version] = []
    """The session's last versions, the newest last."""
    selection: list[str] = []
    """Keys of the elements that the user selected on the page."""
    failure: Failure | None
    after_runs: bool = False
    """Whether the turn before was about scheduled runs, so that "pause it" is about one of them."""
    answered_rows: Ref | None = None
    """The rows of the answer before, as an Arrow stream: they may become a report."""
    answered_question: str = ""
    """That question; empty where the user wrote the query."""
    answered_query: AskedQuestion | None = None
    """The query that gave the rows, with its source."""
    answered_database: Ref | None = None
    """What that source holds: a ``SourceSchema`` as JSON."""
    allowance: Allowance


class IntentClassified(Event):
    intent: Intent
    format: ExportFormat | None = None
    """Format of a preview (png) or an export; of several, the first."""
    formats: list[ExportFormat] = []
    """All formats of an export in several."""
    with_jrxml: bool = False
    """Whether an export in other formats is to have the template too."""
    steps: int = Field(default=1, ge=1)
    """How many changes to undo or redo."""
    version: int | None = None
    """Number of the version to restore."""
    wording: str = ""
    """What the words beside a page ask for besides building a report from it."""
    replaces: bool = False
    """Whether the sentence says that a new report is to take the place of the current one."""
    by: Literal["rules", "model"] = "rules"
    answer: str = ""
    """The reply to a question that the model answered while it classified it."""
    change: Ref | None = None
    """A ``ChangeRequest`` as JSON, where the sentence was read as a change of the template."""
    spec: Ref | None = None
    """A ``ReportRequest`` as JSON, where the sentence was read as a new report."""
    answer_bindings: Ref | None = None
    """The query of the answer that the report is made of: a ``BindingFile`` as YAML."""
    filling: Filling | None = None
    """The source and the period, where the sentence asks to fill the report from a source of data."""
    undone: list[str] = []
    """What else the sentence asks for and this turn does not do, in the turn's language."""
    notes: list[str] = []
    """Why a model gave no answer, in the turn's language."""
    usage: Usage = Usage()


# --- retrieve ------------------------------------------------------------------------------------------------------


class RecallKnowledge(Command):
    service = "planner"
    answers = ("KnowledgeRecalled",)
    text: str
    language: Language = "en"
    layout: Ref | None


class KnowledgeRecalled(Event):
    passages: list[str] = []
    known_fields: list[FieldDefinition] = []
    """The fields that the user has defined for labels in the request and on the form."""
    notes: list[str] = []
    """An earlier report that resembles the new one, in the turn's language."""


# --- modify_jrxml --------------------------------------------------------------------------------------------------


class ReadChange(Command):
    """Read the sentence and the remarks as a change of the template, where that was not done when it was classified.

    With `edits`, these are the change: they are checked, and nothing else is read.
    """

    service = "planner"
    answers = ("ChangeRead",)
    template: Ref
    data: Ref
    text: str
    description: str = ""
    """The whole description of the report that was just made, if the text is what the report does not have of it."""
    texts: list[Document] = []
    """Attached text files."""
    language: Language
    remarks: list[Remark]
    layout: Ref | None
    """The layout of the page that the remarks are drawn on."""
    pictures: list[Document] = []
    """Attached pictures."""
    history: list[HistoryEntry]
    earlier: list[Version] = []
    """The session's last versions, the newest last."""
    selection: list[str] = []
    """Keys of the elements that the user selected on the page."""
    edits: list[AnyEdit] = []
    """The edits that the user asked for without words."""
    failure: Failure | None
    allowance: Allowance


class ChangeRead(Event):
    change: Ref
    """A ``ChangeRequest`` as JSON."""
    notes: list[str] = []
    """Why a model gave no answer, in the turn's language."""
    usage: Usage = Usage()


class ModifyTemplate(Command):
    service = "generator"
    answers = ("TemplateModified",)
    template: Ref
    data: Ref
    change: Ref
    language: Language
    makes_report: bool = False
    """Whether the report is made in this turn: then what is not done of its description is said first."""


class TemplateModified(Event):
    template: Ref
    data: Ref
    changed: int
    """How many edits took effect."""
    edits: Ref
    """The edits that took effect, as a JSON list of ``AnyEdit``."""
    edited: Ref | None = None
    """The template that they were applied to."""
    summary: str
    """What was done and what was not, in the turn's language."""
    declined: list[str] = []
    """What the summary says was refused or not read."""
    unseen: str = ""
    """What to tell the user if the printed pages look the same as before."""
    must_show: bool = False
    """Whether pages that look the same as before mean that the change has no effect."""
    left_out: int = 0
    """How many parts of the request could not be done."""
    by: Literal["rules", "model"] = "rules"


# --- handle_consult ------------------------------------------------------------------------------------------------


class AnswerQuestion(Command):
    service = "planner"
    answers = ("QuestionAnswered",)
    text: str
    language: Language
    history: list[HistoryEntry]
    earlier: list[Version] = []
    """The session's last versions, the newest last."""
    failure: Failure | None
    template: Ref | None = None
    """The report that the question is about."""
    data: Ref | None = None
    allowance: Allowance


class QuestionAnswered(Event):
    answer: str
    sources: list[str] = []
    """Titles of the passages that the answer is based on."""
    notes: list[str] = []
    """Why a model gave no answer, in the turn's language."""
    usage: Usage = Usage()


# --- save_session: preview and exports -----------------------------------------------------------------------------


class ExportReport(Command):
    service = "validator"
    answers = ("ReportExported",)
    template: Ref
    data: Ref
    format: ExportFormat
    upload: Ref | None = None
    """The user's own file that the template comes from, if any. What it contains that must not run is left out."""


class ReportExported(Event):
    format: ExportFormat
    files: list[Ref]
    """One file; for PNG one for each page."""
    pages: int
    missing_texts: list[str] = []
    """The first texts that the report prints and that the file does not have."""
    missing_shapes: int = 0
    """Pictures, lines and areas that the report prints and that the file has no place for."""


# --- validate ------------------------------------------------------------------------------------------------------


class ValidateTemplate(Command):
    service = "validator"
    answers = ("TemplateValidated",)
    template: Ref
    data: Ref
    layout: Ref | None
    form: Ref | None
    """The picture that page 1 is compared with, if any."""
    before: Ref | None = None
    """Page 1 before a modification. It is shown beside the new page, but not compared with it."""
    seen_before: Ref | None = None
    """The texts that could be seen before a modification: a JSON object by the keys of their elements."""
    template_before: Ref | None = None
    """The template before a modification; with it, what became worse on page 1 is found."""
    elements_before: Ref | None = None
    """The elements of page 1 before a modification, as a JSON list of ``Printed``."""
    upload: Ref | None = None
    """The user's own file that the template comes from, if any. What it contains that must not run is left out, and
    what is wrong with it is no error."""
    strict: bool = False
    """Whether what is wrong with the user's own file is an error, because the user asked to have it fixed."""
    language: Language = "en"
    """Of the captions of the picture of differences."""


class TemplateValidated(Event):
    passed: bool
    """Whether there are no errors, whatever the grade: corrections are for errors only."""
    findings: list[Finding] = []
    likeness: Likeness | None = None
    grade: Grade | None = None
    """What a person would do with the template; None where there is no form to compare with."""
    pdf: Ref | None = None
    pages: list[Ref] = []
    """The first three filled pages at most, as PNGs of 150 dots per inch."""
    elements: Ref | None = None
    """The elements of page 1, as a JSON list of ``Printed``."""
    page_count: int = 0
    """Number of all filled pages; 0 if nothing was printed."""
    compare: Ref | None = None
    """``compare.png``: form and result side by side, with the differences marked."""
    verdict: Ref
    """A ``Verdict`` as JSON."""
    look: str = ""
    """Digest of the printed pages' pixels: templates that look the same have the same. Empty if nothing was printed."""
    seen: Ref | None = None
    """The texts that can be seen: a JSON object by the keys of their elements."""
    vanished: list[str] = []
    """Texts that could be seen before the modification, of elements that are there but show nothing any more."""
