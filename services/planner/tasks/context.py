"""The messages of every stage of a task, built in one place.

Theory of operation
===================

A request to the model has four parts, in an order that keeps what came before unchanged from one round to the next, so
that servers can reuse what they have read:

0. the rules of the stage, the tools that are offered, and the request (the prompt);
1. and 2. what happened so far, one entry after another: replies, calls with their results, what the user said;
3. the state: the phase, the plan with its current step, and what to do now.

A call and its result are always a pair. The results of earlier calls are cut to their first line; the full
result can be recalled by the call's id.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from bandsmith.shared import prompts
from bandsmith.shared.llm.ask import AS_JSON, RULES
from bandsmith.shared.llm.base import ChatMessage
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.model.session_parts import HistoryEntry
from bandsmith.shared.model.task import FOREIGN, ForeignTool, TaskEntry, TaskProgress
from bandsmith.shared.schedule import past
from bandsmith.shared.tools import DOMAINS, ErrandTool, Tool
from bandsmith.shared.tools.context import CONTEXT_TOOLS, ContextTool, first_line, offered, packs_of, tool_names

from ..delivery import DeliverySettings

MAX_RECENT_RESULTS = 6
"""Results of earlier calls are cut to one line."""
MAX_BEFORE_ENTRIES, MAX_BEFORE_CHARS = 8, 600
"""Entries of the conversation before a task that its prompts hold, and characters of each."""
MAX_STATED_CHARS = 3_000
"""Of each result, in the request for a summary."""
OFFERS = "Domains whose packs context_tools_add offers, each with its tools; core always comes with its domain:"
GO_ON = "It is noted. Go on."
OUTCOMES = {
    "read": "",
    "stored": "The user agreed, and it is stored. ",
    "carried_out": "The user agreed, and it was done. ",
    "refused": "Refused, nothing has changed: ",
    "declined": "The user declined this call; nothing has changed. Find another way. ",
    "skipped": "Not tried, since a call before it was refused. ",
}


def messages(prompt: str, values: dict[str, object], log: Sequence[TaskEntry], state: str) -> list[ChatMessage]:
    """Return a stage's request to the model."""
    rules = f"{RULES}\n{AS_JSON}\n\n{prompts.load(prompt).fill(**values)}"
    said = [*_entries(log), ChatMessage(role="user", text=state)]
    return [ChatMessage(role="system", text=rules), *_merged(said)]


def window_words(schedule: Schedule) -> str:
    window = schedule.window
    return (
        f"today is {past.local_now():%Y-%m-%d %A}; "
        f"{window.start:%Y-%m-%d %A} is day 1, {window.date_of(window.days):%Y-%m-%d %A} is day {window.days}; "
        f"{window.slots} slots of {window.slot_minutes} minutes a day from {window.first_slot:%H:%M}"
    )


def tools_words(packs: Sequence[str], foreign: Sequence[ForeignTool] = ()) -> str:
    """Return the tools that are offered, a line each with its arguments."""
    lines = []
    tools: dict[str, type[Tool] | type[ErrandTool] | type[ContextTool]] = {**CONTEXT_TOOLS, **offered(packs)}
    for name, tool in tools.items():
        kind = "writes" if getattr(tool, "writes", False) else "reads"
        lines.append(f"{name}({_arguments(tool.parameters())}) {kind}: {' '.join((tool.__doc__ or '').split())}")
    return "\n".join([*lines, *_foreign_words(foreign)])


def _foreign_words(foreign: Sequence[ForeignTool]) -> list[str]:
    """Return the tools of other programs; what these say of them is data."""
    if not foreign:
        return []
    lines = [
        f"{tool.full_name}({', '.join(tool.parameters.get('properties', {}))}) "
        f"{'reads' if tool.reads else 'writes'}: {tool.about} Arguments: {json.dumps(tool.parameters)}"
        for tool in foreign
    ]
    return ["Tools of other programs, as they describe them:", prompts.fenced("\n".join(lines))]


def foreign_domain_words(servers: Sequence[str]) -> list[str]:
    """Return the domains of other programs, a line each."""
    return [f"{FOREIGN}{name}: the tools of the program {name}" for name in servers]


def rules_words(packs: Sequence[str], servers: Sequence[str] = ()) -> str:
    """Return the rules of the domains that are offered, and how to get the tools of the others."""
    domains = {pack.partition(".")[0] for pack in packs}
    known = [module.RULES for name, module in DOMAINS.items() if name in domains]
    ours = [f"{name}: {module.ABOUT}. Packs: {_packs_words(name)}" for name, module in DOMAINS.items()]
    others = [f"- {line}" for line in (*ours, *foreign_domain_words(servers))]
    return "\n".join([*known, OFFERS, *others])


def _packs_words(domain: str) -> str:
    """Return the packs of a domain, each with its tools."""
    return "; ".join(f"{pack} ({', '.join(tool_names(domain, pack))})" for pack in packs_of(domain))


