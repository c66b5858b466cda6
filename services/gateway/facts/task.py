"""What a turn knows of a task: its plan, what happened so far, and the call that waits for the user's consent."""

from __future__ import annotations

from typing import Annotated, Literal

from bandsmith.shared.events import (
    CalendarCommitted,
    ErrandEnded,
    ErrandPrepared,
    ServerAnswered,
    StepTaken,
    ToolRan,
    WorkPlanned,
)
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.errand import Errand
from bandsmith.shared.model.parts import PreparedCall
from bandsmith.shared.model.session_parts import Pending, Version
from bandsmith.shared.model.task import (
    FOREIGN,
    Answer,
    ForeignTool,
    Outcome,
    Planning,
    PlanStep,
    Refining,
    TaskEntry,
    TaskMemory,
    TaskProgress,
    ToolCall,
)
from bandsmith.shared.replies import text
from bandsmith.shared.tools import ALL_TOOLS, ERRANDS
from bandsmith.shared.tools.context import PLACING, REFINING_PACKS
from bandsmith.shared.tools.schedule.several import parts_of

from .common import CommonFacts
from .learning import INTERNAL, On


def _planned(turn: TaskFacts, event: WorkPlanned) -> TaskProgress | None:
    if event.work_action == "answered":
        return turn.work
    known = turn.work or TaskProgress()
    begins = _begins_at_once(event)
    news = {"steps": event.work_steps or known.steps, "refining": event.work_refining, "is_confirmed": begins}
    return known.model_copy(update=news | {"phase": "executing" if begins else "planning"})


def _begins_at_once(event: WorkPlanned) -> bool:
    """Whether a plan needs no consent: it is one step, which only reads, or each change of which is shown anyway."""
    is_refined = event.work_refining in ("first_full", "global_reopt")
    return event.work_action == "plan" and len(event.work_steps) == 1 and not (event.work_thinks or is_refined)


def _progressed(turn: TaskFacts, event: StepTaken) -> TaskProgress | None:
    known = turn.work
    if known is None:
        return None
    match event.work_action:
        case "next" | "done":
            at = known.at + 1 if event.work_action == "next" else len(known.steps)
            undone = [*known.undone, known.at] if _changed_nothing(turn.work_log[known.begun :]) else known.undone
            phase = "done" if at >= len(known.steps) else "executing"
            return known.model_copy(update={"at": at, "phase": phase, "undone": undone, "begun": len(turn.work_log)})
        case "abort":
            return known.model_copy(update={"phase": "aborted", "reason": event.work_reason})
    return known


def _changed_nothing(log: list[TaskEntry]) -> bool:
    """Whether changes were asked for in a step, and none of them was made, whatever the model says of it."""
    calls = [entry for entry in log if entry.call is not None and entry.outcome != "read"]
    written = [one for one in calls if one.call and (one.call.name not in ALL_TOOLS or ALL_TOOLS[one.call.name].writes)]
    return bool(written) and not any(one.outcome in ("stored", "carried_out") for one in written)


def _replied(turn: TaskFacts, event: WorkPlanned | StepTaken) -> list[TaskEntry]:
    """Add a reply that calls no tool. One that does joins the log with its result."""
    if event.work_action == "call" or not event.work_reply:
        return turn.work_log
    if isinstance(event, WorkPlanned) and _begins_at_once(event):
        return [entry for entry in turn.work_log if entry.kind == "user"]  # the plan replaces its drafts
    return [*turn.work_log, TaskEntry(kind="reply", text=event.work_reply, problem=event.work_problem)]


def _ran(turn: TaskFacts, event: ToolRan) -> list[TaskEntry]:
    if event.work_change is not None:
        return turn.work_log  # it waits for the user's consent
    outcome: Outcome = "refused" if event.work_refused else "read"
    return turn.with_call(outcome, event.work_result, event.work_whole)


def _served(turn: TaskFacts, event: ServerAnswered) -> list[TaskEntry]:
    if event.work_outcome == "shown":
        return turn.work_log  # it waits for the user's consent
    shown = turn.work_shown if event.work_outcome == "carried_out" else ""
    return turn.with_call(event.work_outcome, event.work_result, event.work_whole, shown)


def _prepared(turn: TaskFacts, event: ErrandPrepared) -> list[TaskEntry]:
    if event.work_outcome in ("ready", "shown"):
        return turn.work_log  # it is carried out next, or waits for the user's consent
    return turn.with_call("refused" if event.work_outcome == "refused" else "read", event.work_result)


