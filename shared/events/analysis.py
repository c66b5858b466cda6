"""Messages about an analysis: its plan, the document that is written about its results, and the files of that."""

from __future__ import annotations

from ..language import Language
from ..llm.base import Allowance, Usage
from ..model.analysis import AnalysisStep, StepResult
from ..model.base import Ref
from ..model.source import AskedQuestion
from .base import Command, Event

# --- plan_analysis ---------------------------------------------------------------------------------------------------


class PlanAnalysis(Command):
    """Assess whether a question can be answered with what the source holds, and plan the steps of the answer."""

    service = "planner"
    answers = ("AnalysisPlanned",)
    question: str
    database: Ref
    evidence: list[str] = []
    conversation: list[AskedQuestion] = []
    """The questions before this one, the oldest first."""
    plan_objections: list[str] = []
    """Why earlier plans were refused, by the program or the user."""
    language: Language
    allowance: Allowance


class AnalysisPlanned(Event):
    question: str
    """The question as it stands alone, without the conversation."""
    plan: list[AnalysisStep]
    """Empty: there is nothing to analyse, and the answer says why or asks what is missing."""
    answer: str = ""
    notes: list[str] = []
    """Steps that were left out, in the turn's language."""
    usage: Usage = Usage()


# --- write_report ----------------------------------------------------------------------------------------------------


class WriteAnalysis(Command):
    """Write the document about the results. A model refers to figures by name; the program puts them in."""

    service = "generator"
    answers = ("AnalysisWritten",)
    question: str
    source: str
    database: Ref
    """The ``SourceSchema`` as JSON."""
    results: list[StepResult]
    language: Language
    allowance: Allowance


class AnalysisWritten(Event):
    analysis: Ref
    """The ``AnalysisDocument`` as JSON."""
    notes: list[str] = []
    """What of a model's text was refused, in the turn's language."""
    usage: Usage = Usage()


# --- render_report ---------------------------------------------------------------------------------------------------


class RenderAnalysis(Command):
    """Make the document's files."""

    service = "validator"
    answers = ("AnalysisRendered",)
    analysis: Ref
    language: Language


class AnalysisRendered(Event):
    markdown: Ref
    web_page: Ref
    """One HTML file that needs no network."""
    preview: str
    """The beginning of the report as Markdown, without its tables."""
    printout: Ref | None = None
    """The PDF; None: the report engine could not print it."""
    notes: list[str] = []
