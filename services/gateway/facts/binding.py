"""What a turn knows of a filling from a source: its placeholders, and what each step found for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from bandsmith.shared.events import (
    BindingChecked,
    BindingTried,
    BindingWritten,
    ColumnsRead,
)
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.binding import BindingAction, BindingWork, ErrorClass, LightMemory, QueryInput
from bandsmith.shared.model.source import TriedQuery

from .data import DataFacts
from .learning import INTERNAL, On
from .query import QueryFacts

MAX_REVIEWS = 3
"""How often a user may have the queries written again."""
_Change = Callable[[BindingWork, Any], BindingWork]


def _merged(change: _Change) -> Callable[[Any, Any], list[BindingWork]]:
    """Return the placeholders after an event that concerns one of them."""
    return lambda turn, event: [change(work, event) if work.name == event.name else work for work in turn.works]


def _remembered(work: BindingWork, action: BindingAction, *, failed: bool, **news: object) -> LightMemory:
    """Return the memory after an action; failures count until the action succeeds."""
    memory = work.memory
    failures = {**memory.failures, action: memory.failures.get(action, 0) + 1 if failed else 0}
    return memory.model_copy(update={"failures": failures, **news}).bounded()


def _written(work: BindingWork, event: BindingWritten) -> BindingWork:
    written, action = event.written, work.action or "generate"
    if written.query:
        memory = _remembered(work, action, failed=False, has_sql=True, is_checked=False, database_validated=False,
                             error_class="", last_error="")  # fmt: skip
        return work.model_copy(update={"memory": memory, "query": written.query, "is_new": True, "problem": ""})
    if written.reason:
        return work.model_copy(update={"state": "left", "problem": written.reason})
    memory = _remembered(work, action, failed=True, error_class="model", last_error=written.problem)
    return work.model_copy(update={"memory": memory, "problem": written.problem})


def _checked(work: BindingWork, event: BindingChecked) -> BindingWork:
    checked = event.checked
    if not checked.permitted:
        return _refused(work, "validate", checked.error_class, checked.reason, checked.problem)
    memory = _remembered(work, "validate", failed=False, is_checked=True, tables=checked.tables,
                         time_column=checked.time_column or work.memory.time_column)  # fmt: skip
    return work.model_copy(update={"memory": memory, "query": checked.query, "permitted": checked.permitted})


def _tried(work: BindingWork, event: BindingTried) -> BindingWork:
    trial = event.trial
    if trial.time is None:
        return _refused(work, "execute", trial.error_class, trial.reason, trial.problem)
    memory = _remembered(work, "execute", failed=False, database_validated=True, error_class="", last_error="")
    return work.model_copy(update={"memory": memory, "preview": trial.preview, "time": trial.time, "problem": ""})


def _refused(
    work: BindingWork, action: BindingAction, error_class: ErrorClass, reason: str, problem: str
) -> BindingWork:
    """Return the placeholder after its query was refused or failed; the pool keeps the query with the reason.

    If the database does not know a name that the columns have, the columns are read again.
    """
    is_outdated = action == "execute" and error_class == "unknown_name"
    memory = _remembered(work, action, failed=True, error_class=error_class or "refused", last_error=reason)
    if is_outdated:
        memory = memory.model_copy(update={"schema_available": False})
    tried = [*work.tried, TriedQuery(query=work.query, reason=reason)]
    return work.model_copy(update={"memory": memory, "tried": tried, "problem": problem})


def _read(turn: Any, event: ColumnsRead) -> list[BindingWork]:
    """Return the placeholders after the columns were read again; each placeholder that waited for them learns it."""
    is_read = event.columns is not None
    return [_with_columns(work, is_read) if work.action == "get_columns" else work for work in turn.works]


def _with_columns(work: BindingWork, is_read: bool) -> BindingWork:
    memory = _remembered(work, "get_columns", failed=not is_read, schema_available=is_read)
    return work.model_copy(update={"memory": memory})


class BindingFacts(DataFacts, QueryFacts):
    works: Annotated[
        list[BindingWork],
        On(BindingWritten, _merged(_written)),
        On(BindingChecked, _merged(_checked)),
        On(BindingTried, _merged(_tried)),
        On(ColumnsRead, _read),
    ] = []
    inputs: list[QueryInput] = []
    """The values that queries get as bound parameters."""
    database: Annotated[Ref | None, On(ColumnsRead, lambda turn, event: event.columns or turn.database)] = None
    is_reviewed: Annotated[
        bool, On(BindingWritten, lambda turn, event: turn.is_reviewed and not event.written.query)
    ] = False
    """Whether a person reviewed the queries, all of them: one that is written now was not."""
    objections: Annotated[list[str], INTERNAL] = []
    """The user's objections to earlier queries."""
    session_bindings: Annotated[Ref | None, INTERNAL] = None
    """The binding file of an earlier turn of the session."""
    bindings: Ref | None = None
    """The binding file as YAML."""
    query_template: Ref | None = None
    bindings_shown: str = ""
    """The new queries, for the user to review."""

    @property
    def known_bindings(self) -> Ref | None:
        """The binding file that the turn begins with."""
        return self.fill_request.bindings or self.session_bindings
