"""The part of the table that plans work in a calendar: propose, ask, and store exactly what was shown."""

from __future__ import annotations

from bandsmith.shared.events import (
    CalendarCommitted,
    CommitCalendar,
    IntentClassified,
    PlanWork,
    StageFailed,
    TurnFailed,
    WorkPlanned,
)

from ..state import Turn
from ..workflow import AtOnce, Row
from .head import work_is_planned

# --- conditions ------------------------------------------------------------------------------------------------------


def work_is_proposed(turn: Turn) -> bool:
    return turn.work_change is not None


def the_proposal_is_accepted(turn: Turn) -> bool:
    return turn.intent == "plan_work" and turn.agrees is True


def the_proposal_is_to_change(turn: Turn) -> bool:
    return turn.intent == "plan_work"


# --- rows ------------------------------------------------------------------------------------------------------------

ROWS: tuple[Row, ...] = (
    Row("classify_intent", IntentClassified, "plan_work", PlanWork, work_is_planned),
    Row("plan_work", WorkPlanned, "confirm_work", when=work_is_proposed),
    Row("plan_work", WorkPlanned, "finalize"),
    Row("plan_work", StageFailed, TurnFailed),
    Row("confirm_work", AtOnce, "finalize"),
    Row("resume_turn", AtOnce, "store_calendar", CommitCalendar, the_proposal_is_accepted),
    Row("resume_turn", AtOnce, "plan_work", PlanWork, the_proposal_is_to_change),
    Row("store_calendar", CalendarCommitted, "finalize"),
    Row("store_calendar", StageFailed, TurnFailed),
)
