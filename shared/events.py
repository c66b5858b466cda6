"""Every message there is, in the order they flow. A command is verb + noun, an event noun + participle.

A message's ``kind`` is its class's name: the key of the registry and the last token of its subject.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from .llm.base import Allowance, Usage
from .model.base import Ref, Value
from .model.document import Document
from .model.edits import AnyEdit
from .model.knowledge import FieldDefinition, KnowledgeEntry, KnownTemplate, Mending
from .model.layout import Remark
from .model.session import Failure, Format, Intent, Language, Said
from .model.verdict import Finding, Likeness

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


# --- a turn begins -------------------------------------------------------------------------------------------------


class StartTurn(Command):
    """A user says something, with or without files."""

    service = "gateway"
    answers = ("TurnQueued", "TurnFinished", "TurnFailed")
    text: str = ""
    attachments: list[Document] = []
    language: Language | None = None
    """Of the replies; None is that of the text."""
    name: str = ""
    """The session's, where this begins one."""


class TurnQueued(TurnEvent):
    """Another turn of the session is under way, and this one waits for it."""

    before: int
    """How many turns come first."""


class NodeStarted(TurnEvent):
    """Progress: the turn came to a node of the workflow. `window` counts parts that run at the same time."""

    node: str
    windows: int = 1


class NodeFinished(TurnEvent):
    """Progress: the turn left a node, after so many seconds."""

    node: str
    seconds: float
    outcome: str = ""


# --- process_input -------------------------------------------------------------------------------------------------


class ExtractLayout(Command):
    service = "ocr"
    answers = ("LayoutExtracted",)
    document: Document


class LayoutExtracted(Event):
    layout: Ref
    """A ``Layout`` as JSON."""
    form: Ref
    """The upright, flattened page as a PNG of exactly 150 dots per inch: the picture to compare with."""
    overlay: Ref
    """``layout.png``: what was understood, drawn on the form."""
    total_rows: int
    remarks: list[Remark] = []
    """Requests that somebody drew on the page."""
    notes: list[str] = []


class ReadTemplate(Command):
    """An uploaded JRXML becomes the template to work on."""

    service = "validator"
    answers = ("TemplateRead",)
    document: Document


class TemplateRead(Event):
    template: Ref
    """Of the 6.x schema, every element with a key."""
    data: Ref
    """A ``Data`` as JSON: sample values of its parameters and fields."""
    notes: list[str] = []


# --- manage_context ------------------------------------------------------------------------------------------------


class CompressHistory(Command):
    service = "planner"
    answers = ("HistoryCompressed",)
    history: list[Said]
    archive: Ref | None
    language: Language
    allowance: Allowance


class HistoryCompressed(Event):
    history: list[Said]
    """As it was where it fits; else older entries are one summary, and the newest are whole."""
    archive: Ref | None
    """Everything that was said so far, as a JSON list of ``Said``."""
    usage: Usage = Usage()


# --- classify_intent -----------------------------------------------------------------------------------------------


class ClassifyIntent(Command):
    service = "planner"
    answers = ("IntentClassified",)
    text: str
    language: Language
    has_template: bool
    has_page: bool
    """Whether a picture or another page came with the text."""
    remarks: list[Remark]
    template: Ref | None
    history: list[Said]
    failure: Failure | None
    allowance: Allowance


class IntentClassified(Event):
    intent: Intent
    format: Format | None = None
    """Of a preview (png) or an export."""
    by: Literal["rules", "model"] = "rules"
    answer: str = ""
    """A model that is asked for the intent of a question answers it in the same breath; or changes the report:"""
    proposed: Ref | None = None
    """a JSON list of ``AnyEdit`` for modify_report, a ``Wish`` for initial_generation."""
    usage: Usage = Usage()


# --- retrieve ------------------------------------------------------------------------------------------------------


class RecallKnowledge(Command):
    service = "planner"
    answers = ("KnowledgeRecalled",)
    text: str
    layout: Ref | None


class KnowledgeRecalled(Event):
    passages: list[str] = []


# --- generate: from words alone ------------------------------------------------------------------------------------


class GenerateReport(Command):
    service = "generator"
    answers = ("ReportGenerated",)
    text: str
    texts: list[Document]
    """Attached text files."""
    language: Language
    passages: list[str]
    proposed: Ref | None
    allowance: Allowance


class ReportGenerated(Event):
    template: Ref
    data: Ref
    notes: list[str] = []
    """What was assumed, in the turn's language."""
    usage: Usage = Usage()


# --- generate_skeleton ---------------------------------------------------------------------------------------------


class GenerateSkeleton(Command):
    service = "generator"
    answers = ("SkeletonGenerated",)
    layout: Ref
    form: Ref
    name: str
    """The report's name."""


