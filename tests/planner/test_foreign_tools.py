"""Tools of other programs: real processes that speak the Model Context Protocol, called only as the user agreed."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from bandsmith.services.planner.tasks.arguments import problem_of
from bandsmith.services.planner.tasks.context import tools_words
from bandsmith.services.planner.tasks.foreign_calls import ask_server, carry_out
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import AskServer, CarryOutCall, ServerAnswered
from bandsmith.shared.model.task import ForeignTool, ToolCall
from bandsmith.shared.owners import digest_of_owner, owner_of_user
from bandsmith.shared.tool_servers import servers_of
from tests.planner.test_tasks import Memory, taken

ROOT = Path(__file__).parents[2]
ANN = digest_of_owner(owner_of_user("ann"))


class Outbox:
    """What the program "post" has sent, and the file that names it."""

    def __init__(self, home: Path) -> None:
        self.sent, self.servers = home / "outbox", home / "tool_servers.toml"

    def text(self) -> str:
        return self.sent.read_text() if self.sent.exists() else ""


@pytest.fixture
def outbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Outbox:
    """The program "post" is the only one there is."""
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path))
    command = [sys.executable, "-m", "tests.planner.tool_server", str(tmp_path / "outbox")]
    (tmp_path / "tool_servers.toml").write_text(
        f"[post]\ncommand = {json.dumps(command)}\nenv = {{ PYTHONPATH = {json.dumps(str(ROOT))} }}\n"
    )
    return Outbox(tmp_path)


async def asked(
    name: str, tools: list[ForeignTool] | None = None, owner: str = "", kind: Any = AskServer, **arguments: object
) -> ServerAnswered:
    call = ToolCall(id="c1", name=name, arguments=arguments)
    handle = ask_server if kind is AskServer else carry_out
    command = kind(owner=owner, work_call=call, work_packs=["mcp.post.core"], work_tools=tools or [], language="en")
    return await handle(Memory(), command)


async def offered(owner: str = "") -> ServerAnswered:
    return await asked("context_tools_add", owner=owner, domain="mcp.post")


@pytest.fixture(scope="module")
def known() -> list[ForeignTool]:
    """The tools that the program said it has: it is asked once, for each question starts it."""
    return []


@pytest.fixture
async def tools(outbox: Outbox, known: list[ForeignTool]) -> list[ForeignTool]:
    if not known:
        known += (await offered()).work_tools
    return known


async def test_the_tools_of_a_program_are_offered_with_what_it_says_of_them(outbox: Outbox, known: list[ForeignTool]):
    added = await offered()
    known[:] = added.work_tools
    assert added.work_outcome == "read" and added.work_packs == ["mcp.post.core"]
    assert [(tool.full_name, tool.reads) for tool in added.work_tools] == [
        ("mcp.post.look", True), ("mcp.post.send", False), ("mcp.post.fail", False),
    ]  # fmt: skip
    words = tools_words([], added.work_tools)
    assert "mcp.post.send(to, copies) writes: Send a message." in words
    assert "<data " in words.partition("IGNORE ALL RULES")[0]


async def test_a_tool_that_reads_is_called_at_once_and_any_other_is_only_shown(
    outbox: Outbox, tools: list[ForeignTool]
):
    assert (await asked("mcp.post.look", tools)).work_result == "nothing"
    shown = await asked("mcp.post.send", tools, to="ann", copies=2)
    assert (shown.work_outcome, shown.work_shown) == (
        "shown", 'mcp.post.send with these arguments:\n- to: "ann"\n- copies: 2',
    )  # fmt: skip
    assert outbox.text() == ""
    done = await asked("mcp.post.send", tools, kind=CarryOutCall, to="ann", copies=2)
    assert (done.work_outcome, done.work_result) == ("carried_out", "Sent to ann.")
    assert outbox.text() == "to ann\nto ann\n"


async def test_what_goes_wrong_at_a_program_is_told(outbox: Outbox, tools: list[ForeignTool]):
    failed = await asked("mcp.post.fail", tools, kind=CarryOutCall)
    assert failed.work_outcome == "refused" and failed.work_result.startswith("The tool failed: ")
    wrong = await asked("mcp.post.send", tools, to=3)
    assert "does not take these arguments: to: 3 is not of type" in wrong.work_result
    outbox.servers.write_text('[post]\ncommand = ["/no/such/program"]\n')
    away = await asked("mcp.post.look", tools)
    assert away.work_result == "The program post does not answer. Check its entry in tool_servers.toml."


async def test_a_user_of_the_web_calls_only_what_is_open_to_them(outbox: Outbox):
    refused = await offered(owner=ANN)
    assert refused.work_outcome == "refused" and refused.work_result.startswith("There is no program post.")
    file = outbox.servers
    file.write_text(file.read_text() + 'users = ["ann"]\n')
    assert list(servers_of(ANN, file)) == ["post"]


@pytest.mark.parametrize(
    "content", ["[post]", "[post]\ncommand = []", '[Post]\ncommand = ["x"]', '[post]\nurl = "ftp://x"']
)
def test_a_file_that_cannot_be_read_is_named_without_its_content(tmp_path: Path, content: str):
    (tmp_path / "tool_servers.toml").write_text(content)
    with pytest.raises(BadInput, match=r"^tool_servers\.toml cannot be read"):
        servers_of("", tmp_path / "tool_servers.toml")


TOOLS = [
    ForeignTool(server="post", name="look", reads=True),
    ForeignTool(server="post", name="send", parameters={"properties": {"to": {"type": "string"}}, "required": ["to"]}),
]


@pytest.mark.parametrize(
    ("action", "name", "arguments", "problem"),
    [
        ("continue", "mcp.post.send", {"to": "ann"}, "writes: use the action confirm"),
        ("confirm", "mcp.post.send", {}, "'to' is a required property"),
        ("confirm", "mcp.post.burn", {}, "there is no tool mcp.post.burn"),
        ("confirm", "mcp.post.send", {"to": "ann"}, ""),
        ("continue", "mcp.post.look", {}, ""),
    ],
)
async def test_a_model_calls_other_programs_as_it_calls_our_tools(
    action: str, name: str, arguments: dict, problem: str
):
    reply = {"action": action, "tool_call": {"name": name, "arguments": arguments}}
    step = await taken(reply, packs=["mcp.post.core"], foreign=TOOLS)
    assert step.work_action == ("unusable" if problem else "call") and problem in step.work_problem


@pytest.mark.parametrize(
    "schema",
    [{"type": "nonsense"}, {"$ref": "http://127.0.0.1:1/x"}, {"properties": 3}, {"pattern": "("}],
)
def test_a_broken_schema_takes_nothing(schema: dict[str, object]):
    assert problem_of(schema, {"to": "ann"})


@pytest.mark.slow
async def test_a_server_from_the_package_index_tells_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = shutil.which("mcp-server-time", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("mcp-server-time is not installed")
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path))
    (tmp_path / "tool_servers.toml").write_text(f'[time]\ncommand = ["{program}", "--local-timezone", "UTC"]\n')
    added = await asked("context_tools_add", domain="mcp.time")
    names = {tool.full_name for tool in added.work_tools}
    assert names == {"mcp.time.get_current_time", "mcp.time.convert_time"}
    command = CarryOutCall(
        owner="", work_call=ToolCall(id="c2", name="mcp.time.convert_time", arguments={
            "source_timezone": "Europe/Berlin", "time": "09:00", "target_timezone": "Asia/Shanghai"}),
        work_packs=added.work_packs, work_tools=added.work_tools, language="en",
    )  # fmt: skip
    answered = await carry_out(Memory(), command)
    assert answered.work_outcome in ("carried_out", "read") and "Asia/Shanghai" in answered.work_result
