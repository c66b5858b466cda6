"""After a message that changed nothing: "never mind" only drops it, and "smaller" is not about the whole page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest

from bandsmith.services.planner.language.change.conversation import has_last_turn_changed, is_last_request_open
from bandsmith.services.planner.language.change.read_change import read_by_rules
from bandsmith.services.planner.language.intents import points_back
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.events import ReadChange
from bandsmith.shared.language import Language
from bandsmith.shared.llm import Allowance
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.session_parts import HistoryEntry, Version

from .templates import ALL

REF = Ref(key="0" * 64, media="application/xml", size=1)
START = datetime(2026, 1, 1, tzinfo=UTC)


def history(turns: int, last: str = "x") -> list[HistoryEntry]:
    """What was said in turns that end a minute apart, and in the last of them."""
    roles: tuple[Literal["user", "assistant"], ...] = ("user", "assistant")
    return [
        HistoryEntry(
            number=2 * turn + n,
            role=role,
            text=last if turn == turns - 1 else "x",
            time=START + timedelta(minutes=turn),
        )
        for turn in range(turns)
        for n, role in enumerate(roles, 1)
    ]


def made_in(turn: int) -> list[Version]:
    """A version that a turn made, a second before its end."""
    time = START + timedelta(minutes=turn) - timedelta(seconds=1)
    return [Version(number=1, template=REF, data=REF, author="x", time=time)]


def test_a_refused_message_changed_nothing_whatever_was_changed_before():
    assert not has_last_turn_changed(history(3), made_in(1))


def test_a_message_that_made_a_version_changed_something():
    assert has_last_turn_changed(history(3), made_in(2))
    assert has_last_turn_changed(history(1), made_in(0))


def test_without_a_version_nothing_was_changed():
    assert not has_last_turn_changed(history(2), [])


def edits_after(last: str, text: str, language: Language) -> list[AnyEdit]:
    """What the rules make of a message after another one that changed nothing."""
    template, data = ALL["sales"]()
    command = ReadChange(
        template=REF, data=REF, language=language, text=text, remarks=[], layout=None, history=history(2, last),
        failure=None, earlier=made_in(0), allowance=Allowance(),
    )  # fmt: skip
    return read_by_rules(command, TemplateView(Editor(template), data), None, len(data.rows)).edits


@pytest.mark.parametrize(
    ("last", "text", "language"),
    [
        ("the lunch break is missing on this sheet, that drives me mad", "smaller, and grey", "en"),
        ("纸上没写午休要扣半小时，我解释得嘴都干了", "字小一点，灰的", "zh"),
    ],
)
def test_a_look_alone_is_not_that_of_the_whole_page_after_a_message_that_was_not_carried_out(
    last: str, text: str, language: Language
):
    assert edits_after(last, text, language) == []


def test_a_look_alone_is_that_of_the_whole_page_where_nothing_was_left_open():
    assert edits_after("导出pdf", "字小一点", "zh")


def test_what_is_named_is_changed_whatever_was_left_open():
    assert edits_after("纸上没写午休要扣半小时", "make the title smaller", "en")


@pytest.mark.parametrize(
    ("last", "turn", "is_open"),
    [
        ("the company name in quite that size", 0, True),
        ("make the title bigger", 1, False),
        ("how many rows?", 0, False),
    ],
)
def test_only_a_request_that_changed_nothing_leaves_nothing_to_take_back(last: str, turn: int, is_open: bool):
    assert is_last_request_open(history(2, last), made_in(turn)) is is_open


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("oh no, undo that last one", True), ("undo that", True), ("撤销刚才那步", True),
        ("刚才那步不算，退回去", True), ("undo", False), ("undo the last change", False), ("undo the last two", False),
        ("撤销", False),
    ],
)  # fmt: skip
def test_taking_back_what_was_just_said_is_not_taking_back_the_last_change(text: str, points: bool):
    assert points_back(text) is points