def _ended(turn: TaskFacts, event: ErrandEnded) -> list[TaskEntry]:
    if turn.work_call is None:
        return turn.work_log  # it belongs to a scheduled run
    if event.work_outcome == "shown":  # the user's consent is asked for, except within what has got it already
        return turn.with_call("refused", event.work_shown) if turn.work_stage == "making" else turn.work_log
    return turn.with_call(event.work_outcome, event.work_result, None, turn.work_shown)


def _files(turn: TaskFacts, event: ErrandEnded) -> dict[str, Ref]:
    """Return the files of all errands. Those of a report replace those of the report before; of others, one whose name
    is taken gets the call's id before it."""
    if event.work_report is not None:
        return turn.work_files | event.work_files
    call = turn.work_call.id if turn.work_call else ""
    new = {f"{call}-{name}" if name in turn.work_files else name: ref for name, ref in event.work_files.items()}
    return turn.work_files | new


def _bindings(turn: TaskFacts, event: ErrandEnded) -> Ref | None:
    return event.work_bindings or turn.work_bindings


def _memory(turn: TaskFacts, event: ToolRan) -> TaskMemory:
    if event.work_change is not None:
        return turn.work_memory
    return event.work_memory_next or turn.work_memory


def _memory_stored(turn: TaskFacts, event: CalendarCommitted) -> TaskMemory:
    return turn.work_memory if event.work_refusal else turn.work_memory_next or turn.work_memory


def _packs_stored(turn: TaskFacts, event: CalendarCommitted) -> list[str]:
    """Offer what refines the calendar as soon as its first placing is stored, if the plan says so."""
    is_placed = turn.work_call is not None and not event.work_refusal and bool({*turn.work_call.tools} & {*PLACING})
    refines = turn.work is not None and turn.work.refining == "first_full"
    return sorted({*turn.work_packs, *REFINING_PACKS}) if is_placed and refines else turn.work_packs


def _committed(turn: TaskFacts, event: CalendarCommitted) -> list[TaskEntry]:
    if event.work_refusal:
        return turn.with_call("refused", event.work_refusal)
    return turn.with_call("stored", turn.work_result, turn.work_whole, turn.work_shown)


