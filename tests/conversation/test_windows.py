"""A page whose every window needs a model: it is asked once about each, about all at once, and held to that window."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import TypeAdapter

from bandsmith.attachments import attachment
from bandsmith.client import Client
from bandsmith.services.generator.refinement.join import join
from bandsmith.services.generator.refinement.llm_refinement import Refinement, refine_by_rules
from bandsmith.services.generator.refinement.windows import windows
from bandsmith.shared.editing import Editor
from bandsmith.shared.events import (
    DraftRendered,
    LayoutExtracted,
    LayoutRefined,
    NodeStarted,
    SkeletonGenerated,
    TurnFinished,
    WindowsJoined,
)
from bandsmith.shared.jrxml.dom import report_element
from bandsmith.shared.llm.scripted import ScriptedRequest
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.turns.verdict import Printed
from benchmarks import windows as benchmark

from .conftest import Mind

pytestmark = [
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="package"),
    pytest.mark.parametrize("host", ["model"], indirect=True),
]

PRINTED = TypeAdapter(list[Printed])
REFINE = "refine_layout"
LINES, WINDOWS = 12, 7
"""Lines of the page, and the windows that they make: one more than there are kinds of hostile replies."""


class Hostile:
    """Replies only when it is allowed to, and then with edits that no window may make."""

    def __init__(self) -> None:
        self.elements: list[str] = []
        """The keys of all that is on the page."""
        self.may_answer = threading.Event()
        self._numbers = count()

    def __call__(self, asked: ScriptedRequest) -> dict[str, object]:
        number = next(self._numbers)
        assert self.may_answer.wait(60)
        own = [element["key"] for element in json.loads(asked.fenced[0])]
        others = [key for key in self.elements if key not in own]
        edits = [
            [{"do": "delete", "element": key} for key in own],
            [{"do": "move", "element": key, "x": 10, "y": 10} for key in others[:50]],
            [{"do": "move", "element": own[0], "x": 9000 + x, "y": -x} for x in range(50)],
            [{"do": "text", "element": own[0], "text": "Approved"}],
            [{"do": "resize", "element": key, "width": 5000} for key in own],
            [{"do": "set", "element": own[0], "name": "forecolor", "value": "#FFFFFF"}],
        ][number % 6]
        return {"edits": edits, "note": ""}


@dataclass
class Built:
    """What happened while the page was built."""

    visits: list[NodeStarted] = field(default_factory=list)
    asked_at_once: int = 0
    """How many calls were under way, and none answered, after the last draft was printed."""
    open: list[list[Refinement]] = field(default_factory=list)
    """By draft, the windows that rules leave open."""
    calls: list[str] = field(default_factory=list)
    skeleton: bytes = b""
    by_rules: bytes = b""
    """What the rules alone make of the last draft."""
    joined: bytes = b""
    final: bytes = b""
    end: TurnFinished | None = None


@pytest_asyncio.fixture(scope="module", loop_scope="package")
async def built(host: tuple[Client, Mind | None], tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Built]:
    client, mind = host
    assert mind is not None
    page = tmp_path_factory.mktemp("page") / "form.png"
    benchmark.form(LINES).save(page, dpi=(benchmark.DPI, benchmark.DPI))
    mind.says, mind.asked = {REFINE: (hostile := Hostile())}, []
    try:
        async with asyncio.timeout(120):
            yield await _build(client, mind, hostile, page)
    finally:
        hostile.may_answer.set()


async def _build(client: Client, mind: Mind, hostile: Hostile, page: Path) -> Built:
    found = Built()
    layout = template = b""
    async with aclosing(client.turn("windows", "", [attachment(page)], "en")) as events:
        async for event in events:
            match event:
                case NodeStarted(node="refine_layout"):
                    found.visits.append(event)
                case LayoutExtracted():
                    layout = await client.fetch(event.layout)
                case SkeletonGenerated():
                    found.skeleton = template = await client.fetch(event.template)
                    hostile.elements = keys(template)
                case DraftRendered():
                    printed = await client.fetch(event.printed)
                    all_windows, found.by_rules = by_rules(template, layout, printed)
                    found.open.append([one for one in all_windows if not one.is_complete])
                    if len(found.visits) == 2:
                        while mind.calls.count(REFINE) < len(found.open[-1]):  # noqa: ASYNC110 - it is in threads
                            await asyncio.sleep(0.01)
                        found.asked_at_once = mind.calls.count(REFINE)
                        hostile.may_answer.set()
                case LayoutRefined():
                    template = await client.fetch(event.template)
                case WindowsJoined():
                    found.joined = template = await client.fetch(event.template)
                case TurnFinished():
                    found.end = event
    found.calls = mind.calls
    found.final = await client.fetch(found.end.files["report.jrxml"])
    return found


def by_rules(template: bytes, layout: bytes, printed: bytes) -> tuple[list[Refinement], bytes]:
    """Each window's refinement, and the template with all of their edits."""
    editor, form, items = Editor(template), Layout.model_validate_json(layout), PRINTED.validate_json(printed)
    found = [refine_by_rules(editor, window.keys, form, items) for window in windows(editor)]
    return found, join(template, [one.edits for one in found])[0]


def keys(template: bytes) -> list[str]:
    return [report_element(node).get("key") for node in Editor(template).elements()]


def elements(template: bytes) -> Counter[tuple[str, str]]:
    """How many elements of each kind are in each band; their keys are named after the fields in the end."""
    return Counter(
        (band, node.tag)
        for band, root in Editor(template).bands()
        for node in root.iter()
        if node.find("{*}reportElement") is not None
    )


async def test_every_window_of_the_page_needs_a_model(built: Built):
    assert len(built.open[-1]) == WINDOWS


async def test_progress_says_how_many_windows_the_draft_before_left_to_a_model(built: Built):
    assert built.visits[-1].windows == len(built.open[-2])


async def test_a_model_is_asked_about_all_windows_at_the_same_time(built: Built):
    assert built.asked_at_once == len(built.open[-1])


async def test_a_picture_costs_two_calls_and_one_for_each_window_that_rules_leave_open(built: Built):
    assert built.calls.count(REFINE) == len(built.open[-1])
    assert len(built.calls) <= 2 + len(built.open[-1])
    assert built.end.usage.calls == len(built.calls)


async def test_hostile_replies_change_nothing_and_the_report_keeps_all_its_elements(built: Built):
    assert built.joined == built.by_rules
    assert elements(built.final) == elements(built.skeleton)
    assert len(set(keys(built.final))) == len(keys(built.final))
