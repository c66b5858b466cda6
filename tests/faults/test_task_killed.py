"""A task survives the death (SIGKILL) of everything between its questions and in the middle of its work."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedRequest
from bandsmith.shared.model.schedule import Window
from bandsmith.shared.schedule.store import CalendarStore
from tests.conversation.scripted_tasks import ADD_TOOLS, DONE, PLAN, REQUEST, SUMMARY, placing
from tests.shared.schedule.calendars import revision

from .talk import Chat

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def reply(asked: ScriptedRequest) -> str:
    """What a model says that looks at what happened so far, so that it may be asked twice."""
    if asked.prompt != "task_step":
        return json.dumps({"task_plan": PLAN, "task_summary": SUMMARY}[asked.prompt])
    results = asked.text.count("Result of call ")
    return json.dumps([ADD_TOOLS, placing(), DONE][min(results, 2)])


@pytest.mark.parametrize(
    "nodes",
    [
        ("classify_intent", "take_answer", "take_answer"),
        ("plan_work", "call_tool", "store_calendar"),
        ("confirm_plan", "confirm_call", "execute"),
    ],
)
def test_what_was_confirmed_is_stored_once_however_often_everything_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nodes: tuple[str, str, str]
):
    url = f"sqlite:///{tmp_path / 'calendars.db'}"
    store = CalendarStore(url)
    ahead = Window(start=date.today() + timedelta(days=1), days=7)  # the chats are processes, for which it is today
    store.put("main", revision().model_copy(update={"window": ahead, "classes": [], "items": []}))
    with ScriptedModel(reply) as server:
        monkeypatch.setenv("BANDSMITH_MODEL_URL", server.url)
        monkeypatch.setenv("BANDSMITH_MODEL_NAME", "scripted")
        monkeypatch.setenv("BANDSMITH_CALENDARS", url)

        # When everything is killed while the plan is made, while a step is taken, and while the change is stored
        lines = []
        for said, node in zip((REQUEST, "yes", "yes"), nodes, strict=True):
            assert store.load("main").schedule.items == []
            talk = Chat(tmp_path, said)
            talk.until(f"> {said}")
            talk.until(f"✓ {node} ")
            talk.kill()
            lines += talk.lines

        # Then the next start finishes what was confirmed, and a further yes finds nothing to agree to
        talk = Chat(tmp_path, "yes")
        talk.end()
        lines += talk.lines

    assert "French is planned." in "\n".join(lines)
    assert [item.name for item in store.load("main").schedule.items if item.at] == ["French 1", "French 2"]
    with create_engine(url).connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM commits")) == 1
    store.close()
