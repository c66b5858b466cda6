"""Messages about tasks: a plan, one decision after another, calls of tools, what is stored, and what the user is told.

A call of a tool that writes is run on a copy first. What it would change is shown, and after the user's consent exactly
that is stored by ``CommitCalendar``, the only command that touches a store.
"""

from __future__ import annotations

from typing import Literal

from ..language import Language
from ..llm.base import Allowance, Usage
from ..model.base import Ref
from ..model.task import Planning, PlanStep, TaskEntry, TaskProgress, ToolCall
from .base import Command, Event

# --- plan_work -------------------------------------------------------------------------------------------------------


class PlanWork(Command):
    """Ask the model for the plan of a task, or for what it has to know first."""

    service = "planner"
    answers = ("WorkPlanned",)
    text: str
    planning: Planning
    work: TaskProgress | None
    work_log: list[TaskEntry]
    work_draft: Ref | None
    """The calendar as the task knows it; None: it is loaded now."""
    work_thinks: bool
    """Whether the plan is worked out in finer steps, with reasoning."""
    language: Language
    allowance: Allowance


class WorkPlanned(Event):
    work_action: Literal["continue", "think", "ask", "plan", "nothing", "unusable"]
    work_draft: Ref
    work_thinks: bool = False
    work_reply: str = ""
    """The model's reply as it came."""
    work_problem: str = ""
    """Why the reply cannot be used."""
    work_words: str = ""
    """What the user is told or asked."""
    work_steps: list[PlanStep] = []
    usage: Usage = Usage()


# --- execute ---------------------------------------------------------------------------------------------------------


class TakeStep(Command):
    """Ask the model for one decision."""

    service = "planner"
    answers = ("StepTaken",)
    text: str
    work: TaskProgress
    work_log: list[TaskEntry]
    work_draft: Ref
    work_packs: list[str]
    language: Language
    allowance: Allowance


class StepTaken(Event):
    work_action: Literal["call", "say", "ask", "next", "done", "abort", "unusable"]
    work_reply: str = ""
    work_problem: str = ""
    work_words: str = ""
    work_reason: str = ""
    work_call: ToolCall | None = None
    usage: Usage = Usage()


# --- call_tool -------------------------------------------------------------------------------------------------------


class RunTool(Command):
    """Run a tool on a copy of the calendar. Nothing is stored."""

    service = "generator"
    answers = ("ToolRan",)
    work_call: ToolCall
    work_draft: Ref
    work_packs: list[str]
    work_recalled: Ref | None
    """The result that the call asks to see as a whole."""
    language: Language


class ToolRan(Event):
    work_result: str
    """What the tool states, or why the call is refused."""
    work_whole: Ref | None = None
    """The whole of a result that is shortened."""
    work_refused: bool = False
    work_packs: list[str]
    """The packs of tools that are offered from now on."""
    work_change: Ref | None = None
    """What the call would change, as a ``Difference``; None: it only reads, or is refused."""
    work_change_id: str = ""
    """It is stored once, however often that is asked for."""
    work_shown: str = ""
    """What the call would change, as the user is shown it."""


# --- store_calendar --------------------------------------------------------------------------------------------------


class CommitCalendar(Command):
    """Store a change exactly as it was shown, once."""

    service = "planner"
    answers = ("CalendarCommitted",)
    planning: Planning
    work_change: Ref
    work_change_id: str
    language: Language


class CalendarCommitted(Event):
    work_draft: Ref
    """The calendar as it is stored now."""
    work_refusal: str = ""
    """Why the change collides with what others stored meanwhile; empty: it is stored."""


# --- deliver ---------------------------------------------------------------------------------------------------------


class DeliverWork(Command):
    """Ask the model for a summary of what was done."""

    service = "planner"
    answers = ("WorkDelivered",)
    text: str
    work: TaskProgress
    work_log: list[TaskEntry]
    language: Language
    allowance: Allowance


class WorkDelivered(Event):
    work_summary: str
    usage: Usage = Usage()
