"""Messages about an analysis: its plan, the document that is written about its results, and the files of that."""

from __future__ import annotations

from ..language import Language
from ..model.allowance import Allowance, Usage
from ..model.analysis import AnalysisStep, StepResult
from ..model.base import Ref
from ..model.source import AskedQuestion, TriedQuery
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
    shown_tables: list[str] = []
    language: Language
    allowance: Allowance


class AnalysisPlanned(Event):
    question: str
    """The question as it stands alone, without the conversation."""
    plan: list[AnalysisStep]
    """Empty: there is nothing to analyse, and the answer says why or asks what is missing."""
    answer: str = ""
    usage: Usage = Usage()


# --- write_python ----------------------------------------------------------------------------------------------------


class WritePython(Command):
    """Write the Python code of a step that computes with the results of earlier ones."""

    service = "generator"
    answers = ("PythonWritten",)
    question: str
    task: str
    database: Ref
    """The ``SourceSchema`` as JSON."""
    frames: list[StepResult]
    """The results that the code may use, each a data frame of its step's name."""
    results: list[StepResult]
    """All results so far: whether a model may see rows depends on where they come from."""
    code_tried: list[TriedQuery] = []
    """Code that was refused or failed, the oldest first."""
    allowance: Allowance


class PythonWritten(Event):
    step_code: str
    usage: Usage = Usage()


# --- run_python ------------------------------------------------------------------------------------------------------


class RunPython(Command):
    """Check the code, and run it in a process that can only compute."""

    service = "validator"
    answers = ("PythonRun",)
    step_code: str
    frames: list[StepResult]
    language: Language


class PythonRun(Event):
    result: Ref | None = None
    """The rows as an Arrow stream; None: the code was refused or failed."""
    rows_as_csv: Ref | None = None
    row_count: int = 0
    is_cut: bool = False
    problem: str = ""
    """Why there is no result, in the turn's language."""
    reason: str = ""
    """The same for a model, in English."""
    may_be_tried: bool = True
    """Whether other code could succeed; not where this machine runs none."""


# --- analyse_python --------------------------------------------------------------------------------------------------


class AnalysePython(Command):
    """Read the result of a step in Python: whether it is what the step is to give, and what it says."""

    service = "generator"
    answers = ("PythonAnalysed",)
    question: str
    step: AnalysisStep
    step_code: str
    result: Ref
    database: Ref
    """The ``SourceSchema`` as JSON."""
    results: list[StepResult]
    """The results before it: whether a model may see rows depends on where they come from."""
    language: Language
    allowance: Allowance


class PythonAnalysed(Event):
    step_explanation: str = ""
    """What the result says, with figures by reference; empty: nothing that could be used."""
    doubt: str = ""
    """In what the result is not what the step is to give, in the turn's language; empty: nothing speaks against it."""
    reason: str = ""
    """The same for a model, in English."""
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
    printout_pages: list[Ref] = []
    """The first pages of the PDF as pictures, where it has a chart."""
    notes: list[str] = []
