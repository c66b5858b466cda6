"""What a turn knows of a question that SQL answers: the source, the query, and its rows."""

from __future__ import annotations

from typing import Annotated

from bandsmith.shared.events import (
    BindingsStored,
    PythonWritten,
    QueryChecked,
    QueryJudged,
    QueryRun,
    QueryWritten,
    SourcesRecalled,
)
from bandsmith.shared.language import letters_of
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.source import AskedQuestion, Asking, QueryPart, TriedQuery

from .common import CommonFacts
from .learning import INTERNAL, On


def _tried(turn: QueryFacts, event: QueryChecked | QueryJudged | QueryRun) -> list[TriedQuery]:
    """Add the query that was refused, doubted or failed."""
    if not event.reason:
        return turn.queries_tried
    return [*turn.queries_tried, TriedQuery(query=turn.query, reason=event.reason)]


def _is_sensitive(turn: QueryFacts, event: QueryChecked | BindingsStored) -> bool:
    """Whether any query of the turn is one; an analysis has several, and so has a report that is filled."""
    return turn.is_sensitive or event.is_sensitive


def _doubted(turn: QueryFacts, event: QueryJudged) -> list[str]:
    return [*turn.doubted_parts, event.doubted_part] if event.doubt else turn.doubted_parts


def _no_doubt(turn: QueryFacts, event: QueryWritten | PythonWritten) -> str:
    return ""


def _may_be_smaller(turn: QueryFacts, event: QueryWritten) -> bool:
    return False


def _is_own(turn: QueryFacts, event: SourcesRecalled) -> bool:
    return bool(event.query)


class QueryFacts(CommonFacts):
    asking: Annotated[Asking | None, INTERNAL] = None
    source: str = ""
    """Name of the source that is asked."""
    is_assumed: bool = False
    """Whether the source is the one of the question before, since the user named none of several."""
    database: Ref | None = None
    """What it holds."""
    question: str = ""
    """As it stands alone."""
    is_rewritten: bool = False
    """Whether the question has other words than the user's."""
    expanded: list[str] = []
    """Further texts whose words lead to the tables."""
    query: str = ""
    permitted: str = ""
    """The query as it may run."""
    query_parts: list[QueryPart] = []
    """What a query of several sources reads of each table."""
    verified: str = ""
    """The verified question that the query comes from."""
    follows: str = ""
    """The question before, whose query it is with another value."""
    whole_question: str = ""
    """The question so that it stands alone, as a model understood it."""
    evidence: list[str] = []
    """What is known about the words of the question."""
    shown_tables: list[str] = []
    """The tables that a model is shown of a large source; empty: all."""
    relations: list[str] = []
    """How tables are joined, where their keys do not show it at once."""
    conversation: Annotated[list[AskedQuestion], INTERNAL] = []
    """The session's last questions about data, the newest last."""
    statement: Ref | None = None
    """The query as a file, once it passed the checks."""
    problem: str = ""
    """Why the last query was refused or failed."""
    queries_tried: Annotated[
        list[TriedQuery], On(QueryChecked, _tried), On(QueryJudged, _tried), On(QueryRun, _tried)
    ] = []
    doubt: Annotated[str, On(QueryWritten, _no_doubt), On(PythonWritten, _no_doubt)] = ""
    """What of the question the last query does not answer, as a model judged it."""
    doubted_parts: Annotated[list[str], On(QueryJudged, _doubted)] = []
    """The parts of the question that a query was doubted for, the last one last."""
    is_own_query: Annotated[bool, INTERNAL, On(SourcesRecalled, _is_own)] = False
    """Whether the user wrote the query."""
    is_sensitive: Annotated[bool, INTERNAL, On(QueryChecked, _is_sensitive), On(BindingsStored, _is_sensitive)] = False
    """Whether the answer may hold values that no language model may see."""

    answered: Annotated[bool, INTERNAL] = False
    """Whether the turn before answered a question about data, which this one may call right."""

    answered_rows: Annotated[Ref | None, INTERNAL] = None
    """The rows of the answer before, as an Arrow stream."""
    answered_question: Annotated[str, INTERNAL] = ""
    """The question that they answer; empty where the user wrote the query."""
    answered_query: Annotated[AskedQuestion | None, INTERNAL] = None
    """The query that gave them, with its source."""
    answered_database: Annotated[Ref | None, INTERNAL] = None
    """What that source holds."""
    answer_bindings: Ref | None = None
    """The query of the answer that a new report is made of, as a binding file."""

    # its rows
    result: Ref | None = None
    rows_as_csv: Ref | None = None
    preview: str = ""
    row_count: int = 0
    is_cut: bool = False
    is_too_large: Annotated[bool, On(QueryWritten, _may_be_smaller)] = False
    """Whether the last query needs more rows than several sources may bring together."""

    @property
    def is_doubted_again(self) -> bool:
        """Whether the last doubt brought no other query, or is about a part that a query was written again for."""
        if [one.query for one in self.queries_tried].count(self.query) > 1:
            return True
        *earlier, last = [letters_of(part) for part in self.doubted_parts] or [""]
        return any(last in part or part in last for part in earlier)

    @property
    def last_asked(self) -> AskedQuestion | None:
        """The question before this one."""
        return self.conversation[-1] if self.conversation else None
