"""The part of the table that every turn goes through: how it begins, before its intent is known, and how it ends.

A pending question is looked at first: a yes continues the turn that asked, a no ends it. Anything else is a request,
and the question is forgotten.
"""

from __future__ import annotations

from bandsmith.shared.events import (
    AnswerRead,
    CalendarLookedUp,
    ClassifyIntent,
    CompressHistory,
    ExportReport,
    ExtractLayout,
    FillingRead,
    FixesRemembered,
    HistoryCompressed,
    LayoutExtracted,
    LookUpCalendar,
    PlanWork,
    ReadAnswer,
    ReadChange,
    ReadFilling,
    ReadPlaceholders,
    ReadTable,
    ReadTemplate,
    RecallSources,
    RememberFixes,
    RememberQuestion,
    StageFailed,
    StartTurn,
    TemplateRead,
    TurnFailed,
    TurnFinished,
)
from bandsmith.shared.model.session_parts import ExportFormat

from ..facts.analysis import MAX_REJECTIONS
from ..facts.binding import MAX_REVIEWS
from ..state import Turn
from ..workflow import ANYTHING, ANYWHERE, AtOnce, Row

MIN_COMPRESSED_CHARS = 4000
"""A shorter history is not worth counting its tokens."""

# --- conditions ------------------------------------------------------------------------------------------------------


def a_page_is_unread(turn: Turn) -> bool:
    return turn.has_page and turn.layout is None


def a_template_is_unread(turn: Turn) -> bool:
    return turn.document is not None


def data_may_have_come(turn: Turn) -> bool:
    """Whether the attached file may be meant to fill the report: only the message says what it is for."""
    if turn.filling is not None or turn.data_file is None or not turn.text.strip():
        return False
    return all(document == turn.data_file for document in turn.attachments if document.kind == "page")


def a_filling_is_wanted(turn: Turn) -> bool:
    return turn.intent == "fill_report" and turn.has_template and turn.data_file is not None


def a_source_is_to_fill(turn: Turn) -> bool:
    is_asked = turn.filling is not None and turn.filling.source is not None
    return turn.intent == "fill_report" and is_asked and turn.has_template


def there_is_nothing_to_fill(turn: Turn) -> bool:
    return turn.intent == "fill_report"


def the_history_is_long(turn: Turn) -> bool:
    return sum(len(said.text) for said in turn.history) > MIN_COMPRESSED_CHARS


def a_confirmation_is_pending(turn: Turn) -> bool:
    return turn.suspended is not None and bool(turn.text.strip()) and not turn.attachments


def an_answer_may_be_right(turn: Turn) -> bool:
    return turn.answered and turn.suspended is None and bool(turn.text.strip()) and not turn.attachments


def the_answer_was_right(turn: Turn) -> bool:
    return turn.answered and turn.suspended is None and turn.says_right


def an_answer_to_data_may_be_right(turn: Turn) -> bool:
    """Whether what is said to be a question about data may be what is said of the answer before."""
    return the_data_are_asked(turn) and an_answer_may_be_right(turn)


def another_question_is_asked(turn: Turn) -> bool:
    return the_data_are_asked(turn) and no_question_waits(turn)


def no_question_waits(turn: Turn) -> bool:
    return turn.suspended is None


def the_data_are_asked(turn: Turn) -> bool:
    return turn.intent == "ask_data"


def edits_are_given(turn: Turn) -> bool:
    return bool(turn.given_edits) and turn.has_template


def there_is_nothing_to_edit(turn: Turn) -> bool:
    return bool(turn.given_edits)


def an_earlier_version_is_wanted(turn: Turn) -> bool:
    return turn.intent == "restore_version"


def an_export_is_wanted(turn: Turn) -> bool:
    return turn.intent in ("preview_report", "export_pdf", "export_file") and turn.has_template


def the_formats(turn: Turn) -> list[ExportFormat]:
    return turn.export_formats if an_export_is_wanted(turn) else []


def there_is_nothing_to_show(turn: Turn) -> bool:
    return turn.intent in ("preview_report", "export_pdf", "export_file", "export_jrxml")


