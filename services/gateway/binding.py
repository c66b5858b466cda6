"""The gateway's own part of filling from a source: the next step of each placeholder, and the review of new queries.

Theory of operation
===================

Each placeholder goes through single steps: *plan* chooses one action, a service does it (*tool*), the turn learns what
came of it (*active*), and the next plan compares that with the goal (*validate*). The plan is a pure function of the
light memory, so it costs no model. Placeholders are planned together: all that need the same kind of step get it
at the same time, the earlier kinds first.

A query is written only once the columns are known and, where the rows belong to a period, its window and a column with
dates. After an error its class decides: after an unknown name a new query is written, from columns that are read again
where the database does not have them; after other errors the query is refined; without permission nothing is tried
again. A placeholder is left when a step fails three times in a row, after three repairs, or when its rounds are spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bandsmith.shared.language import Language
from bandsmith.shared.model.binding import BindingAction, BindingWork, LightMemory, QueryInput
from bandsmith.shared.model.session_parts import Pending
from bandsmith.shared.replies import text

from .facts.binding import MAX_REVIEWS
from .state import SessionState, Turn

MAX_ROUNDS, MAX_ROUNDS_WITHOUT_SQL, MAX_ROUNDS_WITHOUT_SCHEMA = 12, 5, 3
MAX_FAILURES = 3
"""Failures of one action in a row."""
MAX_SCHEMA_TRIES = 2
MAX_REPAIRS = 3
PHASES: tuple[tuple[BindingAction, ...], ...] = (("get_columns",), ("generate", "refine"), ("validate",), ("execute",))
"""Actions that are done at the same time, in the order in which they are chosen."""
BINDING_FACTS = {
    *("text", "language", "intent", "filling", "template", "data", "upload", "document", "notes", "source", "database"),
    "delivery",
    *("works", "inputs", "evidence", "shown_tables", "objections"),
}
"""What the turn that shows new queries knows, and the turn that uses them needs."""

Step = tuple[SessionState, Turn]


def plan_step(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Choose the next action of every open placeholder, and which of them are done now."""
    has_model = turn.allowance.calls > 0
    works = [_planned(work, turn.inputs, turn.language, has_model=has_model) for work in turn.works]
    wanted = {work.action for work in works}
    now = next((phase for phase in PHASES if wanted & set(phase)), ())
    works = [_begun(work) if work.action in now else work.model_copy(update={"action": None}) for work in works]
    notes = [] if now else [_left_note(work, turn.language) for work in works if work.state == "left"]
    return session, turn.model_copy(update={"works": works, "notes": [*turn.notes, *notes]})


def _planned(work: BindingWork, inputs: Sequence[QueryInput], language: Language, *, has_model: bool) -> BindingWork:
    """Return the placeholder with its next action, bound, or left."""
    if work.state != "open":
        return work.model_copy(update={"action": None})
    memory = work.memory
    if memory.needs_period and not memory.time_range:
        memory = _with_window(memory, inputs)
    action = next_action(memory)
    if action == "done":
        return work.model_copy(update={"memory": memory, "state": "bound", "action": None})
    reason = leaving_reason(memory, action)
    if not reason and action in ("generate", "refine") and not has_model:
        reason = "no_model"
    if not reason:
        return work.model_copy(update={"memory": memory, "action": action})
    is_written = memory.is_checked and memory.error_class == "connection"
    problem = work.problem or text(f"data.binding.left.{reason}", language)
    return work.model_copy(
        update={"memory": memory, "action": None, "state": "written" if is_written else "left", "problem": problem}
    )


def next_action(memory: LightMemory) -> BindingAction:
    """Return what to do next for a placeholder, from its light memory alone."""
    if not memory.schema_available:
        return "get_columns"
    match memory.error_class:
        case "":
            pass
        case "connection" | "permission":
            return "execute"
        case "unknown_name" | "time_column" | "model":
            return "generate"
        case _:
            return "refine"
    if not memory.has_sql:
        return "generate"
    if not memory.is_checked:
        return "validate"
    return "done" if memory.database_validated else "execute"


