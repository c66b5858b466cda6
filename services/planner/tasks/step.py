"""Take one decision in a task: the reply of the model is checked against the tools and the log, and read as an action.

Whatever a model replies, nothing is stored here: a call of a tool that writes becomes a question to the user.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import StepTaken, TakeStep
from bandsmith.shared.language import ENGLISH_NAMES
from bandsmith.shared.llm import Model, model_required
from bandsmith.shared.llm.answers.work import TaskStepAnswer, WantedCall
from bandsmith.shared.llm.ask import fault_of
from bandsmith.shared.llm.decide import Manner, decide
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.model.task import FOREIGN, SEVERAL, ForeignTool, TaskEntry, TaskProgress, ToolCall
from bandsmith.shared.tools import ALL_TOOLS, ErrandTool, Tool
from bandsmith.shared.tools.context import CONTEXT_TOOLS, PLACING, ContextTool, foreign_offered, offered
from bandsmith.shared.tools.schedule.several import SeveralChanges

from .arguments import problem_of
from .context import messages, rules_words, state_words, tools_words, window_words

MANNER = Manner(max_tokens=1_200, temperature=0.3, reasons=True)
MAX_SAME_CALLS = 2
"""How often a tool may be called with the same arguments; one that reads, since the calendar last changed."""
MAX_READS_IN_A_ROW = 2
"""How often a tool that reads may be called without anything else in between."""
INSTRUCTION = "Decide what to do next."


class Offer(NamedTuple):
    """The tools that a model may call."""

    packs: Sequence[str]
    foreign: Sequence[ForeignTool] = ()


class NotAllowed(Exception):
    """A reply that could be read asks for what may not be done; the message says so to the model."""


async def take_step(store: Store, command: TakeStep, model: Model | None) -> StepTaken:
    """Return the model's decision as an action, or why its reply cannot be used.

    Raises ``TerminalError`` if the model gives no answer.
    """
    if model is None:
        raise TerminalError.of("schedule.task.no_model", code="model")
    schedule = Schedule.model_validate_json(await store.get(command.work_draft))
    foreign = foreign_offered(command.work_packs, command.work_tools)
    values: dict[str, object] = {
        "window": window_words(schedule),
        "rules": rules_words(command.work_packs, command.work_servers),
        "tools": tools_words(command.work_packs, foreign),
        "before": command.work_before,
        "request": command.text,
        "language": ENGLISH_NAMES[command.language],
    }
    asked = messages("task_step", values, command.work_log, state_words(command.work, INSTRUCTION))
    with model_required():
        answer, raw, problem, usage = await decide(model, "task_step", asked, TaskStepAnswer, MANNER, command.allowance)
    if answer is not None:
        try:
            offer = Offer(command.work_packs, foreign)
            taken = read_action(answer, command.work, command.work_log, offer)
            return taken.model_copy(update={"work_reply": raw, "usage": usage})
        except NotAllowed as refused:
            problem = str(refused)
    return StepTaken(work_action="unusable", work_reply=raw, work_problem=problem, usage=usage)


def read_action(answer: TaskStepAnswer, progress: TaskProgress, log: Sequence[TaskEntry], offer: Offer) -> StepTaken:
    """Return what a reply asks for. Raises ``NotAllowed``."""
    words: Any = {"work_words": answer.speak, "work_reason": answer.reason}
    match answer.action:
        case "continue" | "confirm" if answer.tool_call is not None:
            _hold_mode(answer.tool_call, progress)
            call = _call(answer.tool_call, answer.action == "confirm", log, offer)
            return StepTaken(work_action="call", work_call=call, **words)
        case "continue":
            return StepTaken(work_action="say", **words)
        case "ask_user":
            return StepTaken(work_action="ask", **words)
        case "abort":
            return StepTaken(work_action="abort", **words)
    if answer.tool_call is not None:
        raise NotAllowed(f"{answer.action} calls no tool; call it first and look at its result")
    if answer.action == "done" or progress.at + 1 >= len(progress.steps):
        _hold_end(log)
        _hold_refining(log, progress)
    return StepTaken(work_action="next" if answer.action == "next_plan" else "done", **words)


def _call(wanted: WantedCall, is_confirmed: bool, log: Sequence[TaskEntry], offer: Offer) -> ToolCall:
    """Return the call with its arguments as they were read. Raises ``NotAllowed``."""
    arguments, writes = _read_call(wanted, offer)
    if writes and not is_confirmed:
        raise NotAllowed(f"{wanted.name} writes: use the action confirm, so that the user is asked")
    number = sum(entry.call is not None for entry in log) + 1
    call = ToolCall(id=f"c{number}", name=wanted.name, arguments=arguments)
    _hold_repetition(call, writes, log)
    return call


def _read_call(wanted: WantedCall, offer: Offer) -> tuple[dict[str, Any], bool]:
    """Return the arguments of a call, and whether it writes. Raises ``NotAllowed``."""
    foreign = {tool.full_name: tool for tool in offer.foreign}
    if (known := foreign.get(wanted.name)) is not None:
        if problem := problem_of(known.parameters, wanted.arguments):
            raise NotAllowed(f"{wanted.name} does not take these arguments: {problem}")
        return wanted.arguments, not known.reads
    tools: dict[str, type[Tool] | type[ErrandTool] | type[ContextTool]] = {**CONTEXT_TOOLS, **offered(offer.packs)}
    kind = tools.get(wanted.name)
    if kind is None:
        names = ", ".join([*tools, *foreign])
        raise NotAllowed(f"there is no tool {wanted.name[:80]}; these are offered: {names}")
    try:
        read = kind.model_validate(wanted.arguments)
    except ValidationError as error:
        raise NotAllowed(f"{wanted.name} does not take these arguments: {fault_of(error)}") from None
    if isinstance(read, SeveralChanges):
        _hold_foreign_parts(read, foreign)
    return read.model_dump(mode="json", exclude_unset=True), isinstance(read, Tool | ErrandTool) and read.writes


def _hold_foreign_parts(several: SeveralChanges, foreign: Mapping[str, ForeignTool]) -> None:
    """Hold the calls of other programs' tools among several. Raises ``NotAllowed``."""
    for part in several.calls:
        if not part.name.startswith(FOREIGN):
            continue
        known = foreign.get(part.name)
        if known is None or known.reads:
            raise NotAllowed(f"{SEVERAL} calls tools that write, and {part.name[:80]} is none that is offered")
        if problem := problem_of(known.parameters, part.arguments):
            raise NotAllowed(f"{part.name} does not take these arguments: {problem}")