class TaskFacts(CommonFacts):
    planning: Annotated[Planning | None, INTERNAL] = None
    given_answer: Annotated[Answer | None, INTERNAL] = None
    """The answer that the turn was started with."""
    is_refused: Annotated[bool, INTERNAL] = False
    """Whether that is not taken, because it answers another question than the one that waits, or does not fit it."""
    asks_calendar: bool = False
    """Whether the message is a question about the calendar, whatever waits for an answer."""
    calendar_words: str = ""
    """The answer to it."""
    leaves: Annotated[Pending | None, INTERNAL] = None
    """The question of a task that stays open while something else is done."""
    drops: bool = False
    """Whether the user gives up what is waiting for an answer."""

    work: Annotated[TaskProgress | None, On(WorkPlanned, _planned), On(StepTaken, _progressed)] = None
    work_log: Annotated[
        list[TaskEntry],
        *(On(WorkPlanned, _replied), On(StepTaken, _replied), On(ToolRan, _ran), On(CalendarCommitted, _committed)),
        *(On(ServerAnswered, _served), On(ErrandPrepared, _prepared), On(ErrandEnded, _ended)),
    ] = []
    """What happened in the task, the oldest first."""
    work_waits: Annotated[Literal["", "plan", "call", "question"], INTERNAL] = ""
    """What the user is asked."""
    work_packs: Annotated[list[str], On(CalendarCommitted, _packs_stored)] = []
    """The packs of tools that are offered."""
    work_tools: list[ForeignTool] = []
    """The tools of other programs that are offered."""
    work_servers: list[str] = []
    work_outcome: str = ""
    """What became of the last call of another program's tool."""
    work_errand: Errand | None = None
    """What the call does, once it is prepared."""
    work_files: Annotated[dict[str, Ref], On(ErrandEnded, _files)] = {}
    """The files that errands made."""
    work_report: Version | None = None
    """The report that the last errand made, until it is the session's."""
    work_bindings: Annotated[Ref | None, On(ErrandEnded, _bindings)] = None
    """The queries of the task's last filling."""
    work_memory: Annotated[TaskMemory, On(ToolRan, _memory), On(CalendarCommitted, _memory_stored)] = TaskMemory()
    work_memory_next: TaskMemory | None = None
    """What the tools remember once the change that waits for consent is stored."""
    work_draft: Ref | None = None
    """The calendar that tools read, and change a copy of."""
    work_before: str = ""
    """What was said in the session before the task."""
    work_thinks: bool = False
    work_action: str = ""
    work_reply: str = ""
    work_problem: str = ""
    work_words: str = ""
    work_reason: str = ""
    work_steps: list[PlanStep] = []
    work_refining: Refining = ""
    work_call: ToolCall | None = None
    """The call that is run, or that waits for the user's consent."""
    work_stage: Annotated[
        Literal["", "preparing", "unfit", "making"], INTERNAL, On(StepTaken, lambda turn, event: "")
    ] = ""
    """What is done with the parts of a call of several."""
    work_batch: Annotated[ToolCall | None, INTERNAL] = None
    """The call whose parts they are."""
    work_left: Annotated[list[ToolCall], INTERNAL] = []
    """The parts that are still to be prepared."""
    work_parts: Annotated[list[PreparedCall], INTERNAL] = []
    """The parts that were prepared, and not carried out yet."""
    work_result: str = ""
    work_whole: Ref | None = None
    work_refused: bool = False
    work_change: Ref | None = None
    work_change_id: str = ""
    work_shown: str = ""
    work_may_repeat: bool = False
    """Whether the user may agree to all further changes of the kind that is shown."""
    agrees_to_all: bool = False
    work_is_granted: Annotated[bool, INTERNAL] = False
    """Whether the user agreed to all further changes of the calendar in this task."""
    work_refusal: str = ""
    work_summary: str = ""

    @property
    def planned_in(self) -> Planning:
        """The calendar to plan in: the main one if only the message asked for it."""
        return self.planning or Planning()

    @property
    def looked_up_in(self) -> Planning:
        """The calendar that a question concerns which comes while a task waits: the task's."""
        waiting = (self.suspended or {}).get("planning")
        return Planning.model_validate(waiting) if waiting else self.planned_in

    @property
    def is_edited(self) -> bool:
        """Whether the user gave the call that waits for consent other arguments."""
        return self.work_call is not None and self.given_answer is not None and self.given_answer.arguments is not None

    @property
    def has_parts(self) -> bool:
        """Whether the call makes several others one by one."""
        return self.work_call is not None and bool(parts_of(self.work_call))

    @property
    def shown_bindings(self) -> Ref | None:
        """The new queries that an earlier part of the call shows in the same question."""
        is_asked_with = self.work_stage == "preparing"
        shown = [part.errand.bindings for part in self.work_parts if part.errand and part.errand.bindings]
        return shown[-1] if is_asked_with and shown else None

    @property
    def bindings_are_shown(self) -> bool:
        return self.shown_bindings is not None

    @property
    def is_errand(self) -> bool:
        """Whether the call concerns reports, data or runs, and no calendar."""
        return self.work_call is not None and self.work_call.name in ERRANDS

    @property
    def objects_to_errand(self) -> bool:
        """Whether the user says what is to be different in what an errand found, such as its new queries."""
        turn = self.work_errand.turn if self.work_errand and self.work_waits == "call" else None
        is_open = turn is not None and turn.answer is not None
        return is_open and self.agrees is None and not (self.drops or self.is_edited) and bool(self.said.strip())

    @property
    def is_foreign_call(self) -> bool:
        """Whether the call concerns another program: one of its tools, or the list of them."""
        if self.work_call is None:
            return False
        domain = self.work_call.arguments.get("domain") if self.work_call.name == "context_tools_add" else ""
        return self.work_call.name.startswith(FOREIGN) or str(domain or "").startswith(FOREIGN)

    @property
    def work_recalled(self) -> Ref | None:
        """The full result that the call names."""
        wanted = self.work_call.arguments.get("id") if self.work_call else None
        return next((one.whole for one in self.work_log if one.call and one.call.id == wanted), None)

    def with_call(self, outcome: Outcome, result: str, whole: Ref | None = None, shown: str = "") -> list[TaskEntry]:
        """Return the log with the last call and what became of it, and of the parts that are not tried after it."""
        call, reply = self.work_call, self.work_reply
        if self.work_stage == "preparing":
            call, result = self.work_batch, self._refusal_of_part(result)
        elif self.work_stage == "making" and any(entry.text == reply for entry in self.work_log if entry.call):
            reply = ""  # the same reply calls all parts
        entry = TaskEntry(kind="call", text=reply, call=call, result=result, whole=whole, outcome=outcome, shown=shown)
        skips = self.work_stage == "making" and outcome == "refused"
        return [*self.work_log, entry, *(self.skipped if skips else [])]

    @property
    def skipped(self) -> list[TaskEntry]:
        """The parts that are not tried, since one before them failed."""
        return [TaskEntry(kind="call", text="", call=part.call, outcome="skipped") for part in self.work_parts]

    def _refusal_of_part(self, reason: str) -> str:
        assert self.work_call is not None, "a part is prepared"
        number = len(self.work_parts) + 1
        name = ", ".join(self.work_call.tools)
        return text("schedule.several_refused", self.language, number=number, tool=name, reason=reason)
