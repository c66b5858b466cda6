"""Messages about questions that SQL answers: from the source's schema to the rows."""

from __future__ import annotations

from datetime import datetime

from ..language import Language
from ..model.allowance import Allowance, Usage
from ..model.base import Ref
from ..model.source import AskedQuestion, Asking, QueryPart, TriedQuery
from .base import Command, Event

# --- recall_evidence --------------------------------------------------------------------------------------------------


class RecallSources(Command):
    """Find the source that is asked, what it holds, and what is known about the words of the question."""

    service = "planner"
    answers = ("SourcesRecalled",)
    owner: str
    """Whose sources may be read, as ``owner_of_session`` returns it."""
    text: str
    source: str
    """Its name, or names joined by ``+``; empty where the user named none."""
    conversation: list[AskedQuestion] = []
    """The questions before this one: it may be one of the same source."""
    language: Language = "en"


class SourcesRecalled(Event):
    source: str
    is_assumed: bool = False
    """Whether the user named none of several sources, and it is the one of the question before."""
    database: Ref
    """The ``SourceSchema`` as JSON."""
    question: str
    """What is asked of the data."""
    query: str = ""
    """The query, if the user wrote one."""
    evidence: list[str] = []
    """What the source's semantic layer and its verified questions say about the words of the question."""


# --- enhance_question -------------------------------------------------------------------------------------------------


class EnhanceQuestion(Command):
    """Write the question so that it stands alone, with absolute dates, and find a query that is known to answer it."""

    service = "planner"
    answers = ("QuestionEnhanced",)
    owner: str
    """Whose sources may be read, as ``owner_of_session`` returns it."""
    source: str
    question: str
    evidence: list[str] = []
    conversation: list[AskedQuestion] = []
    """The questions before this one, the oldest first."""
    began: datetime
    """When the question was asked: dates such as "last month" depend on it."""
    language: Language = "en"
    allowance: Allowance


class QuestionEnhanced(Event):
    question: str
    """The question as it stands alone."""
    is_rewritten: bool = False
    """Whether it has other words than the user's."""
    expanded: list[str] = []
    """Further texts whose words lead to the tables: the questions before it, metrics, other words for the same."""
    query: str = ""
    """The query of a verified question or of the one before, with the values of this one."""
    verified: str = ""
    """The verified question whose query it is."""
    follows: str = ""
    """The question before, whose query it is with another value."""
    answer: str = ""
    """What the user is asked, where the question cannot be understood."""
    usage: Usage = Usage()


# --- recall_schema ---------------------------------------------------------------------------------------------------


class RecallTables(Command):
    """Find the tables that the question may be about, rather too many than too few."""

    service = "planner"
    answers = ("TablesRecalled",)
    question: str
    expanded: list[str]
    conversation: list[AskedQuestion] = []
    source: str
    database: Ref


class TablesRecalled(Event):
    shown_tables: list[str] = []
    """The tables that a model is shown, of a source that is too large to be shown whole; empty: all."""


# --- relate_tables ---------------------------------------------------------------------------------------------------


class RelateTables(Command):
    """Find how the tables that the question names are joined."""

    service = "planner"
    answers = ("TablesRelated",)
    question: str
    expanded: list[str]
    database: Ref
    shown_tables: list[str]


class TablesRelated(Event):
    relations: list[str] = []
    """Joins that the keys of the tables do not show at once: through other tables, or in several ways."""


# --- assess ----------------------------------------------------------------------------------------------------------


class AssessQuestion(Command):
    """Say whether the question can be answered with what the source holds."""

    service = "planner"
    answers = ("QuestionAssessed",)
    question: str
    asking: Asking | None
    """An analysis is assessed by its plan."""
    conversation: list[AskedQuestion] = []
    database: Ref
    shown_tables: list[str]
    evidence: list[str]
    language: Language
    allowance: Allowance


class QuestionAssessed(Event):
    answer: str = ""
    """What the user is told or asked, where no query can answer; empty: a query may."""
    usage: Usage = Usage()


# --- write_sql -------------------------------------------------------------------------------------------------------


