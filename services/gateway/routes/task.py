"""The part of the table that carries out tasks: plan, have the plan confirmed, take one step after another, deliver.

A tool that reads is run at once. What one that writes would change is worked out on a copy and shown; only after the
user's consent exactly that is stored. Every way that leads back to the model carries a cap.
"""

from __future__ import annotations

from bandsmith.shared.events import (
    AskServer,
    CalendarCommitted,
    CarryOutCall,
    CommitCalendar,
    DeliverWork,
    ErrandEnded,
    ErrandPrepared,
    IntentClassified,
    PlanWork,
    PrepareErrand,
    RunErrand,
    RunTool,
    ServerAnswered,
    StageFailed,
    StepTaken,
    TakeStep,
    ToolRan,
    TurnFailed,
    WorkDelivered,
    WorkPlanned,
)

from ..state import Turn
from ..task import ENDED
from ..workflow import AtOnce, Cap, Row
from .head import work_is_planned

# --- conditions ------------------------------------------------------------------------------------------------------


def the_reply_is_unusable(turn: Turn) -> bool:
    return turn.work_action == "unusable"


def planning_goes_on(turn: Turn) -> bool:
    return turn.work_action in ("continue", "think")


def something_has_to_be_known(turn: Turn) -> bool:
    return turn.work_action in ("continue", "think", "ask")


def there_is_a_plan(turn: Turn) -> bool:
    return turn.work_action in ("plan", "think") and turn.work is not None and bool(turn.work.steps)


def the_plan_begins_at_once(turn: Turn) -> bool:
    """Whether the plan needs no consent: it is one step, each change of which is shown before it is made."""
    return turn.work_action == "plan" and turn.work is not None and turn.work.is_confirmed


def a_tool_is_called(turn: Turn) -> bool:
    return turn.work_action == "call"


def the_user_is_asked(turn: Turn) -> bool:
    return turn.work_action == "ask"


def the_task_is_over(turn: Turn) -> bool:
    return turn.work is not None and turn.work.phase in ENDED


def consent_is_needed(turn: Turn) -> bool:
    return turn.work_change is not None and not turn.work_refused


def consent_was_given_to_all(turn: Turn) -> bool:
    """Whether the user agreed to all further changes of the task, and the tool is one that allows that."""
    return consent_is_needed(turn) and turn.work_is_granted and turn.work_may_repeat


def another_program_is_called(turn: Turn) -> bool:
    return a_tool_is_called(turn) and turn.is_foreign_call


def the_call_was_shown(turn: Turn) -> bool:
    return turn.work_outcome == "shown" and turn.work_stage != "making"


def several_are_called(turn: Turn) -> bool:
    return a_tool_is_called(turn) and turn.has_parts


def several_are_edited(turn: Turn) -> bool:
    return the_call_is_edited(turn) and turn.has_parts


def several_are_accepted(turn: Turn) -> bool:
    return the_call_is_accepted(turn) and turn.has_parts


def the_part_was_shown(turn: Turn) -> bool:
    return turn.work_stage == "preparing" and turn.work_outcome == "shown"


def the_part_changes_the_calendar(turn: Turn) -> bool:
    return turn.work_stage == "preparing" and consent_is_needed(turn)


def the_parts_do_not_fit(turn: Turn) -> bool:
    """Whether a part cannot be asked about together with those before it."""
    return turn.work_stage == "unfit"


def all_parts_are_prepared(turn: Turn) -> bool:
    return turn.work_stage == ""


def another_part_is_agreed_to(turn: Turn) -> bool:
    """Whether a part was carried out as the user agreed, and others are left."""
    is_done = bool(turn.work_log) and turn.work_log[-1].outcome in ("stored", "carried_out")
    return turn.work_stage == "making" and bool(turn.work_parts) and is_done


def the_part_is_an_errand(turn: Turn) -> bool:
    return turn.is_errand


def the_part_is_another_programs(turn: Turn) -> bool:
    return turn.is_foreign_call


def an_errand_is_called(turn: Turn) -> bool:
    return a_tool_is_called(turn) and turn.is_errand


def the_errand_only_reads(turn: Turn) -> bool:
    return turn.work_outcome == "ready"


def a_report_was_made(turn: Turn) -> bool:
    return turn.work_report is not None


def the_errand_is_accepted(turn: Turn) -> bool:
    return the_call_is_accepted(turn) and turn.is_errand


def the_errand_is_edited(turn: Turn) -> bool:
    return the_call_is_edited(turn) and turn.is_errand


