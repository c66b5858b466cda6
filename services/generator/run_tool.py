"""Run one tool on a copy of a calendar: what a call that writes would change is computed here, and not stored."""

from __future__ import annotations

import asyncio
import uuid

from pydantic import ValidationError

from bandsmith.shared.actor import Store
from bandsmith.shared.events import RunTool, ToolRan
from bandsmith.shared.language import Language
from bandsmith.shared.llm.ask import fault_of
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule import past
from bandsmith.shared.schedule.difference import Difference
from bandsmith.shared.schedule.health import analyse
from bandsmith.shared.schedule.past import first_ahead
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.wording import difference_lines
from bandsmith.shared.tools import TOOLS, Tool
from bandsmith.shared.tools.context import (
    CONTEXT_TOOLS,
    REFINING,
    ContextToolsAdd,
    ContextToolsRemove,
    PacksRefused,
    first_line,
    offered,
)

MAX_RESULT_CHARS = 2_000
"""A longer result is shortened; it can be recalled in full."""
MAX_RECALLED_CHARS = 12_000


async def run_tool(store: Store, command: RunTool) -> ToolRan:
    """Return the result of a tool, for one that writes what it would change; or why the call is refused."""
    call, packs, language = command.work_call, command.work_packs, command.language
    if call.name in CONTEXT_TOOLS:
        return await _context_tool(store, command)
    kind = TOOLS.get(call.name)
    if kind is None or call.name not in offered(packs):
        names = ", ".join([*CONTEXT_TOOLS, *offered(packs)])
        refusal = text("schedule.unknown_tool", language, name=call.name, names=names)
        return ToolRan(work_result=refusal, work_refused=True, work_packs=packs)
    try:
        known = kind.model_validate(call.arguments).with_memory(command.work_memory)
    except ValidationError as error:
        return ToolRan(work_result=_wrong_arguments(call.name, error, language), work_refused=True, work_packs=packs)
    schedule = Schedule.model_validate_json(await store.get(command.work_draft))
    tool = known.from_now_on(first_ahead(schedule.window, past.local_now()))
    try:
        if REFINING in packs and tool.domain == "schedule" and tool.writes:
            await asyncio.to_thread(_hold_candidates, tool, schedule)
        result = await asyncio.to_thread(tool.run, schedule, language)
    except ChangeRefused as refused:
        return ToolRan(work_result=refused.reason.in_language(language), work_refused=True, work_packs=packs)
    remembered = {"work_memory_next": result.memory}
    if tool.writes:
        proposed = await _proposed(store, command, tool, schedule, result.schedule, result.text)
        return proposed.model_copy(update=remembered)
    return (await _stated(store, result.text, packs)).model_copy(update=remembered)


async def _context_tool(store: Store, command: RunTool) -> ToolRan:
    """Change which tools are offered, or show an earlier result in full."""
    call, packs, language = command.work_call, command.work_packs, command.language
    try:
        tool = CONTEXT_TOOLS[call.name].model_validate(call.arguments)
    except ValidationError as error:
        return ToolRan(work_result=_wrong_arguments(call.name, error, language), work_refused=True, work_packs=packs)
    if isinstance(tool, ContextToolsAdd | ContextToolsRemove):
        try:
            packs = tool.apply(packs)
        except PacksRefused as refused:
            return ToolRan(work_result=refused.reason.in_language(language), work_refused=True, work_packs=packs)
        names = ", ".join(offered(packs))
        said = text("schedule.tools.offered" if names else "schedule.tools.none_offered", language, names=names)
        return ToolRan(work_result=said, work_packs=packs)
    if command.work_recalled is None:
        refusal = text("schedule.tools.nothing_to_recall", language, id=call.arguments.get("id", ""))
        return ToolRan(work_result=refusal, work_refused=True, work_packs=packs)
    whole = (await store.get(command.work_recalled)).decode()
    return ToolRan(work_result=whole[:MAX_RECALLED_CHARS], work_whole=command.work_recalled, work_packs=packs)


def _hold_candidates(tool: Tool, schedule: Schedule) -> None:
    """Refuse a change that the analysis of the calendar does not offer. Raises ``ChangeRefused``."""
    if not tool.is_among(analyse(schedule).candidates):
        raise ChangeRefused.of("not_a_candidate")


async def _proposed(
    store: Store, command: RunTool, tool: Tool, before: Schedule, after: Schedule, stated: str
) -> ToolRan:
    """Return what a call would change, as it is shown and as it will be stored."""
    language, packs = command.language, command.work_packs
    change = Difference.between(before, after)
    if not change:
        nothing = text("schedule.tools.changes_nothing", language)
        return ToolRan(work_result=nothing, work_refused=True, work_packs=packs)
    lines = difference_lines(before, after, language)
    shown = "\n".join([tool.confirmation(before, language), *([""] if lines else []), *lines])
    result = await _stated(store, stated, packs)
    return result.model_copy(
        update={
            "work_change": await store.put(change.model_dump_json().encode(), "application/json"),
            "work_change_id": uuid.uuid4().hex,
            "work_shown": shown,
            "work_may_repeat": tool.is_repeatable,
        }
    )


async def _stated(store: Store, stated: str, packs: list[str]) -> ToolRan:
    """Return a result. A long one is shortened, and what later rounds shorten is kept in full by reference."""
    if stated == first_line(stated):
        return ToolRan(work_result=stated, work_packs=packs)
    whole = await store.put(stated.encode(), "text/plain")
    shown = stated if len(stated) <= MAX_RESULT_CHARS else f"{stated[:MAX_RESULT_CHARS]} …"
    return ToolRan(work_result=shown, work_whole=whole, work_packs=packs)


def _wrong_arguments(name: str, error: ValidationError, language: Language) -> str:
    return text("schedule.tools.unknown_arguments", language, name=name, problem=fault_of(error))