class WriteQuery(Command):
    """Write the query that answers a question."""

    service = "generator"
    answers = ("QueryWritten",)
    question: str
    database: Ref
    queries_tried: list[TriedQuery]
    """Queries that were refused or failed, the oldest first."""
    evidence: list[str] = []
    conversation: list[AskedQuestion] = []
    """The questions before this one, the oldest first."""
    shown_tables: list[str] = []
    allowance: Allowance


class QueryWritten(Event):
    query: str
    whole_question: str = ""
    """The question so that it stands alone, where it goes on with the one before."""
    usage: Usage = Usage()


# --- check_sql -------------------------------------------------------------------------------------------------------


class CheckQuery(Command):
    """Check that a query only reads, and only what the source holds."""

    service = "validator"
    answers = ("QueryChecked",)
    query: str
    database: Ref
    language: Language
    question: str = ""
    """What the query answers: the dates, names and numbers that it names have to be in the query. Empty for a query
    that the user wrote."""


class QueryChecked(Event):
    query: str
    """The query, printed from its syntax tree; a refused one as it came."""
    permitted: str = ""
    """The query as it may run: limited tables stand in it as subselects of what can be seen."""
    query_parts: list[QueryPart] = []
    """What is read of each table, where the query is one of several sources; `permitted` runs on that."""
    statement: Ref | None = None
    """The query as a file; None: it was refused."""
    is_sensitive: bool = False
    """Whether its rows may hold values that no language model may see."""
    problem: str = ""
    """Why it was refused, in the turn's language."""
    reason: str = ""
    """The same for a model, in English."""


# --- judge_sql -------------------------------------------------------------------------------------------------------


class JudgeQuery(Command):
    """Judge whether a query that passed the checks answers its question. A model is asked, which sees nothing of
    what the one that wrote it says."""

    service = "planner"
    answers = ("QueryJudged",)
    question: str
    query: str
    database: Ref
    evidence: list[str] = []
    conversation: list[AskedQuestion] = []
    """The questions before this one, the oldest first."""
    language: Language
    allowance: Allowance


class QueryJudged(Event):
    doubt: str = ""
    """What of the question the query does not answer, in the turn's language; empty: nothing speaks against it."""
    doubted_part: str = ""
    """That part of the question, word for word."""
    reason: str = ""
    """The same as the doubt for a model, in English."""
    notes: list[str] = []
    """Why the query was not judged, in the turn's language."""
    usage: Usage = Usage()


# --- run_sql ---------------------------------------------------------------------------------------------------------


class RunQuery(Command):
    """Run a query that passed the checks, read only, within limits of time and rows."""

    service = "planner"
    answers = ("QueryRun",)
    owner: str
    """Whose sources may be read, as ``owner_of_session`` returns it."""
    query: str
    query_parts: list[QueryPart] = []
    """What is read of each table, for a query of several sources."""
    source: str
    language: Language


class QueryRun(Event):
    result: Ref | None = None
    """The rows as an Arrow stream; None: the database refused the query."""
    rows_as_csv: Ref | None = None
    preview: str = ""
    """The first rows as a Markdown table."""
    row_count: int = 0
    is_cut: bool = False
    """Whether there are more rows than were read."""
    is_too_large: bool = False
    """Whether a table has more rows than several sources may bring together: no other query of the question would be
    right."""
    problem: str = ""
    """Why the database refused the query, in the turn's language."""
    reason: str = ""
    """The same for a model, in English."""


# --- remember_question ------------------------------------------------------------------------------------------------


class RememberQuestion(Command):
    """Keep the last question with its query as a verified one: the user said that its answer was right."""

    service = "planner"
    answers = ("QuestionRemembered",)
    owner: str
    """Whose sources may be read, as ``owner_of_session`` returns it."""
    last_asked: AskedQuestion
    language: Language


class QuestionRemembered(Event):
    answer: str
    """What is said about it, in the turn's language."""


# --- sources, outside turns ---------------------------------------------------------------------------------------


class DescribeSource(Command):
    """Say what a source holds."""

    service = "planner"
    answers = ("SourceDescribed",)
    of_turns = False
    source: str


class SourceDescribed(Event):
    database: Ref
    """The ``SourceSchema`` as JSON."""