class SkeletonGenerated(Event):
    template: Ref
    """JRXML whose fields still have placeholder names."""
    data: Ref
    """A ``Data`` as JSON, by those names."""
    windows: int
    """How many band windows refine_layout has to look at."""


# --- refine_layout: render the draft, look at every window at once, join -------------------------------------------


class RenderDraft(Command):
    service = "validator"
    answers = ("DraftRendered",)
    template: Ref
    data: Ref


class DraftRendered(Event):
    page: Ref
    """Page 1 as a PNG of 150 dots per inch."""
    printed: Ref
    """A JSON list of ``Printed``."""


class RefineWindow(Command):
    service = "generator"
    answers = ("WindowRefined",)
    window: int
    template: Ref
    layout: Ref
    form: Ref
    page: Ref
    printed: Ref
    allowance: Allowance = Allowance()


class WindowRefined(Event):
    window: int
    edits: Ref
    """A JSON list of ``AnyEdit``."""
    usage: Usage = Usage()


class JoinWindows(Command):
    service = "generator"
    answers = ("WindowsJoined",)
    template: Ref
    edits: list[Ref]
    """One for each window, in order."""


class WindowsJoined(Event):
    template: Ref
    changed: int
    """How many edits took effect."""
    windows: int


# --- map_fields ----------------------------------------------------------------------------------------------------


class MapFields(Command):
    service = "generator"
    answers = ("FieldsMapped",)
    template: Ref
    data: Ref
    layout: Ref
    allowance: Allowance = Allowance()


class FieldsMapped(Event):
    template: Ref
    data: Ref
    usage: Usage = Usage()


# --- modify_jrxml --------------------------------------------------------------------------------------------------


class ModifyTemplate(Command):
    service = "generator"
    answers = ("TemplateModified",)
    template: Ref
    data: Ref
    text: str
    language: Language
    remarks: list[Remark]
    layout: Ref | None
    """Of the page that the remarks are drawn on."""
    history: list[Said]
    failure: Failure | None
    proposed: Ref | None
    allowance: Allowance


class TemplateModified(Event):
    template: Ref
    data: Ref
    changed: int
    """How many edits took effect."""
    edits: Ref
    """A JSON list of those ``AnyEdit``."""
    summary: str
    """What was done and what was not, in the turn's language."""
    by: Literal["rules", "model"] = "rules"
    usage: Usage = Usage()


# --- handle_consult ------------------------------------------------------------------------------------------------


class AnswerQuestion(Command):
    service = "planner"
    answers = ("QuestionAnswered",)
    text: str
    language: Language
    history: list[Said]
    failure: Failure | None
    template: Ref | None = None
    """The report that is talked about."""
    allowance: Allowance


class QuestionAnswered(Event):
    answer: str
    sources: list[str] = []
    """Titles of the passages that it stands on."""
    usage: Usage = Usage()


# --- save_session: preview and exports -----------------------------------------------------------------------------


class ExportReport(Command):
    service = "validator"
    answers = ("ReportExported",)
    template: Ref
    data: Ref
    format: Format


class ReportExported(Event):
    files: list[Ref]
    """One; of PNG one for each page."""
    pages: int


# --- validate ------------------------------------------------------------------------------------------------------


class ValidateTemplate(Command):
    service = "validator"
    answers = ("TemplateValidated",)
    template: Ref
    data: Ref
    layout: Ref | None
    form: Ref | None
    """The picture that page 1 has to be like; None compares with nothing."""
    before: Ref | None = None
    """Page 1 of the version before a modification: shown beside the new one, held against nothing."""


class TemplateValidated(Event):
    passed: bool
    findings: list[Finding] = []
    likeness: Likeness | None = None
    pdf: Ref | None = None
    pages: list[Ref] = []
    """The filled pages as PNGs of 150 dots per inch, at most the first three."""
    compare: Ref | None = None
    """``compare.png``: form and result side by side, differences marked."""
    verdict: Ref
    """A ``Verdict`` as JSON."""


# --- explain_error, correct_jrxml ----------------------------------------------------------------------------------


class ExplainFailure(Command):
    service = "generator"
    answers = ("FailureExplained",)
    findings: list[Finding]
    language: Language
    allowance: Allowance


class FailureExplained(Event):
    explanation: str
    """In the turn's language."""
    usage: Usage = Usage()


class RecallMendings(Command):
    service = "planner"
    answers = ("MendingsRecalled",)
    findings: list[Finding]


class MendingsRecalled(Event):
    mendings: list[Mending]
    """Of errors like these, as they were mended before."""