def leaving_reason(memory: LightMemory, action: BindingAction) -> str:
    """Return why a placeholder is left before its next `action`; empty if it continues."""
    if memory.error_class == "permission":
        return "permission"
    if memory.needs_period and not memory.time_column:
        return "no_dates"
    if any(failures >= MAX_FAILURES for failures in memory.failures.values()):
        return "connection" if memory.error_class == "connection" else "failed"
    tries = memory.attempts.get("get_columns", 0)
    if not memory.schema_available and memory.rounds >= MAX_ROUNDS_WITHOUT_SCHEMA and tries >= MAX_SCHEMA_TRIES:
        return "no_schema"
    if not memory.has_sql and memory.rounds >= MAX_ROUNDS_WITHOUT_SQL:
        return "no_sql"
    if memory.rounds >= MAX_ROUNDS:
        return "rounds"
    is_repair = action in ("generate", "refine") and memory.error_class != ""
    return "repairs" if is_repair and memory.repairs >= MAX_REPAIRS else ""


def _with_window(memory: LightMemory, inputs: Sequence[QueryInput]) -> LightMemory:
    """Note the period of the rows, which the program has worked out before any query is written."""
    dates = [one.value for one in inputs if one.window]
    attempts = {**memory.attempts, "time_window": 1}
    return memory.model_copy(update={"time_range": " to ".join(dates[:2]), "attempts": attempts}).bounded()


def _begun(work: BindingWork) -> BindingWork:
    """Return the placeholder as its action begins: the round and the attempt are counted."""
    memory, action = work.memory, work.action
    assert action is not None
    is_repair = action in ("generate", "refine") and memory.error_class not in ("", "model")
    memory = memory.model_copy(
        update={
            "rounds": memory.rounds + 1,
            "attempts": {**memory.attempts, action: memory.attempts.get(action, 0) + 1},
            "repairs": memory.repairs + is_repair,
        }
    )
    return work.model_copy(update={"memory": memory.bounded()})


def _left_note(work: BindingWork, language: Language) -> str:
    shown = ", ".join(field.label or field.name for field in work.placeholder.fields[:6])
    return text("data.binding.left_note", language, name=shown, problem=work.problem)


# --- review -----------------------------------------------------------------------------------------------------------


def confirm_bindings(session: SessionState, turn: Turn, _: datetime) -> Step:
    """End the turn with the new queries as a question, and keep what it knows for the turn that answers it."""
    left = len(turn.objections) < MAX_REVIEWS
    code = "data.binding.confirm" if left else "data.binding.confirm_or_drop"
    shown = text(code, turn.language, shown=turn.bindings_shown)
    return session, turn.model_copy(
        update={
            "asks": Pending(kind="confirmation", text=shown, id=f"{turn.id}-queries"),
            "suspends": turn.model_dump(mode="json", include=BINDING_FACTS),
        }
    )


def take_review(turn: Turn, said: str) -> Turn:
    """Return the turn that showed its queries as it continues: approved, or with the user's objections."""
    if turn.agrees:
        return turn.model_copy(update={"is_reviewed": True})
    has_new = any(work.is_new for work in turn.works)  # else those of the binding file were shown
    works = [_reopened(work) if work.is_new or not has_new else work for work in turn.works]
    return turn.model_copy(update={"objections": [*turn.objections, said], "works": works})


def _reopened(work: BindingWork) -> BindingWork:
    """Return a placeholder whose query is written again; its context and its pool stay."""
    kept = {"schema_available", "needs_period", "time_range", "time_column"}
    memory = LightMemory.model_validate(work.memory.model_dump(include=kept))
    return work.model_copy(update={"memory": memory, "state": "open", "action": None})
