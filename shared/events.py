"""Every message there is, in the order they flow. A command is verb + noun, an event noun + participle.

A message's ``kind`` is its class's name: the key of the registry and the last token of its subject.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any, ClassVar, Literal

from pydantic import Field

from .model.base import Ref, Value
from .model.document import Document
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


class Event(Message):
    """Says what happened."""


# --- a turn begins -------------------------------------------------------------------------------------------------


class StartTurn(Command):
    """A user asks for a template of a document."""

    service = "gateway"
    answers = ("TurnFinished", "TurnFailed")
    document: Document


class NodeStarted(Event):
    """Progress: the turn came to a node of the workflow. `window` counts parts that run at the same time."""

    node: str
    windows: int = 1


class NodeFinished(Event):
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
    notes: list[str] = []


# --- retrieve ------------------------------------------------------------------------------------------------------


class RecallKnowledge(Command):
    service = "planner"
    answers = ("KnowledgeRecalled",)
    layout: Ref


class KnowledgeRecalled(Event):
    passages: list[str] = []


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


class WindowRefined(Event):
    window: int
    edits: Ref
    """A JSON list of ``AnyEdit``."""


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


class FieldsMapped(Event):
    template: Ref
    data: Ref


# --- validate ------------------------------------------------------------------------------------------------------


class ValidateTemplate(Command):
    service = "validator"
    answers = ("TemplateValidated",)
    template: Ref
    data: Ref
    layout: Ref
    form: Ref


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


class FailureExplained(Event):
    explanation: str
    explanation_zh: str


class CorrectTemplate(Command):
    service = "generator"
    answers = ("TemplateCorrected",)
    template: Ref
    findings: list[Finding]


class TemplateCorrected(Event):
    template: Ref
    changed: bool


# --- what goes wrong, and the end ----------------------------------------------------------------------------------


class StageFailed(Event):
    """A command cannot be carried out, ever."""

    command: str
    """The command's kind."""
    code: str
    message: str
    message_zh: str = ""


class TurnFinished(Event):
    status: Literal["done", "unfinished"]
    """Unfinished: corrections ran out; the files are the best version so far."""
    files: dict[str, Ref]
    """By the name they have in the output folder."""
    passed: bool
    likeness: Likeness | None = None
    corrections: int = 0
    findings: list[Finding] = []
    notes: list[str] = []


class TurnFailed(Event):
    code: str
    message: str
    message_zh: str = ""


# --- the envelope --------------------------------------------------------------------------------------------------


def _kinds(base: type[Message]) -> dict[str, type[Any]]:
    found: dict[str, type[Any]] = {}
    for sub in base.__subclasses__():
        found[sub.kind()] = sub
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
    traceparent: str = ""
    payload: dict[str, Any]

    def message(self) -> Message:
        """The typed payload. Raises ``KeyError`` for an unknown kind, ``ValidationError`` for a wrong payload."""
        return KINDS[self.kind].model_validate(self.payload)


def command_id(turn: str, node: str, attempt: int, window: int | None = None) -> str:
    """The same turn, node, attempt and window always give the same id: publishing twice is one message."""
    text = f"{turn}/{node}/{attempt}/{'' if window is None else window}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]
