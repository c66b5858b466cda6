"""The tools, as the inspector of the Model Context Protocol calls them from its command line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bandsmith.shared.events import ClassifyIntent, IntentClassified
from bandsmith.shared.model.session_parts import Intent
from tests.gateway.scripted import Script
from tests.web.conftest import TEMPLATE, Place
from tools.node import find_node

from .test_mcp_over_http import upload

Inspect = Callable[..., Awaitable[dict[str, Any]]]
pytestmark = pytest.mark.slow


@pytest.fixture
def script() -> Script:
    intents: tuple[Intent, ...] = ("initial_generation", "modify_report")
    return {ClassifyIntent: [IntentClassified(intent=intent) for intent in intents]}


@pytest.fixture
def inspect(place: Place, packages: Path) -> Inspect:
    """Call a method of the server by the inspector's command line, and return the result."""
    scope = packages / "node_modules" / "@modelcontextprotocol"
    about = {"name": "@modelcontextprotocol/inspector", "version": "1"}
    (scope / "package.json").write_text(json.dumps(about))  # it looks for the whole inspector's, two folders above

    async def inspect(key: str, method: str, *arguments: str) -> dict[str, Any]:
        program = "node_modules/@modelcontextprotocol/inspector-cli/build/cli.js"
        call = ["--cli", f"{place.address}/mcp", "--transport", "http", "--method", method, *arguments]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *(find_node().node, program, *call, "--header", f"Authorization: Bearer {key}"),
            cwd=packages,
            stdout=pipe,
            stderr=pipe,
        )
        out, errors = await process.communicate()
        assert process.returncode == 0, errors.decode()
        found: dict[str, Any] = json.loads(out)
        return found

    return inspect


async def test_a_report_is_built_from_a_picture_changed_and_downloaded(place: Place, inspect: Inspect):
    key = place.keys.add("ann", "editor")
    tools = {tool["name"] for tool in (await inspect(key, "tools/list"))["tools"]}
    file = f"file={await upload(place, key)}"
    built = await inspect(key, "tools/call", *tool("build_report", file, "session=march"))
    changed = await inspect(key, "tools/call", *tool("change_report", "session=march", "request=make the title larger"))
    async with place.client(None) as anyone:
        template = await anyone.get(built["structuredContent"]["files"]["report.jrxml"])
        template_of_change = await anyone.get(changed["structuredContent"]["files"]["report.jrxml"])
    assert {"build_report", "change_report", "export_report"} <= tools
    assert (built["structuredContent"]["version"], changed["structuredContent"]["version"]) == (1, 2)
    assert (template.content, template_of_change.content) == (TEMPLATE, b"modified")


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("build_report", ["file=elsewhere"], "There is no such uploaded file"),
        ("change_report", ["session=april", "request=undo"], "There is no such session"),
    ],
)
async def test_an_error_is_a_sentence_that_says_what_to_do(
    place: Place, inspect: Inspect, name: str, arguments: list[str], words: str
):
    refused = await inspect(place.keys.add("ann", "editor"), "tools/call", *tool(name, *arguments))
    assert refused["isError"] and words in refused["content"][0]["text"]


def tool(name: str, *arguments: str) -> list[str]:
    return ["--tool-name", name, *(part for one in arguments for part in ("--tool-arg", one))]
