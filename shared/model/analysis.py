"""An analysis: its plan, what each step gave, and the document that is written about it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from .base import Ref, Value

MAX_STEPS = 8
"""Steps of a plan."""
MAX_TABLE_ROWS = 200
"""Rows of a result that the document shows; the whole result is a file beside it."""
StepName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
StepKind = Literal["sql", "python", "report"]
ChartKind = Literal["bar", "line", "pie"]


class AnalysisStep(Value):
    """One step of a plan."""

    name: StepName
    """The name by which the document refers to its result."""
    kind: StepKind = "sql"
    task: str = Field(min_length=1, max_length=1000)
    """What it is to give, in a sentence."""
    uses: list[StepName] = []
    """Names of earlier steps whose results it needs."""


class StepResult(Value):
    """What a step gave."""

    name: StepName
    task: str
    query: str = ""
    """Its query, or its Python code."""
    kind: StepKind = "sql"
    uses: list[StepName] = []
    """The results that a step in Python computed with."""
    result: Ref | None = None
    """The rows as an Arrow stream; None: the step was not answered."""
    rows_as_csv: Ref | None = None
    row_count: int = 0
    is_cut: bool = False
    problem: str = ""
    """Why it was not answered, in the turn's language."""
    doubt: str = ""
    """What of its task the query or the code does not give, as a model judged it, in the turn's language."""
    explanation: str = ""
    """What the result of a step in Python says, with figures by reference."""


class DocumentTable(Value):
    """The rows of a result, as they are printed."""

    columns: list[str]
    rows: list[list[str]]
    numeric: list[bool]
    """Whether each column holds numbers, which are set on the right."""
    left_out: int = 0
    """How many rows of the result are not shown."""
    is_cut: bool = False
    """Whether the query had more rows than were read."""


class ChartSeries(Value):
    name: str
    values: list[float | None]


class Chart(Value):
    """A chart of a result."""

    kind: ChartKind
    categories: list[str]
    series: list[ChartSeries]


class DocumentSection(Value):
    heading: str
    paragraphs: list[str] = []
    chart: Chart | None = None
    table: DocumentTable | None = None


class DocumentQuery(Value):
    """The query or the Python code that a step's figures come from."""

    name: str
    task: str
    query: str
    problem: str = ""
    language: Literal["sql", "python"] = "sql"


class AnalysisDocument(Value):
    """A report of an analysis, with every figure in it."""

    title: str
    question: str
    source: str
    sections: list[DocumentSection]
    queries: list[DocumentQuery]
