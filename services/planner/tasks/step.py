"""Take one decision in a task: what the model says is held against the tools and what happened, and read as an action.

Whatever a model replies, nothing is stored here: a call of a tool that writes becomes a question to the user.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import StepTaken, TakeStep
from bandsmith.shared.llm import Model, model_required
from bandsmith.shared.llm.answers import TaskStepAnswer, WantedCall
from bandsmith.shared.llm.ask import fault_of
from bandsmith.shared.llm.decide import Manner, decide
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.model.task import TaskEntry, ToolCall
from bandsmith.shared.tools import Tool
from bandsmith.shared.tools.context import CONTEXT_TOOLS, ContextTool, offered

from .context import messages, rules_words, state_words, tools_words, window_words

MANNER = Manner(max_tokens=1_200, temperature=0.3, reasons=True)
MAX_SAME_CALLS = 2
"""How often a tool may be called with the same arguments."""
MAX_READS_IN_A_ROW = 2
"""How often a tool that reads may be called without anything else in between."""
INSTRUCTION = "Decide what to do next."


class NotAllowed(Exception):
    """A reply that could be read asks for what may not be done; the message says so to the model."""


async def take_step(store: Store, command: TakeStep, model: Model | None) -> StepTaken:
    """Return the model's decision as an action, or why its reply cannot be used.

    Raises ``TerminalError`` if the model gives no answer.
    """
    if model is None:
        raise TerminalError.of("schedule.task.no_model", code="model")
    schedule = Schedule.model_validate_json(await store.get(command.work_draft))
    values: dict[str, object] = {
        "window": window_words(schedule),
        "rules": rules_words(command.work_packs),
        "tools": tools_words(command.work_packs),
        "request": command.text,
        "language": "Chinese" if command.language == "zh" else "English",
    }
    asked = messages("task_step", values, command.work_log, state_words(command.work, INSTRUCTION))
    with model_required():
        answer, raw, problem, usage = await decide(model, "task_step", asked, TaskStepAnswer, MANNER, command.allowance)
    if answer is not None:
        try:
            taken = read_action(answer, command.work_log, command.work_packs)
            return taken.model_copy(update={"work_reply": raw, "usage": usage})
        except NotAllowed as refused:
            problem = str(refused)
    return StepTaken(work_action="unusable", work_reply=raw, work_problem=problem, usage=usage)


def read_action(answer: TaskStepAnswer, log: Sequence[TaskEntry], packs: Sequence[str]) -> StepTaken:
    """Return what a reply asks for. Raises ``NotAllowed``."""
    words: Any = {"work_words": answer.speak, "work_reason": answer.reason}
    match answer.action:
        case "continue" | "confirm" if answer.tool_call is not None:
            call = _call(answer.tool_call, answer.action == "confirm", log, packs)
            return StepTaken(work_action="call", work_call=call, **words)
        case "continue":
            return StepTaken(work_action="say", **words)
        case "ask_user":
            return StepTaken(work_action="ask", **words)
        case "abort":
            return StepTaken(work_action="abort", **words)
    if answer.tool_call is not None:
        raise NotAllowed(f"{answer.action} calls no tool; call it first and look at its result")
    _hold_goal(answer, log)
    return StepTaken(work_action="next" if answer.action == "next_plan" else "done", **words)


def _call(wanted: WantedCall, is_confirmed: bool, log: Sequence[TaskEntry], packs: Sequence[str]) -> ToolCall:
    """Return the call with its arguments as they were read. Raises ``NotAllowed``."""
    tools: dict[str, type[Tool] | type[ContextTool]] = {**CONTEXT_TOOLS, **offered(packs)}
    kind = tools.get(wanted.name)
    if kind is None:
        raise NotAllowed(f"there is no tool {wanted.name[:80]}; these are offered: {', '.join(tools)}")
    try:
        read = kind.model_validate(wanted.arguments)
    except ValidationError as error:
        raise NotAllowed(f"{wanted.name} does not take these arguments: {fault_of(error)}") from None
    writes = isinstance(read, Tool) and read.writes
    if writes and not is_confirmed:
        raise NotAllowed(f"{wanted.name} writes: use the action confirm, so that the user is asked")
    number = sum(entry.call is not None for entry in log) + 1
    arguments = read.model_dump(mode="json", exclude_unset=True)
    call = ToolCall(id=f"c{number}", name=wanted.name, arguments=arguments)
    _hold_repetition(call, writes, log)
    return call


def _hold_repetition(call: ToolCall, writes: bool, log: Sequence[TaskEntry]) -> None:
    """Refuse a call that was made often enough. Raises ``NotAllowed``."""
    calls = [entry.call for entry in log if entry.call is not None]
    same = sum(_signature(one) == _signature(call) for one in calls)
    if same >= MAX_SAME_CALLS:
        raise NotAllowed(f"{call.name} was called with these arguments {same} times; its result stands above")
    last = [one.name for one in calls[-MAX_READS_IN_A_ROW:]]
    if not writes and call.name not in CONTEXT_TOOLS and last == [call.name] * MAX_READS_IN_A_ROW:
        raise NotAllowed(f"{call.name} was called {MAX_READS_IN_A_ROW} times in a row; do something else first")


def _hold_goal(answer: TaskStepAnswer, log: Sequence[TaskEntry]) -> None:
    """Hold the claim that something is done against what the program knows. Raises ``NotAllowed``."""
    writes = [entry.outcome for entry in log if entry.outcome not in (None, "read")]
    if answer.action == "done" and writes and "stored" not in writes:
        raise NotAllowed("nothing was stored in this task, so it is not done: find another way, or abort")


def _signature(call: ToolCall) -> str:
    return json.dumps([call.name, call.arguments], sort_keys=True, ensure_ascii=False)
