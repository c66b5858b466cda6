"""Filling a report from a source: its placeholders, the queries that are worked out for them, and the binding file."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from .base import Value
from .source import TriedQuery

ROWS = "(rows)"
"""Name of the placeholder that all fields of a report are together; no parameter can have it."""
MAX_PLACEHOLDERS = 60
MAX_MEMORY_BYTES = 2_000
MAX_ERROR_CHARS = 300

BindingAction = Literal["get_columns", "time_window", "generate", "refine", "validate", "execute", "done"]
"""What a step does for a placeholder. All but ``time_window`` and ``done`` are the work of a service."""
ErrorClass = Literal[
    "", "unknown_name", "syntax", "time_column", "shape", "refused", "permission", "connection", "model"
]
"""Why a query was refused or failed, as far as it decides what is tried next."""
InputKind = Literal["text", "number", "date"]


class QueryInput(Value):
    """A value that a query gets as a bound parameter: the query contains ``:name`` in its place."""

    name: str
    kind: InputKind
    value: str
    """A date in ISO format."""
    meaning: str = ""
    """What it is, in English for a model."""
    window: str = ""
    """The parameter whose period it begins or ends."""
    is_needed: bool = False
    """Whether the rows have to be limited by it: it is no value that the report prints anyway."""


class PlaceholderField(Value):
    """A value that the report prints, with what is around it."""

    name: str
    java_class: str
    label: str = ""
    """The heading of its column, or the text beside it."""
    sample: str = ""


class Placeholder(Value):
    """What one query has to give: all fields of the rows, or the values of parameters in one row."""

    name: str
    """``(rows)``, or the name of the first parameter."""
    fields: list[PlaceholderField]
    each: str = ""
    """Name of the field that the rows are divided by, a report for each value; empty: they are one report."""
    neighbours: list[str] = []
    """What the report calls its other values."""

    @property
    def is_rows(self) -> bool:
        return self.name == ROWS


class LightMemory(Value):
    """What travels from step to step of a placeholder: under 2 kB, however long that goes on."""

    has_sql: bool = False
    schema_available: bool = True
    tables: list[str] = []
    """The tables that the query reads."""
    is_checked: bool = False
    database_validated: bool = False
    """Whether the query ran and gave values of the right shape."""
    rounds: int = 0
    attempts: dict[BindingAction, int] = {}
    failures: dict[BindingAction, int] = {}
    """How often each action failed."""
    repairs: int = 0
    error_class: ErrorClass = ""
    last_error: str = ""
    """In a line."""
    needs_period: bool = False
    time_range: str = ""
    """The period of the rows, in ISO format, once it is known."""
    time_column: str = ""
    """The column that the period limits."""

    def bounded(self) -> LightMemory:
        """Return the memory with as many names of tables as fit; the pool has all of them."""
        memory = self.model_copy(
            update={
                "last_error": " ".join(self.last_error.split())[:MAX_ERROR_CHARS],
                "time_column": self.time_column[:130],
                "time_range": self.time_range[:60],
            }
        )
        while len(memory.model_dump_json().encode()) > MAX_MEMORY_BYTES and memory.tables:
            memory = memory.model_copy(update={"tables": memory.tables[: len(memory.tables) // 2]})
        if len(memory.model_dump_json().encode()) > MAX_MEMORY_BYTES:
            memory = memory.model_copy(update={"last_error": memory.last_error[:60], "time_column": ""})
        return memory


class WrittenBinding(Value):
    """What a model wrote for a placeholder."""

    query: str = ""
    """Empty: the source has nothing for the placeholder, or no model answered."""
    reason: str = ""
    """Why the source has nothing for it."""
    problem: str = ""
    """Why no model answered, in the turn's language."""


class CheckedBinding(Value):
    """What the checks say of a placeholder's query."""

    query: str
    """Printed from its syntax tree; a refused one as it came."""
    permitted: str = ""
    """The query as it may run; empty: it was refused."""
    tables: list[str] = []
    time_column: str = ""
    problem: str = ""
    """Why it was refused, in the turn's language."""
    reason: str = ""
    """The same for a model, in English."""
    error_class: ErrorClass = ""


class BindingTrial(Value):
    """What a checked query gave when it ran for its first rows."""

    preview: str = ""
    """The first rows as a Markdown table."""
    row_count: int = 0
    time: datetime | None = None
    """When it gave what the placeholder needs; None: it did not."""
    problem: str = ""
    """Why it did not, in the turn's language."""
    reason: str = ""
    """The same for a model, in English."""
    error_class: ErrorClass = ""


class BindingWork(Value):
    """A placeholder that is being worked on: its context, its light memory, and what is in the pool for it."""

    placeholder: Placeholder
    memory: LightMemory = LightMemory()
    state: Literal["open", "bound", "written", "left"] = "open"
    """Written: the query passed every check and found no database."""
    action: BindingAction | None = None
    """What the step under way does for it; None: nothing."""
    query: str = ""
    permitted: str = ""
    """The query as it may run."""
    tried: list[TriedQuery] = []
    """All queries that were refused or failed, none of them dropped."""
    is_new: bool = False
    """Whether a model wrote the query in this turn."""
    preview: str = ""
    """The first rows that it gave, as a Markdown table."""
    time: datetime | None = None
    """When it gave what the placeholder needs."""
    problem: str = ""
    """Why it was refused last, or left, in the turn's language."""

    @property
    def name(self) -> str:
        return self.placeholder.name


class Binding(Value):
    """The query of one or more placeholders, as a binding file has it."""

    placeholders: list[str] = Field(min_length=1, max_length=MAX_PLACEHOLDERS)
    query: str = Field(min_length=1, max_length=20_000)
    checked: datetime | None = None
    """When it ran and gave what the placeholders need; None: it was only written."""


class BindingFile(Value):
    """The queries that fill one report from one source, reviewed by a person and used without a model."""

    source: str
    parameters: dict[str, InputKind] = {}
    """What the queries get as bound parameters."""
    periods: list[str] = []
    """Parameters that name a period: each becomes ``NAME_start`` and ``NAME_end``."""
    each: str = ""
    """What the rows are divided by, a report for each value; empty: they are one report."""
    reviewed: bool = False
    bindings: list[Binding] = Field(default=[], max_length=MAX_PLACEHOLDERS)
    columns: dict[str, dict[str, str]] = {}
    """The columns that the queries read, as they were when they were checked: type by column by table."""
