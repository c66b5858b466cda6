"""Tasks: what a user wants of one, its plan and its phase, the tools that were called, and the work that is placed."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import Field

from .base import Ref, Value
from .schedule import MAX_SLOTS, Strategy

MAX_WORK_ITEMS = 200
DEFAULT_CALENDAR = "main"

Phase = Literal["planning", "waiting_confirm", "executing", "interrupted", "done", "aborted", "exhausted"]
"""The phase of a task. ``interrupted``: it waits for the answer to a question; ``exhausted``: it used up its rounds."""
Outcome = Literal["read", "stored", "carried_out", "refused", "declined", "skipped"]
"""What became of a call. ``carried_out``: by another program, after the user's consent; ``refused``: by a rule of the
program; ``declined``: by the user; ``skipped``: not tried, since one before it was refused."""
Refining = Literal["", "first_full", "global_reopt", "local_adjust"]
"""How a task refines a calendar: after its new work is placed, as a whole, or not at all, since only single changes are
asked for. Empty: as the plan says."""
SEVERAL = "several"
"""Name of the tool that makes several calls at once."""
FOREIGN = "mcp."
"""What the names of other programs' tools and domains begin with."""


class Planning(Value):
    """How a message about work is meant."""

    calendar: str = Field(default=DEFAULT_CALENDAR, max_length=80)
    """Name of the calendar that is planned in."""


class WorkWanted(Value):
    """Pieces of work of one kind, as a user's words ask for them. The program works out where they are placed."""

    name: str = Field(min_length=1, max_length=120)
    items: int = Field(default=1, ge=1, le=MAX_WORK_ITEMS)
    slots: int = Field(default=2, ge=1, le=MAX_SLOTS)
    """How many slots each takes."""
    strategy: Strategy = "steady"
    not_before: date | None = None
    not_after: date | None = None
    excluded_weekdays: list[int] = Field(default=[], max_length=7)
    """1 for Monday to 7 for Sunday."""
    excluded_slots: list[int] = Field(default=[], max_length=MAX_SLOTS)
    max_slots_a_day: int | None = Field(default=None, ge=1, le=MAX_SLOTS)
    is_demanding: bool = False


class PlanStep(Value):
    """One step of a plan."""

    content: str = Field(min_length=1, max_length=400)
    done_when: str = Field(default="", max_length=400)
    """What holds once it is done."""


class TaskProgress(Value):
    """The plan of a task, and how far it is."""

    phase: Phase = "planning"
    steps: list[PlanStep] = []
    at: int = 0
    """Index of the current step; the number of steps once all are over."""
    undone: list[int] = []
    """Indexes of the steps that are over although every change that they asked for was refused or declined."""
    begun: int = 0
    """How many entries the log had when the current step began."""
    is_confirmed: bool = False
    """Whether it may be carried out: the user has agreed to the plan, or need not, as it is one step."""
    reason: str = ""
    """Why it ended before it was done."""
    refining: Refining = ""


class ToolCall(Value):
    """A call of a tool, exactly as it is shown and carried out."""

    id: str
    name: str = Field(max_length=80)
    arguments: dict[str, Any] = {}

    @property
    def tools(self) -> list[str]:
        """Names of the tools that it runs: its own, or those of the calls that it makes at once."""
        calls = self.arguments.get("calls") if self.name == SEVERAL else None
        return [str(call["name"]) for call in calls] if calls else [self.name]


class ForeignTool(Value):
    """A tool of another program."""

    server: str
    name: str
    about: str = ""
    """What the program says that it does."""
    parameters: dict[str, Any] = {}
    """JSON schema of the arguments."""
    reads: bool = False
    """Whether the program says that it only reads; any other tool needs the user's consent."""

    @property
    def full_name(self) -> str:
        return f"{FOREIGN}{self.server}.{self.name}"


class TaskMemory(Value):
    """What the tools of a task remember from one call to the next."""

    queue: list[str] = []
    """Ids of the entries that are to be moved one by one, the next one first."""
    strains: list[int] = []
    """What the analyses of the calendar measured, the oldest first."""


class TaskEntry(Value):
    """What happened in a task: a model's reply, a call with its result, or what the user said."""

    kind: Literal["reply", "call", "user"]
    text: str
    """The reply as it came, or what the user said."""
    problem: str = ""
    """Why the reply cannot be used, in English for the model."""
    call: ToolCall | None = None
    result: str = ""
    """The result of the tool, shortened if it is long."""
    whole: Ref | None = None
    """The full result, if it is shortened."""
    outcome: Outcome | None = None
    shown: str = ""
    """What was stored, as the user was shown it."""


class Answer(Value):
    """The answer to a question that a turn ended with."""

    question: str = Field(default="", max_length=80)
    """Id of the question; the answer to another one than the last is refused."""
    decision: Literal["accept", "reject"] | None = None
    """None: the text of the message says it."""
    to_all: bool = False
    """Whether a yes also holds for all further changes of the task by tools that allow that."""
    arguments: dict[str, Any] | None = None
    """Other arguments for the tool call that is to be confirmed. What it does with them is shown before it is done."""

    @property
    def is_in_words(self) -> bool:
        """Whether only the text of the message says what the answer is."""
        return self.decision is None and self.arguments is None