def undo_or_redo_is_wanted(turn: Turn) -> bool:
    return turn.intent in ("undo_modification", "redo_modification")


def work_is_planned(turn: Turn) -> bool:
    return turn.intent == "plan_work"


def it_is_confirmed(turn: Turn) -> bool:
    return turn.agrees is True


def it_is_declined(turn: Turn) -> bool:
    return turn.agrees is False


def a_plan_is_answered(turn: Turn) -> bool:
    """Whether the turn before showed the plan of an analysis, and this one says what to change in it."""
    suspended = turn.suspended or {}
    return turn.agrees is None and bool(suspended.get("plan")) and suspended["rejections"] < MAX_REJECTIONS


def a_task_waits(turn: Turn) -> bool:
    """Whether the turn before belongs to a task: whatever is said is the answer to its question."""
    return (turn.suspended or {}).get("intent") == "plan_work"


def the_calendar_is_asked(turn: Turn) -> bool:
    """Whether a task waits, and what is said is no answer to its question but one about the calendar."""
    return a_task_waits(turn) and turn.asks_calendar


def a_question_about_runs_waits(turn: Turn) -> bool:
    """Whether this turn says what is missing of a scheduled run, or how one that was shown is to be instead."""
    suspended = turn.suspended or {}
    if suspended.get("intent") != "manage_runs":
        return False
    if suspended["run_step"] in ("ask", "fill"):
        return turn.agrees is not False
    is_shown = suspended["run_step"] == "confirm" and suspended["run_request"]["do"] in ("add", "change")
    return is_shown and turn.agrees is None


def rows_for_a_run_come(turn: Turn) -> bool:
    """Whether a file of rows comes to a run that waits because its report was never filled from a source."""
    suspended = turn.suspended or {}
    request = suspended.get("run_request") or {}
    is_waiting = suspended.get("run_step") == "ask" and request.get("gap") == "fill"
    return is_waiting and turn.data_file is not None and len(turn.attachments) == 1


def the_answer_is_not_taken(turn: Turn) -> bool:
    """Whether the turn answers a question that is no longer open, or in a way that does not fit it."""
    answer, pending = turn.given_answer, turn.pending
    if answer is None:
        return False
    if pending is None or pending.id != answer.question:
        return True
    return answer.arguments is not None and pending.call is None


def a_decision_goes_on(turn: Turn) -> bool:
    """Whether a decision continues the turn before: a yes does; a task goes on after a no, and with other arguments."""
    if turn.given_answer is None or turn.given_answer.is_in_words:
        return False
    return turn.agrees is True or a_task_waits(turn)


def a_decision_declines(turn: Turn) -> bool:
    return turn.given_answer is not None and turn.agrees is False


def a_review_is_answered(turn: Turn) -> bool:
    """Whether the turn before showed new queries, and this one says what to change in them."""
    suspended = turn.suspended or {}
    return turn.agrees is None and bool(suspended.get("works")) and len(suspended["objections"]) < MAX_REVIEWS


def something_was_learned(turn: Turn) -> bool:
    return bool(turn.learned)


# --- rows ------------------------------------------------------------------------------------------------------------

