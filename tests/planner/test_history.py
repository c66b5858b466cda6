"""A long history is summarised: its newest entries stay, and the archive keeps all of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import TypeAdapter

from bandsmith.services.planner.history import compress
from bandsmith.services.planner.settings import HistorySettings
from bandsmith.shared.events import CompressHistory
from bandsmith.shared.llm import Allowance, model_from
from bandsmith.shared.llm.scripted import ScriptedModel
from bandsmith.shared.model.session_parts import HistoryEntry
from bandsmith.shared.tokens import estimate

from .conftest import Objects

SETTINGS = HistorySettings(tokens=400)
HISTORY = TypeAdapter(list[HistoryEntry])


def conversation(turns: int, first: int = 1) -> list[HistoryEntry]:
    time = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        entry
        for turn in range(turns)
        for entry in (
            HistoryEntry(
                number=first + 2 * turn, role="user", text=f"Make column {turn} wider. " + "Please. " * 20, time=time
            ),
            HistoryEntry(number=first + 2 * turn + 1, role="assistant", text=f"Column {turn} is wider now.", time=time),
        )
    ]


NOTHING = Allowance()


def command(history: list[HistoryEntry], archive=None, allowance: Allowance = NOTHING) -> CompressHistory:
    return CompressHistory(history=history, archive=archive, language="en", allowance=allowance)


async def test_a_history_that_fits_stays_unchanged(objects: Objects):
    history = conversation(3)

    answer = await compress(command(history), objects, None, SETTINGS)

    assert answer.history == history and answer.archive is None and objects.stored == {}


async def test_without_a_model_the_summary_has_the_beginnings_of_entries(objects: Objects):
    history = conversation(12)

    answer = await compress(command(history), objects, None, SETTINGS)

    summary, *newest = answer.history
    assert summary.role == "summary" and summary.number == history[-len(newest) - 1].number
    assert newest == history[-len(newest) :] and len(newest) >= 2
    assert "Make column 6 wider." in summary.text and "Column 6 is wider now." in summary.text
    assert sum(estimate(entry.text) for entry in answer.history) <= SETTINGS.tokens
    assert HISTORY.validate_json(await objects.get(answer.archive)) == history


async def test_the_archive_has_every_entry_once_after_two_compressions(objects: Objects):
    first = await compress(command(conversation(12)), objects, None, SETTINGS)
    later = [*first.history, *conversation(12, first=25)]

    second = await compress(command(later, first.archive), objects, None, SETTINGS)
    again = await compress(command(later, first.archive), objects, None, SETTINGS)

    archived = HISTORY.validate_json(await objects.get(second.archive))
    assert [entry.number for entry in archived] == list(range(1, 49))
    assert again.history == second.history
    assert sum(entry.role == "summary" for entry in second.history) == 1


async def test_a_model_summarises_in_one_call(objects: Objects):
    with ScriptedModel(['{"summary": "The user wants wide columns."}']) as server:
        model = model_from(server.settings())
        answer = await compress(
            command(conversation(12), allowance=Allowance(calls=1, tokens=20_000)), objects, model, SETTINGS
        )
        await model.close()

    assert answer.history[0].text == "The user wants wide columns."
    assert answer.usage.calls == len(server.requests) == 1
    assert any("Make column 0 wider." in data for data in server.requests[0].fenced)


@pytest.mark.parametrize("reply", ["", "no JSON at all", '{"summary": "' + "long " * 2000 + '"}'])
async def test_a_useless_summary_is_replaced_by_one_made_by_rules(objects: Objects, reply: str):
    with ScriptedModel([reply]) as server:
        model = model_from(server.settings())
        answer = await compress(
            command(conversation(12), allowance=Allowance(calls=2, tokens=20_000)), objects, model, SETTINGS
        )
        await model.close()

    assert "Make column 6 wider." in answer.history[0].text
    assert answer.usage.calls >= 1


async def test_the_last_request_stays_whole_whatever_its_length(objects: Objects):
    history = conversation(2)
    long = history[-2].model_copy(update={"text": "word " * 5000})

    answer = await compress(command([*history[:-2], long, history[-1]]), objects, None, SETTINGS)

    assert answer.history[1:] == [long, history[-1]]