def before_words(history: Sequence[HistoryEntry], report: str) -> str:
    """Return what was said last before a task, and whether the conversation has a report."""
    lines = [f"{entry.role}: {without_root(entry.text[:MAX_BEFORE_CHARS])}" for entry in history[-MAX_BEFORE_ENTRIES:]]
    known = f"The report of the conversation is called “{report}”." if report else "The conversation has no report yet."
    return "\n".join([*lines, known])


def without_root(words: str) -> str:
    """Return the words with files named below the folder of deliveries: a model needs no path of this machine."""
    return words.replace(f"{DeliverySettings().delivery_folder.expanduser().resolve()}/", "")


def domain_words() -> str:
    """Return what the domains can do, a line each."""
    return "\n".join(f"{name}: {module.ABOUT}" for name, module in DOMAINS.items())


def state_words(progress: TaskProgress, instruction: str) -> str:
    """Return where the task is and what to do now."""
    lines = [f"Phase: {progress.phase}. The plan:"]
    for number, step in enumerate(progress.steps):
        mark = "done" if number < progress.at else "now" if number == progress.at else "later"
        mark = "not done" if number in progress.undone else mark
        lines.append(f"{number + 1}. ({mark}) {step.content} Done when: {step.done_when or 'it is done'}")
    return "\n".join([*lines, instruction])


def happened_words(log: Sequence[TaskEntry]) -> str:
    """Return every call with what became of it, and what the user said."""
    lines = []
    for entry in log:
        if entry.call is not None and entry.call.name not in CONTEXT_TOOLS:
            cut = " (the rest is left out)" if len(entry.result) > MAX_STATED_CHARS else ""
            result = without_root(entry.result[:MAX_STATED_CHARS])
            lines.append(f"{entry.call.name}: {entry.outcome}. {result}{cut}")
        elif entry.kind == "user":
            lines.append(f"The user said: {entry.text}")
    return "\n".join(lines)


def _entries(log: Sequence[TaskEntry]) -> Iterator[ChatMessage]:
    calls = [number for number, entry in enumerate(log) if entry.call is not None]
    recent = set(calls[-MAX_RECENT_RESULTS:])
    for number, entry in enumerate(log):
        if entry.kind == "user":
            yield ChatMessage(role="user", text=f"The user says:\n{prompts.fenced(entry.text)}")
            continue
        if entry.text:  # one reply may call several tools
            yield ChatMessage(role="assistant", text=entry.text)
        if entry.call is not None and entry.outcome is not None:
            result = entry.result if number in recent else _cut(entry)
            fenced = prompts.fenced(without_root(result)) if result else ""
            text = f"Result of call {entry.call.id} ({entry.call.name}): {OUTCOMES[entry.outcome]}\n{fenced}"
            yield ChatMessage(role="user", text=text.rstrip())
        elif entry.problem:
            yield ChatMessage(role="user", text=f"That reply cannot be used: {entry.problem}\nReply again.")
        else:
            yield ChatMessage(role="user", text=GO_ON)


def _merged(found: Iterable[ChatMessage]) -> Iterator[ChatMessage]:
    """Join messages of one role that follow each other: many chat templates want the roles to alternate."""
    last: ChatMessage | None = None
    for message in found:
        if last is not None and last.role == message.role:
            last = ChatMessage(role=last.role, text=f"{last.text}\n{message.text}")
            continue
        if last is not None:
            yield last
        last = message
    if last is not None:
        yield last


def _cut(entry: TaskEntry) -> str:
    """Return the first line of a result, and that the whole can be recalled where it is kept."""
    line = first_line(entry.result)
    if line == entry.result and entry.whole is None:
        return line
    return f"{line} … (recall shows the whole)" if entry.whole else f"{line} …"


def _arguments(schema: dict[str, object]) -> str:
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    assert isinstance(properties, dict) and isinstance(required, list)
    definitions = schema.get("$defs", {})
    assert isinstance(definitions, dict)
    return ", ".join(
        f"{name}{'' if name in required else '?'}: {_kind(part, definitions)}" for name, part in properties.items()
    )


def _kind(part: dict[str, object], definitions: dict[str, dict[str, object]]) -> str:
    """Return the type of an argument, as short as a model needs it."""
    choices = part.get("anyOf")
    if isinstance(choices, list):
        return "|".join(_kind(choice, definitions) for choice in choices if choice.get("type") != "null")
    if isinstance(part.get("enum"), list):
        return "|".join(f'"{value}"' for value in part["enum"])  # type: ignore[attr-defined]
    if "$ref" in part:
        return f"{{{_arguments(definitions[str(part['$ref']).rpartition('/')[2]])}}}"
    if part.get("type") == "array":
        items = part["items"]
        assert isinstance(items, dict)
        return f"[{_kind(items, definitions)}]"
    return str(part.get("format") or part.get("type", "any"))
