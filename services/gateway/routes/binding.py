"""The part of the table that fills a report from a source: single steps for its placeholders, review, and the rows.

``plan_step`` chooses what is done next; the steps of one kind are done for all placeholders at the same time. With the
rows, the flow goes on as for a person's own file.
"""

from __future__ import annotations

from bandsmith.shared.events import (
    BindData,
    BindingChecked,
    BindingsStored,
    BindingTried,
    BindingWritten,
    CheckBinding,
    ColumnsRead,
    FetchRows,
    GetColumns,
    IntentClassified,
    PlaceholdersRead,
    ReadPlaceholders,
    RowsFetched,
    StageFailed,
    StoreBindings,
    TryBinding,
    TurnFailed,
    WriteBinding,
)
from bandsmith.shared.model.binding import BindingAction, BindingWork

from ..state import Turn
from ..workflow import AtOnce, Cap, Row
from .head import a_source_is_to_fill

# --- parts and conditions --------------------------------------------------------------------------------------------


def _at(turn: Turn, *actions: BindingAction) -> list[BindingWork]:
    return [work for work in turn.works if work.action in actions]


def the_queries_to_write(turn: Turn) -> list[BindingWork]:
    return _at(turn, "generate", "refine")


def the_queries_to_check(turn: Turn) -> list[BindingWork]:
    return _at(turn, "validate")


def the_queries_to_try(turn: Turn) -> list[BindingWork]:
    return _at(turn, "execute")


def columns_are_needed(turn: Turn) -> bool:
    return bool(_at(turn, "get_columns"))


def queries_are_to_be_written(turn: Turn) -> bool:
    return bool(the_queries_to_write(turn))


def queries_are_to_be_checked(turn: Turn) -> bool:
    return bool(the_queries_to_check(turn))


def queries_are_to_be_tried(turn: Turn) -> bool:
    return bool(the_queries_to_try(turn))


def no_query_is_there(turn: Turn) -> bool:
    return not any(work.state in ("bound", "written") for work in turn.works)


def the_rows_are_missing(turn: Turn) -> bool:
    """Whether the report cannot be filled: its rows have no query, or one that found no database."""
    is_unproven = any(work.state == "written" for work in turn.works)
    return is_unproven or any(work.placeholder.is_rows and work.state != "bound" for work in turn.works)


def the_queries_are_to_be_reviewed(turn: Turn) -> bool:
    return turn.fill_request.review and not turn.is_reviewed


def the_queries_are_approved(turn: Turn) -> bool:
    return bool(turn.works) and turn.is_reviewed


def the_queries_are_to_change(turn: Turn) -> bool:
    return bool(turn.works)


def every_step_is_done(turn: Turn) -> bool:
    return not turn.awaiting


# --- rows ------------------------------------------------------------------------------------------------------------

STEP = Cap("fill_steps", 48)

ROWS: tuple[Row, ...] = (
    Row("classify_intent", IntentClassified, "read_placeholders", ReadPlaceholders, a_source_is_to_fill),
    Row("read_placeholders", PlaceholdersRead, "plan_step"),
    Row("read_placeholders", StageFailed, TurnFailed),
    Row("plan_step", AtOnce, "get_columns", GetColumns, columns_are_needed, STEP),
    Row("plan_step", AtOnce, "write_binding", WriteBinding, queries_are_to_be_written, STEP, the_queries_to_write),
    Row("plan_step", AtOnce, "check_binding", CheckBinding, queries_are_to_be_checked, STEP, the_queries_to_check),
    Row("plan_step", AtOnce, "try_binding", TryBinding, queries_are_to_be_tried, STEP, the_queries_to_try),
    Row("plan_step", AtOnce, "finalize", when=no_query_is_there),
    Row("plan_step", AtOnce, "store_bindings", StoreBindings),
    Row("get_columns", ColumnsRead, "plan_step"),
    Row("get_columns", StageFailed, TurnFailed),
    Row("write_binding", BindingWritten, "plan_step", when=every_step_is_done),
    Row("write_binding", BindingWritten, "write_binding"),
    Row("write_binding", StageFailed, TurnFailed),
    Row("check_binding", BindingChecked, "plan_step", when=every_step_is_done),
    Row("check_binding", BindingChecked, "check_binding"),
    Row("check_binding", StageFailed, TurnFailed),
    Row("try_binding", BindingTried, "plan_step", when=every_step_is_done),
    Row("try_binding", BindingTried, "try_binding"),
    Row("try_binding", StageFailed, TurnFailed),
    Row("store_bindings", BindingsStored, "finalize", when=the_rows_are_missing),
    Row("store_bindings", BindingsStored, "confirm_bindings", when=the_queries_are_to_be_reviewed),
    Row("store_bindings", BindingsStored, "fetch_rows", FetchRows),
    Row("store_bindings", StageFailed, TurnFailed),
    Row("confirm_bindings", AtOnce, "finalize"),
    Row("resume_turn", AtOnce, "store_bindings", StoreBindings, the_queries_are_approved),
    Row("resume_turn", AtOnce, "plan_step", when=the_queries_are_to_change),
    Row("fetch_rows", RowsFetched, "read_data", BindData),
    Row("fetch_rows", StageFailed, TurnFailed),
)
