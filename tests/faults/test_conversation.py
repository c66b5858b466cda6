"""A conversation survives the death (SIGKILL) of its processes, its server and its host."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bandsmith.client import Client
from bandsmith.local import local

from .talk import Chat

pytestmark = pytest.mark.slow

REPORT = "generate a sales report with customer and amount"
CHANGES = {
    "save_state_snapshot": "rename the title to First",  # the intent is being looked for
    "classify_intent": "rename the title to Second",  # the template is being changed
    "modify_jrxml": "rename the title to Third",  # the new version is being saved and validated
    "validate": "rename the title to Fourth",  # the turn is about to end
}
"""By the node whose end is the moment to kill: what was asked for."""


@asynccontextmanager
async def client(place: Path) -> AsyncIterator[Client]:
    """Reads what the store of a program that has ended holds."""
    async with local((), store=place / "home" / "bus") as bus:
        yield Client(bus)


async def test_a_session_continues_after_a_kill_at_any_point(tmp_path: Path):
    # Given a report
    talk = Chat(tmp_path)
    talk.say(REPORT)
    talk.until("The report is built and passed every check.")

    # When everything is killed in the middle of each change, and started again with the next one
    finished = []
    for number, (node, change) in enumerate(CHANGES.items()):
        if number:
            talk = Chat(tmp_path, change)
            talk.until(f"> {change}")
        else:
            talk.say(change)
        finished += [line for line in talk.lines if line.startswith("Finishing: ")]
        talk.until(f"✓ {node} ")
        talk.kill()
    assert finished  # a turn may come to its end before the kill comes, but not all of them
    for left in (tmp_path / "tmp").glob("*"):
        os.utime(left, (0, 0))
        for lock in left.glob("lock"):
            os.utime(lock, (0, 0))
    talk = Chat(tmp_path, "rename the title to Fifth")
    assert talk.end() == 0, talk.text

    # Then each change is one version, in its order, and each request was answered once
    async with client(tmp_path) as reader:
        session = await reader.session("sales")
        requests = [REPORT, *CHANGES.values(), "rename the title to Fifth"]
        assert [version.request for version in session.versions] == requests
        assert [version.number for version in session.versions] == [1, 2, 3, 4, 5, 6]
        assert all(version.passed for version in session.versions)
        assert [said.text for said in session.history if said.role == "user"] == requests
        assert [said.role for said in session.history] == ["user", "assistant"] * len(requests)
        assert session.requests == []
        assert b"Fifth" in await reader.fetch(session.report.template)
    # ... and nothing of the killed processes is left
    assert list((tmp_path / "tmp").iterdir()) == []


async def test_a_turn_survives_a_killed_message_server(tmp_path: Path):
    talk = Chat(tmp_path, REPORT, "rename the title to Second")
    talk.until("✓ generate ")

    os.kill(talk.server, signal.SIGKILL)

    assert talk.end() == 0, talk.text
    assert "Traceback" not in talk.text
    async with client(tmp_path) as reader:
        session = await reader.session("sales")
        assert [version.number for version in session.versions] == [1, 2]
        assert b"Second" in await reader.fetch(session.report.template)


async def test_a_second_client_waits_its_turn_and_outlives_the_first(tmp_path: Path):
    # Given two programs at one session, where the first one's services work for both
    first = Chat(tmp_path)
    first.until("✓ start ")
    second = Chat(tmp_path)
    second.until("✓ start ")

    # When both speak at once
    first.say(REPORT)
    first.until("✓ save_state_snapshot ")
    second.say("rename the title to Second")

    # Then one turn follows the other, and the second knows
    second.until("Queued: 1 request is ahead of it.")
    first.until("The report is built")
    second.until("The report passed every check.")

    # When the first one ends, then the second one takes its place
    assert first.end() == 0
    second.say("rename the title to Third")
    second.until("The report passed every check.")
    assert second.end() == 0, second.text
    async with client(tmp_path) as reader:
        assert b"Third" in await reader.fetch((await reader.session("sales")).report.template)


async def test_a_session_deleted_during_a_turn_stays_deleted(tmp_path: Path):
    talk = Chat(tmp_path)
    talk.until("✓ start ")
    async with client(tmp_path) as guest:
        talk.say(REPORT)
        talk.until("✓ save_state_snapshot ")

        await guest.delete("sales")

        talk.say("/versions")
        talk.until("There are no versions yet.")
        assert await guest.sessions() == []
    assert talk.end() == 2
    assert "The session was deleted before this request was finished." in talk.text
    async with client(tmp_path) as reader:
        assert await reader.sessions() == []