def what_the_errand_found_is_to_change(turn: Turn) -> bool:
    return turn.intent == "plan_work" and turn.objects_to_errand


def another_programs_call_is_accepted(turn: Turn) -> bool:
    return the_call_is_accepted(turn) and turn.is_foreign_call


def another_programs_call_is_edited(turn: Turn) -> bool:
    return the_call_is_edited(turn) and turn.is_foreign_call


def the_call_is_accepted(turn: Turn) -> bool:
    return turn.intent == "plan_work" and turn.work_waits == "call" and turn.agrees is True


def the_call_is_edited(turn: Turn) -> bool:
    return turn.intent == "plan_work" and turn.work_waits == "call" and turn.is_edited


def the_task_is_dropped(turn: Turn) -> bool:
    return turn.intent == "plan_work" and turn.drops


def the_plan_is_confirmed(turn: Turn) -> bool:
    return turn.intent == "plan_work" and turn.work is not None and turn.work.is_confirmed


def a_plan_is_missing(turn: Turn) -> bool:
    return turn.intent == "plan_work"


# --- rows ------------------------------------------------------------------------------------------------------------

PLANNING = Cap("planning", 3)
BAD_REPLIES = Cap("bad_replies", 2)
"""Replies in a row that cannot be used, and are asked for again; the next one ends the task."""
ROUNDS = Cap("rounds", 30)
PARTS = Cap("parts", 100)
"""Parts of a call of several that are prepared or carried out."""
AGAIN = (BAD_REPLIES.name, PARTS.name)