def _hold_repetition(call: ToolCall, writes: bool, log: Sequence[TaskEntry]) -> None:
    """Refuse a call that was made often enough. Raises ``NotAllowed``."""
    calls = [entry.call for entry in log if entry.call is not None]
    last_stored = max((number for number, entry in enumerate(log) if entry.outcome == "stored"), default=-1)
    compared = log if writes else log[last_stored + 1 :]  # a calendar that has changed may be read again
    same = sum(_signature(entry.call) == _signature(call) for entry in compared if entry.call is not None)
    if same >= MAX_SAME_CALLS:
        raise NotAllowed(f"{call.name} was called with these arguments {same} times; its result stands above")
    last = [one.name for one in calls[-MAX_READS_IN_A_ROW:]]
    if not writes and call.name not in CONTEXT_TOOLS and last == [call.name] * MAX_READS_IN_A_ROW:
        raise NotAllowed(f"{call.name} was called {MAX_READS_IN_A_ROW} times in a row; do something else first")


def _hold_end(log: Sequence[TaskEntry]) -> None:
    """Hold the claim that the whole task is done against what the program knows. Raises ``NotAllowed``.

    It is made by the action done, and by next_plan at the last step.
    """
    calls = [
        (ALL_TOOLS[entry.call.name], entry.outcome) for entry in log if entry.call and entry.call.name in ALL_TOOLS
    ]
    if any(entry.outcome == "carried_out" for entry in log):
        return
    is_read = any(entry.call and entry.call.name.startswith(FOREIGN) and entry.outcome == "read" for entry in log)
    writes = {outcome for tool, outcome in calls if tool.writes}
    classes = [outcome for tool, outcome in calls if tool.domain == "taskclass"]
    if classes and classes[-1] == "refused":
        raise NotAllowed("the task class is not valid yet, so the task is not done: see the validation above")
    if writes and "stored" not in writes:
        raise NotAllowed("nothing was stored in this task, so it is not done: find another way, or abort")
    if not is_read and not any(outcome in ("read", "stored") for _, outcome in calls):
        raise NotAllowed("nothing was read or stored in this task, so it is not done: call a tool, or abort")


def _hold_mode(wanted: WantedCall, progress: TaskProgress) -> None:
    """Refuse to refine the whole calendar in a task of single changes. Raises ``NotAllowed``."""
    packs = wanted.arguments.get("packs")
    is_analysis = isinstance(packs, list) and "deep_analyze" in packs
    if progress.refining == "local_adjust" and wanted.name == "context_tools_add" and is_analysis:
        raise NotAllowed("the plan is a local adjustment: make the changes that were asked for, without an analysis")


def _hold_refining(log: Sequence[TaskEntry], progress: TaskProgress) -> None:
    """Hold that a calendar which is to be refined was analysed since its work was placed. Raises ``NotAllowed``."""
    if progress.refining not in ("first_full", "global_reopt"):
        return
    placed = [n for n, entry in enumerate(log) if entry.outcome == "stored" and _is_call(entry, *PLACING)]
    if progress.refining == "first_full" and not placed:
        return
    if not any(_is_call(entry, "analyze_health") for entry in log[max(placed, default=0) :]):
        raise NotAllowed(
            "the calendar is to be refined: call analyze_health (pack deep_analyze) before the task is done"
        )


def _is_call(entry: TaskEntry, *names: str) -> bool:
    return entry.call is not None and not {*names}.isdisjoint(entry.call.tools)


def _signature(call: ToolCall) -> str:
    return json.dumps([call.name, call.arguments], sort_keys=True, ensure_ascii=False)
