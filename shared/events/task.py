"""Messages about work that is planned in a calendar: the proposal, and its storing after the user's consent."""

from __future__ import annotations

from ..language import Language
from ..llm.base import Allowance, Usage
from ..model.base import Ref
from ..model.task import Planning
from .base import Command, Event

# --- plan_work -------------------------------------------------------------------------------------------------------


class PlanWork(Command):
    """Work out where the work that a message asks for is placed. Nothing is stored."""

    service = "planner"
    answers = ("WorkPlanned",)
    text: str
    planning: Planning
    work_objections: list[str]
    """What the user had against earlier proposals, the oldest first."""
    language: Language
    allowance: Allowance


class WorkPlanned(Event):
    work_change: Ref | None = None
    """The proposal as a ``Difference``; None: nothing is proposed."""
    work_change_id: str = ""
    """It is stored once, however often that is asked for."""
    work_shown: str = ""
    """What the proposal changes, in the turn's language."""
    work_reply: str = ""
    """What is said instead of a proposal."""
    usage: Usage = Usage()


# --- store_calendar --------------------------------------------------------------------------------------------------


class CommitCalendar(Command):
    """Store a proposal exactly as it was shown, once."""

    service = "planner"
    answers = ("CalendarCommitted",)
    planning: Planning
    work_change: Ref
    work_change_id: str
    language: Language


class CalendarCommitted(Event):
    work_refusal: str = ""
    """Why it collides with what others stored meanwhile; empty: it is stored."""
