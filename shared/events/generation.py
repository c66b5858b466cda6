"""Messages of the report flow that make a report: from words alone, or from the layout of a form."""

from __future__ import annotations

from ..language import Language
from ..model.allowance import Allowance, Usage
from ..model.base import Ref
from ..model.document import Document
from ..model.knowledge import FieldDefinition
from ..model.layout import Remark
from .base import Command, Event

# --- generate: from words alone ------------------------------------------------------------------------------------


class ReadSpec(Command):
    """Read the sentence as a new report, where that was not done when it was classified."""

    service = "planner"
    answers = ("SpecRead",)
    text: str
    texts: list[Document]
    """Attached text files."""
    language: Language
    passages: list[str]
    allowance: Allowance


class SpecRead(Event):
    spec: Ref
    """A ``ReportRequest`` as JSON."""
    usage: Usage = Usage()


class GenerateReport(Command):
    service = "generator"
    answers = ("ReportGenerated",)
    spec: Ref
    example: Ref | None = None
    """A template that came with the request: the report gets its look."""
    known_fields: list[FieldDefinition] = []


class ReportGenerated(Event):
    template: Ref
    data: Ref
    remainder: str = ""
    """What was not read of the description: it is read as changes of the report."""
    undone: list[str] = []
    """What of the description is not done, in the turn's language."""
    notes: list[str] = []
    """What was assumed, in the turn's language."""


# --- read_form: a model decides what rules left open -----------------------------------------------------------------


class ReadForm(Command):
    """See whether the rows, values and wording of a page were found as they are, by a model."""

    service = "planner"
    answers = ("FormRead",)
    layout: Ref
    form: Ref
    text: str
    """What the user says about the page."""
    language: Language
    allowance: Allowance


class FormRead(Event):
    reading: Ref | None
    """A ``FormReading`` as JSON; None where nothing is to be read otherwise."""
    notes: list[str] = []
    usage: Usage = Usage()


class ApplyReading(Command):
    """Read the page again, with what a model says of it."""

    service = "ocr"
    answers = ("ReadingApplied",)
    layout: Ref
    form: Ref
    reading: Ref
    language: Language


class ReadingApplied(Event):
    layout: Ref
    overlay: Ref
    total_rows: int
    remarks: list[Remark] = []
    notes: list[str] = []
    """What was left out because of the reading."""
    outdated: list[str] = []
    """Notes about the tables that were found before."""


# --- generate_skeleton ---------------------------------------------------------------------------------------------


class GenerateSkeleton(Command):
    service = "generator"
    answers = ("SkeletonGenerated",)
    layout: Ref
    form: Ref
    name: str
    """Name of the report."""


class SkeletonGenerated(Event):
    template: Ref
    """JRXML whose fields still have placeholder names."""
    data: Ref
    """A ``Data`` as JSON, by those names."""


# --- refine_layout: render the draft, apply the rules, ask a model about each window that they leave, join ----------


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


class RefineLayout(Command):
    """Bring what was printed nearer to the form, by rules."""

    service = "generator"
    answers = ("LayoutRefined",)
    template: Ref
    layout: Ref
    printed: Ref


class LayoutRefined(Event):
    template: Ref
    changed: int
    """How many edits took effect."""
    unresolved: list[int] = []
    """Numbers of the draft's windows with texts that rules cannot bring to where they belong."""
    questions: Ref | None = None
    """A JSON object with a ``WindowQuestion`` for each of them, by its number; None if there are none."""


class RefineWindow(Command):
    """Ask a model about one window of the draft."""

    service = "generator"
    answers = ("WindowRefined",)
    window: int
    questions: Ref
    """Those of ``LayoutRefined``."""
    allowance: Allowance


class WindowRefined(Event):
    window: int
    edits: Ref
    """A JSON list of ``AnyEdit``, to be applied after the rules' edits."""
    usage: Usage = Usage()


class JoinWindows(Command):
    service = "generator"
    answers = ("WindowsJoined",)
    template: Ref
    """With the rules' edits."""
    edits: list[Ref]
    """One for each window that a model was asked about, in order."""


class WindowsJoined(Event):
    template: Ref
    changed: int
    """How many edits took effect."""


# --- map_fields ----------------------------------------------------------------------------------------------------


class MapFields(Command):
    service = "generator"
    answers = ("FieldsMapped",)
    template: Ref
    data: Ref
    layout: Ref
    known_fields: list[FieldDefinition] = []
    language: Language = "en"
    allowance: Allowance = Allowance()


class FieldsMapped(Event):
    template: Ref
    data: Ref
    notes: list[str] = []
    """What a model has named, in words."""
    usage: Usage = Usage()