class CorrectTemplate(Command):
    service = "generator"
    answers = ("TemplateCorrected",)
    template: Ref
    data: Ref
    findings: list[Finding]
    mendings: list[Mending]
    explanation: str
    corrections: int
    """How many were tried in this turn: each tries what the one before did not."""
    allowance: Allowance


class TemplateCorrected(Event):
    template: Ref
    changed: int
    """How many edits took effect."""
    edits: list[AnyEdit] = []
    by: Literal["rules", "knowledge", "model"] = "rules"
    usage: Usage = Usage()


# --- finalize ------------------------------------------------------------------------------------------------------


class RememberMendings(Command):
    service = "planner"
    answers = ("MendingsRemembered",)
    mendings: list[Mending]


class MendingsRemembered(Event):
    count: int


# --- outside of turns: what a person does with the knowledge --------------------------------------------------------


class AddKnowledge(Command):
    """Keep reports and definitions of fields, in place of what has the same content or label."""

    service = "planner"
    answers = ("KnowledgeAdded",)
    of_turns = False
    templates: list[KnownTemplate] = []
    fields: list[FieldDefinition] = []


class KnowledgeAdded(Event):
    entries: list[KnowledgeEntry]


class ListKnowledge(Command):
    service = "planner"
    answers = ("KnowledgeListed",)
    of_turns = False


class KnowledgeListed(Event):
    entries: list[KnowledgeEntry]


class SearchKnowledge(Command):
    service = "planner"
    answers = ("KnowledgeFound",)
    of_turns = False
    words: str


class KnowledgeFound(Event):
    entries: list[KnowledgeEntry]
    """Of each kind the best first."""


class RemoveKnowledge(Command):
    service = "planner"
    answers = ("KnowledgeRemoved",)
    of_turns = False
    ids: list[str]


class KnowledgeRemoved(Event):
    entries: list[KnowledgeEntry]
    """Those that were there."""


# --- what goes wrong, and the end ----------------------------------------------------------------------------------


class StageFailed(Event):
    """A command cannot be carried out, ever."""

    command: str
    """The command's kind."""
    code: str
    message: str
    message_zh: str = ""


class TurnFinished(TurnEvent):
    """The turn is over, and this is what came of it."""

    status: Literal["done", "unfinished"]
    """Unfinished: corrections ran out; the files are the best version so far."""
    intent: Intent
    reply: str
    """What is said to the user, in the turn's language."""
    files: dict[str, Ref] = {}
    """By the name they have in the output folder."""
    version: int | None = None
    """The report's, where there is one."""
    passed: bool | None = None
    """None: nothing was validated."""
    likeness: Likeness | None = None
    corrections: int = 0
    findings: list[Finding] = []
    notes: list[str] = []
    usage: Usage = Usage()


class TurnFailed(TurnEvent):
    """The turn is over without a result: it could not begin, or a part of it failed for good."""

    code: str
    message: str
    message_zh: str = ""


# --- the envelope --------------------------------------------------------------------------------------------------


def _kinds(base: type[Message]) -> dict[str, type[Any]]:
    """What is made of `base`, and of what is made of it; a base itself is no message."""
    found: dict[str, type[Any]] = {}
    for sub in base.__subclasses__():
        found |= _kinds(sub) or {sub.kind(): sub}
    return found


COMMANDS: dict[str, type[Command]] = _kinds(Command)
EVENTS: dict[str, type[Event]] = _kinds(Event)
KINDS: dict[str, type[Message]] = {**COMMANDS, **EVENTS}


class Envelope(Value):
    """What travels: a payload with where it belongs and what caused it."""

    id: str
    kind: str
    session: str
    turn: str
    node: str = ""
    causation: str = ""
    """Id of the message that this one answers or follows."""
    attempt: int = 1
    """The workflow's count: the first try is 1. Redelivery by the bus does not count here."""
    time: datetime = Field(default_factory=lambda: datetime.now(UTC))
    """One without a zone is in UTC."""
    traceparent: str = ""
    payload: dict[str, Any]

    @field_validator("time")
    @classmethod
    def _has_a_zone(cls, time: datetime) -> datetime:
        return time if time.tzinfo else time.replace(tzinfo=UTC)

    def message(self) -> Message:
        """The typed payload. Raises ``KeyError`` for an unknown kind, ``ValidationError`` for a wrong payload."""
        return KINDS[self.kind].model_validate(self.payload)


def command_id(session: str, turn: str, node: str, attempt: int, window: int | None = None) -> str:
    """The same session, turn, node, attempt and window always give the same id: publishing twice is one message."""
    text = f"{session}/{turn}/{node}/{attempt}/{'' if window is None else window}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]
