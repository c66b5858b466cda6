"""Messages about tasks: a plan, decisions one by one, calls of tools, what is stored, and the reply to the user.

A call of a tool that writes is run on a copy first. What it would change is shown, and after the user's consent exactly
that is stored by ``CommitCalendar``, the only command that touches a store.
"""

from __future__ import annotations

from typing import Literal

from ..language import Language
from ..model.allowance import Allowance, Usage
from ..model.base import Ref
from ..model.errand import Errand
from ..model.session_parts import HistoryEntry, Version
from ..model.task import ForeignTool, Planning, PlanStep, Refining, TaskEntry, TaskMemory, TaskProgress, ToolCall
from .base import Command, Event

# --- plan_work -------------------------------------------------------------------------------------------------------


class PlanWork(Command):
    """Ask the model for the plan of a task, or for what it has to know first."""

    service = "planner"
    answers = ("WorkPlanned",)
    owner: str = ""
    """Whose task it is, as ``owner_of_session`` returns it."""
    text: str
    planning: Planning
    work: TaskProgress | None
    work_log: list[TaskEntry]
    work_draft: Ref | None
    """The calendar as the task knows it; None: it is loaded now."""
    work_thinks: bool
    """Whether the plan is worked out in finer steps, with reasoning."""
    history: list[HistoryEntry] = []
    run_title: str = ""
    """Title of the session's report; empty if there is none."""
    work_before: str = ""
    """What was said in the session before the task, as an earlier try to plan it has stated it."""
    language: Language
    allowance: Allowance


class WorkPlanned(Event):
    work_action: Literal["continue", "think", "ask", "plan", "nothing", "answered", "unusable"]
    """``answered``: the request was a question about the calendar, which ``work_words`` answers."""
    work_draft: Ref
    work_servers: list[str] = []
    """Names of the other programs whose tools the user's tasks may call."""
    work_thinks: bool = False
    work_reply: str = ""
    """The model's reply as it came."""
    work_problem: str = ""
    """Why the reply cannot be used."""
    work_words: str = ""
    """The words to the user: a statement or a question."""
    work_steps: list[PlanStep] = []
    work_refining: Refining = ""
    work_before: str = ""
    """What was said in the session before the task, which explains its request."""
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
    work_tools: list[ForeignTool] = []
    """The tools of other programs that are offered."""
    work_servers: list[str] = []
    """Names of the other programs whose tools may be offered."""
    work_before: str = ""
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
    """The result that the call asks to see in full."""
    work_memory: TaskMemory = TaskMemory()
    language: Language


class ToolRan(Event):
    work_result: str
    """The result of the tool, or why the call is refused."""
    work_whole: Ref | None = None
    """The full result, if it is shortened."""
    work_refused: bool = False
    work_packs: list[str]
    """The packs of tools that are offered from now on."""
    work_memory_next: TaskMemory | None = None
    """What the tools remember once the call has taken effect; None: what they remembered before."""
    work_change: Ref | None = None
    """What the call would change, as a ``Difference``; None: it only reads, or is refused."""
    work_change_id: str = ""
    """The change is stored once, however often the command is sent."""
    work_shown: str = ""
    """What the call would change, as the user is shown it."""
    work_may_repeat: bool = False
    """Whether the user may agree to all further changes of this kind at once."""


# --- ask_server ------------------------------------------------------------------------------------------------------


class AskServer(Command):
    """List the tools of another program, or call one that only reads; for any other one, show what would be called."""

    service = "planner"
    answers = ("ServerAnswered",)
    owner: str
    """Whose task it is, as ``owner_of_session`` returns it."""
    work_call: ToolCall
    work_packs: list[str]
    work_tools: list[ForeignTool]
    language: Language


class CarryOutCall(Command):
    """Call a tool of another program exactly as it was shown, after the user's consent."""

    service = "planner"
    answers = ("ServerAnswered",)
    owner: str
    """Whose task it is, as ``owner_of_session`` returns it."""
    work_call: ToolCall
    work_packs: list[str]
    work_tools: list[ForeignTool]
    language: Language


class ServerAnswered(Event):
    work_outcome: Literal["read", "carried_out", "refused", "shown"]
    """``shown``: the user has to agree to the call first."""
    work_result: str = ""
    work_whole: Ref | None = None
    work_packs: list[str]
    work_tools: list[ForeignTool]
    work_shown: str = ""
    """The call, as the user is shown it."""


# --- prepare_errand --------------------------------------------------------------------------------------------------


class PrepareErrand(Command):
    """Hold a call of a tool of reports, data or runs against what there is, and say what it would do."""

    service = "planner"
    answers = ("ErrandPrepared",)
    owner: str
    """Whose task it is, as ``owner_of_session`` returns it."""
    work_call: ToolCall
    work_packs: list[str]
    run_title: str
    """Title of the session's report; empty if there is none."""
    saved: Version | None
    """The session's report."""
    bindings: Ref | None
    """The queries that filled the report, a ``BindingFile`` as YAML."""
    bindings_are_shown: bool = False
    """Whether the user is shown them in the same question, so that a yes reviews them."""
    language: Language


class ErrandPrepared(Event):
    work_outcome: Literal["refused", "read", "ready", "shown"]
    """``ready``: it only reads and is carried out at once; ``shown``: the user has to agree to it first;
    ``read``: it is answered already."""
    work_result: str = ""
    """Why the call is refused, or the answer."""
    work_errand: Errand | None = None
    work_shown: str = ""


# --- run_errand ------------------------------------------------------------------------------------------------------


class RunErrand(Command):
    """Carry out an errand exactly as it was prepared, once."""

    service = "gateway"
    answers = ("ErrandEnded",)
    work_errand: Errand
    language: Language


class ErrandEnded(Event):
    work_outcome: Literal["read", "carried_out", "refused", "shown"]
    """``shown``: the user has to agree to what it found before it goes on."""
    work_result: str = ""
    work_files: dict[str, Ref] = {}
    work_report: Version | None = None
    """The report that it made."""
    work_bindings: Ref | None = None
    """The queries that filled the report, as the user agreed to them: a ``BindingFile`` as YAML."""
    work_errand: Errand | None = None
    """What goes on after the user's consent."""
    work_shown: str = ""
    usage: Usage = Usage()


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


# --- look_up_calendar ------------------------------------------------------------------------------------------------


class LookUpCalendar(Command):
    """Answer a question about the calendar that comes while a task waits for an answer."""

    service = "planner"
    answers = ("CalendarLookedUp",)
    text: str
    planning: Planning
    language: Language


class CalendarLookedUp(Event):
    calendar_words: str
    """The answer."""


# --- deliver ---------------------------------------------------------------------------------------------------------


class DeliverWork(Command):
    """Ask the model for a summary of what was done."""

    service = "planner"
    answers = ("WorkDelivered",)
    text: str
    work_before: str = ""
    """What was said in the session before the task."""
    work: TaskProgress
    work_log: list[TaskEntry]
    language: Language
    allowance: Allowance


class WorkDelivered(Event):
    work_summary: str
    usage: Usage = Usage()
