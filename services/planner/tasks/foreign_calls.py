"""Calls of other programs' tools: one that only reads is made at once, any other one after the user's consent.

A program says itself whether a tool only reads; the person who added it to ``tool_servers.toml`` trusts it with that.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import AskServer, CarryOutCall, ServerAnswered
from bandsmith.shared.language import Language
from bandsmith.shared.model.task import FOREIGN, ForeignTool
from bandsmith.shared.replies import text
from bandsmith.shared.settings import ToolServerSettings
from bandsmith.shared.tool_servers import ToolServer, servers_of
from bandsmith.shared.tools.context import CORE, first_line, foreign_offered

from .arguments import problem_of
from .mcp_client import call_tool, list_tools

MAX_SHOWN_CHARS = 2_000
"""A longer result is shortened; it can be recalled in full."""
MAX_ARGUMENT_CHARS = 4_000
"""Arguments that a person could not read are not offered for consent."""


async def ask_server(store: Store, command: AskServer) -> ServerAnswered:
    """List a program's tools, or call one that only reads, or show the call."""
    try:
        if command.work_call.name == "context_tools_add":
            return await _offered(command)
        server, tool = _tool(command)
        if not tool.reads:
            shown = _shown(command)
            return _answered(command, work_outcome="shown", work_shown=shown)
        return await _called(store, command, server, tool, "read")
    except BadInput as refused:
        return _answered(command, work_outcome="refused", work_result=_words(refused, command.language))


async def carry_out(store: Store, command: CarryOutCall) -> ServerAnswered:
    """Make the call that the user agreed to."""
    try:
        return await _called(store, command, *_tool(command), "carried_out")
    except BadInput as refused:
        return _answered(command, work_outcome="refused", work_result=_words(refused, command.language))


async def _offered(command: AskServer) -> ServerAnswered:
    """Offer the tools of a program. Raises ``BadInput``."""
    arguments = command.work_call.arguments
    server = _server(command, str(arguments["domain"]).removeprefix(FOREIGN))
    tools = await list_tools(server)
    is_alone = arguments.get("mode") == "replace"
    kept = [] if is_alone else [tool for tool in command.work_tools if tool.server != server.name]
    packs = [] if is_alone else command.work_packs
    names = ", ".join(tool.full_name for tool in tools)
    return ServerAnswered(
        work_outcome="read",
        work_result=text("schedule.servers.offered", command.language, name=server.name, names=names or "-"),
        work_packs=sorted({*packs, f"{FOREIGN}{server.name}.{CORE}"}),
        work_tools=[*kept, *tools],
    )


async def _called(
    store: Store, command: AskServer | CarryOutCall, server: ToolServer, tool: ForeignTool, outcome: str
) -> ServerAnswered:
    """Call a tool and return its result. Raises ``BadInput`` if there is none."""
    result = await call_tool(server, tool.name, command.work_call.arguments)
    stated = text("schedule.servers.failed", command.language, result=result.text) if result.is_error else result.text
    answered = _answered(command, work_outcome="refused" if result.is_error else outcome, work_result=stated)
    if stated == first_line(stated):
        return answered
    whole = await store.put(stated.encode(), "text/plain")
    shown = stated if len(stated) <= MAX_SHOWN_CHARS else f"{stated[:MAX_SHOWN_CHARS]} …"
    return answered.model_copy(update={"work_result": shown, "work_whole": whole})


def _tool(command: AskServer | CarryOutCall) -> tuple[ToolServer, ForeignTool]:
    """Return the tool that is called, if its arguments fit. Raises ``BadInput``."""
    call = command.work_call
    offered = foreign_offered(command.work_packs, command.work_tools)
    tool = next((one for one in offered if one.full_name == call.name), None)
    if tool is None:
        names = _names([one.full_name for one in offered])
        raise BadInput.of("schedule.servers.no_tool", code="tool", name=call.name, names=names)
    server = _server(command, tool.server)
    problem = problem_of(tool.parameters, call.arguments)
    if not problem and len(json.dumps(call.arguments)) > MAX_ARGUMENT_CHARS:
        problem = f"> {MAX_ARGUMENT_CHARS}"
    if problem:
        raise BadInput.of("schedule.tools.unknown_arguments", code="tool", name=call.name, problem=problem)
    return server, tool


def _server(command: AskServer | CarryOutCall, name: str) -> ToolServer:
    servers = servers_of(command.owner, ToolServerSettings().file)
    if name not in servers:
        raise BadInput.of("schedule.servers.unknown", code="servers", name=name, names=_names(list(servers)))
    return servers[name]


def _shown(command: AskServer) -> str:
    """Return the call with every argument, as it will be made."""
    call = command.work_call
    if not call.arguments:
        return text("schedule.servers.bare_call", command.language, name=call.name)
    lines = [f"- {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in call.arguments.items()]
    return text("schedule.servers.call", command.language, name=call.name, arguments="\n".join(lines))


def _answered(command: AskServer | CarryOutCall, **news: object) -> ServerAnswered:
    known = {"work_packs": command.work_packs, "work_tools": command.work_tools}
    return ServerAnswered.model_validate(known | news)


def _words(refused: BadInput, language: Language) -> str:
    return refused.message_zh if language == "zh" and refused.message_zh else refused.message


def _names(found: Sequence[str]) -> str:
    return ", ".join(found) or "-"
