"""Calendars and the knowledge base over HTTP: who may read them, and what they read."""

from __future__ import annotations

import pytest

from bandsmith.shared.events import KnowledgeFound, KnowledgeListed, ListKnowledge, SearchKnowledge
from bandsmith.shared.model.knowledge import KnowledgeEntry
from bandsmith.shared.schedule.store import CalendarStore
from bandsmith.shared.settings import CalendarSettings
from bandsmith.web.identity import Role
from tests.gateway.scripted import Script
from tests.shared.schedule.calendars import revision

from .conftest import Place

FIELD = KnowledgeEntry(id="1", kind="field", title="单价", text="unit_price")
REPORT = KnowledgeEntry(id="2", kind="template", title="Sales", text="customer, amount")


@pytest.fixture
def script() -> Script:
    return {
        ListKnowledge: [KnowledgeListed(entries=[FIELD, REPORT])],
        SearchKnowledge: [KnowledgeFound(entries=[REPORT])],
    }


async def test_an_editor_reads_the_calendars(place: Place):
    schedule = revision()
    CalendarStore(CalendarSettings().url).put("work", schedule)
    async with place.with_key("ann") as ann:
        [listed] = (await ann.get("/api/calendars")).json()
        shown = (await ann.get("/api/calendars/work")).json()
        missing = await ann.get("/api/calendars/other")
    pending = sum(item.at is None for item in schedule.items)
    assert listed == {
        "name": "work",
        "events": len(schedule.events),
        "placed": len(schedule.items) - pending,
        "pending": pending,
    }
    assert shown == schedule.model_dump(mode="json")
    assert (missing.status_code, missing.json()["code"]) == (404, "calendar")


async def test_an_admin_searches_the_knowledge_of_all_users(place: Place):
    async with place.with_key("eve", "admin") as eve:
        every = (await eve.get("/api/knowledge", params={"words": ""})).json()
        found = (await eve.get("/api/knowledge", params={"words": "sales"})).json()
        too_long = await eve.get("/api/knowledge", params={"words": "x" * 2000})
    assert [entry["title"] for entry in every] == ["单价", "Sales"]
    assert found == [REPORT.model_dump()] and too_long.status_code == 400


@pytest.mark.parametrize(
    ("path", "role"),
    [("/api/calendars", "reader"), ("/api/calendars/main", "reader"), ("/api/knowledge", "editor")],
)
async def test_what_users_share_is_not_shown_to_everyone(place: Place, path: str, role: Role):
    async with place.with_key("ben", role) as ben:
        refused = await ben.get(path, params={"words": ""})
    assert (refused.status_code, refused.json()["code"]) == (403, "role")