BEGINNING: tuple[Row, ...] = (
    Row("load_session", StartTurn, "process_input"),
    Row("process_input", AtOnce, "process_input", ReadFilling, data_may_have_come),
    Row("process_input", AtOnce, "process_input", ExtractLayout, a_page_is_unread),
    Row("process_input", AtOnce, "process_input", ReadTemplate, a_template_is_unread),
    Row("process_input", AtOnce, "manage_context"),
    Row("process_input", FillingRead, "process_input", ExtractLayout, a_page_is_unread),
    Row("process_input", FillingRead, "process_input", ReadTemplate, a_template_is_unread),
    Row("process_input", FillingRead, "manage_context"),
    Row("process_input", LayoutExtracted, "process_input", ReadTemplate, a_template_is_unread),
    Row("process_input", LayoutExtracted, "manage_context"),
    Row("process_input", TemplateRead, "manage_context"),
    Row("process_input", StageFailed, TurnFailed),
    Row("manage_context", AtOnce, "manage_context", CompressHistory, the_history_is_long),
    Row("manage_context", AtOnce, "save_state_snapshot"),
    Row("manage_context", HistoryCompressed, "save_state_snapshot"),
    Row("manage_context", StageFailed, "save_state_snapshot"),
    Row("save_state_snapshot", AtOnce, "refuse_answer", when=the_answer_is_not_taken),
    Row("save_state_snapshot", AtOnce, "resume_turn", when=a_decision_goes_on),
    Row("save_state_snapshot", AtOnce, "finalize", when=a_decision_declines),
    Row("save_state_snapshot", AtOnce, "resume_turn", when=rows_for_a_run_come),
    Row("save_state_snapshot", AtOnce, "read_placeholders", ReadPlaceholders, a_source_is_to_fill),
    Row("save_state_snapshot", AtOnce, "read_data", ReadTable, a_filling_is_wanted),
    Row("save_state_snapshot", AtOnce, "finalize", when=there_is_nothing_to_fill),
    Row("save_state_snapshot", AtOnce, "modify_jrxml", ReadChange, edits_are_given),
    Row("save_state_snapshot", AtOnce, "finalize", when=there_is_nothing_to_edit),
    Row("save_state_snapshot", AtOnce, "handle_undo", when=undo_or_redo_is_wanted),
    Row("save_state_snapshot", AtOnce, "handle_restore", when=an_earlier_version_is_wanted),
    Row("save_state_snapshot", AtOnce, "save_session", ExportReport, an_export_is_wanted, each=the_formats),
    Row("save_state_snapshot", AtOnce, "finalize", when=there_is_nothing_to_show),
    Row("save_state_snapshot", AtOnce, "plan_work", PlanWork, work_is_planned),
    Row("save_state_snapshot", AtOnce, "take_answer", ReadAnswer, an_answer_to_data_may_be_right),
    Row("save_state_snapshot", AtOnce, "recall_evidence", RecallSources, the_data_are_asked),
    Row("save_state_snapshot", AtOnce, "take_answer", ReadAnswer, a_confirmation_is_pending),
    Row("save_state_snapshot", AtOnce, "take_answer", ReadAnswer, an_answer_may_be_right),
    Row("save_state_snapshot", AtOnce, "classify_intent", ClassifyIntent),
    Row("take_answer", AnswerRead, "remember_question", RememberQuestion, the_answer_was_right),
    Row("take_answer", AnswerRead, "recall_evidence", RecallSources, another_question_is_asked),
    Row("take_answer", AnswerRead, "classify_intent", ClassifyIntent, no_question_waits),
    Row("take_answer", AnswerRead, "look_up_calendar", LookUpCalendar, the_calendar_is_asked),
    Row("take_answer", AnswerRead, "resume_turn", when=a_task_waits),
    Row("take_answer", AnswerRead, "resume_turn", when=a_question_about_runs_waits),
    Row("take_answer", AnswerRead, "resume_turn", when=it_is_confirmed),
    Row("take_answer", AnswerRead, "resume_turn", when=a_plan_is_answered),
    Row("take_answer", AnswerRead, "resume_turn", when=a_review_is_answered),
    Row("take_answer", AnswerRead, "finalize", when=it_is_declined),
    Row("take_answer", AnswerRead, "classify_intent", ClassifyIntent),
    Row("take_answer", StageFailed, "classify_intent", ClassifyIntent),
    Row("look_up_calendar", CalendarLookedUp, "finalize"),
    Row("look_up_calendar", StageFailed, TurnFailed),
    Row("refuse_answer", AtOnce, "finalize"),
)

ENDING: tuple[Row, ...] = (
    Row("finalize", AtOnce, "finalize", RememberFixes, something_was_learned),
    Row("finalize", AtOnce, TurnFinished),
    Row("finalize", FixesRemembered, TurnFinished),
    Row("finalize", StageFailed, TurnFinished),
    Row(ANYWHERE, ANYTHING, TurnFailed),
)