ROWS: tuple[Row, ...] = (
    Row("classify_intent", IntentClassified, "plan_work", PlanWork, work_is_planned),
    Row("plan_work", WorkPlanned, "plan_work", PlanWork, the_reply_is_unusable, BAD_REPLIES),
    Row("plan_work", WorkPlanned, "finalize", when=the_reply_is_unusable),
    Row("plan_work", WorkPlanned, "plan_work", PlanWork, planning_goes_on, PLANNING, renews=AGAIN),
    Row("plan_work", WorkPlanned, "execute", TakeStep, the_plan_begins_at_once, ROUNDS, renews=(PLANNING.name, *AGAIN)),
    Row("plan_work", WorkPlanned, "confirm_plan", when=there_is_a_plan),
    Row("plan_work", WorkPlanned, "ask_question", when=something_has_to_be_known),
    Row("plan_work", WorkPlanned, "finalize"),
    Row("plan_work", StageFailed, TurnFailed),
    Row("confirm_plan", AtOnce, "finalize"),
    Row("ask_question", AtOnce, "finalize"),
    Row("resume_turn", AtOnce, "deliver", DeliverWork, the_task_is_dropped),
    Row("resume_turn", AtOnce, "take_part", when=several_are_edited),
    Row("resume_turn", AtOnce, "make_part", when=several_are_accepted),
    Row("resume_turn", AtOnce, "ask_server", AskServer, another_programs_call_is_edited),
    Row("resume_turn", AtOnce, "prepare_errand", PrepareErrand, the_errand_is_edited),
    Row("resume_turn", AtOnce, "call_tool", RunTool, the_call_is_edited),
    Row("resume_turn", AtOnce, "run_errand", RunErrand, the_errand_is_accepted),
    Row("resume_turn", AtOnce, "run_errand", RunErrand, what_the_errand_found_is_to_change),
    Row("resume_turn", AtOnce, "carry_out", CarryOutCall, another_programs_call_is_accepted),
    Row("resume_turn", AtOnce, "store_calendar", CommitCalendar, the_call_is_accepted),
    Row("resume_turn", AtOnce, "execute", TakeStep, the_plan_is_confirmed),
    Row("resume_turn", AtOnce, "plan_work", PlanWork, a_plan_is_missing),
    Row("execute", StepTaken, "execute", TakeStep, the_reply_is_unusable, BAD_REPLIES),
    Row("execute", StepTaken, "deliver", DeliverWork, the_reply_is_unusable),
    Row("execute", StepTaken, "take_part", when=several_are_called),
    Row("execute", StepTaken, "ask_server", AskServer, another_program_is_called),
    Row("execute", StepTaken, "prepare_errand", PrepareErrand, an_errand_is_called),
    Row("execute", StepTaken, "call_tool", RunTool, a_tool_is_called),
    Row("execute", StepTaken, "ask_question", when=the_user_is_asked),
    Row("execute", StepTaken, "deliver", DeliverWork, the_task_is_over),
    Row("execute", StepTaken, "execute", TakeStep, cap=ROUNDS, renews=AGAIN),
    Row("execute", StepTaken, "deliver", DeliverWork),
    Row("execute", StageFailed, "deliver", DeliverWork),
    Row("take_part", AtOnce, "execute", TakeStep, the_parts_do_not_fit, ROUNDS, renews=AGAIN),
    Row("take_part", AtOnce, "deliver", DeliverWork, the_parts_do_not_fit),
    Row("take_part", AtOnce, "confirm_call", when=all_parts_are_prepared),
    Row("take_part", AtOnce, "ask_server", AskServer, the_part_is_another_programs, PARTS),
    Row("take_part", AtOnce, "prepare_errand", PrepareErrand, the_part_is_an_errand, PARTS),
    Row("take_part", AtOnce, "call_tool", RunTool, cap=PARTS),
    Row("take_part", AtOnce, "deliver", DeliverWork),
    Row("call_tool", ToolRan, "take_part", when=the_part_changes_the_calendar),
    Row("call_tool", ToolRan, "store_calendar", CommitCalendar, consent_was_given_to_all),
    Row("call_tool", ToolRan, "confirm_call", when=consent_is_needed),
    Row("call_tool", ToolRan, "execute", TakeStep, cap=ROUNDS, renews=AGAIN),
    Row("call_tool", ToolRan, "deliver", DeliverWork),
    Row("call_tool", StageFailed, "deliver", DeliverWork),
    Row("ask_server", ServerAnswered, "take_part", when=the_part_was_shown),
    Row("ask_server", ServerAnswered, "confirm_call", when=the_call_was_shown),
    Row("ask_server", ServerAnswered, "execute", TakeStep, cap=ROUNDS, renews=AGAIN),
    Row("ask_server", ServerAnswered, "deliver", DeliverWork),
    Row("ask_server", StageFailed, "deliver", DeliverWork),
    Row("prepare_errand", ErrandPrepared, "run_errand", RunErrand, the_errand_only_reads),
    Row("prepare_errand", ErrandPrepared, "take_part", when=the_part_was_shown),
    Row("prepare_errand", ErrandPrepared, "confirm_call", when=the_call_was_shown),
    Row("prepare_errand", ErrandPrepared, "execute", TakeStep, cap=ROUNDS, renews=AGAIN),
    Row("prepare_errand", ErrandPrepared, "deliver", DeliverWork),
    Row("prepare_errand", StageFailed, "deliver", DeliverWork),
    Row("run_errand", ErrandEnded, "take_part", when=the_part_was_shown),
    Row("run_errand", ErrandEnded, "confirm_call", when=the_call_was_shown),
    Row("run_errand", ErrandEnded, "adopt_report", when=a_report_was_made),
    Row("run_errand", ErrandEnded, "make_part", when=another_part_is_agreed_to),
    Row("run_errand", ErrandEnded, "execute", TakeStep, cap=ROUNDS, renews=AGAIN),
    Row("run_errand", ErrandEnded, "deliver", DeliverWork),
    Row("run_errand", StageFailed, "deliver", DeliverWork),
    Row("adopt_report", AtOnce, "make_part", when=another_part_is_agreed_to),
    Row("adopt_report", AtOnce, "execute", TakeStep, cap=ROUNDS, renews=AGAIN),
    Row("adopt_report", AtOnce, "deliver", DeliverWork),
    Row("confirm_call", AtOnce, "finalize"),
    Row("make_part", AtOnce, "carry_out", CarryOutCall, the_part_is_another_programs, PARTS),
    Row("make_part", AtOnce, "run_errand", RunErrand, the_part_is_an_errand, PARTS),
    Row("make_part", AtOnce, "store_calendar", CommitCalendar, cap=PARTS),
    Row("make_part", AtOnce, "deliver", DeliverWork),
    Row("carry_out", ServerAnswered, "make_part", when=another_part_is_agreed_to),
    Row("carry_out", ServerAnswered, "execute", TakeStep, cap=ROUNDS, renews=AGAIN),
    Row("carry_out", ServerAnswered, "deliver", DeliverWork),
    Row("carry_out", StageFailed, "deliver", DeliverWork),
    Row("store_calendar", CalendarCommitted, "make_part", when=another_part_is_agreed_to),
    Row("store_calendar", CalendarCommitted, "execute", TakeStep, cap=ROUNDS, renews=AGAIN),
    Row("store_calendar", CalendarCommitted, "deliver", DeliverWork),
    Row("store_calendar", StageFailed, "deliver", DeliverWork),
    Row("deliver", WorkDelivered, "finalize"),
    Row("deliver", StageFailed, "finalize"),
)
