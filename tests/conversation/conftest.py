"""A conversation over real parts: nats-server, the engine, OCR; once with rules alone, once with a scripted model."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import pytest_asyncio
from lxml import html

from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply, ScriptedRequest
from bandsmith.shared.schedule.store import CalendarStore
from bandsmith.shared.settings import CalendarSettings
from tests.kept_workers import kept_workers
from tests.ocr_cache import cached_ocr
from tests.shared.schedule.calendars import revision

SAMPLES = Path(__file__).resolve().parents[2] / "samples"

SPEC = {
    "title": "Sales by customer",
    "columns": [
        {"label": "Customer", "name": "customer", "type": "text"},
        {"label": "Amount", "name": "amount", "type": "money", "total": "sum"},
    ],
    "group_by": None,
    "language": "en",
}
REPLIES: dict[str, dict] = {
    "intent_classify": {"intent": "unknown", "format": "", "edits": [], "answer": "", "spec": {}},
    "initial_generation": {"spec": SPEC},
    "read_form": {"wrong": "", "rows_are_right": True},
    "skeleton_generation": {"names": {}, "totals": {}},
    "refine_layout": {"edits": [], "note": ""},
    "modification": {"plan": "", "rules": "keep", "look": [], "edits": [], "undone": ""},
    "explain_error": {"explanation": "Two elements overlap."},
    "correction": {"edits": [], "note": ""},
    "review_outcome": {"objections": []},
    "consult": {"answer": "A field holds a value of the row, a parameter one of the whole report."},
    "write_query": {"query": "SELECT 1"},
    "enhance_question": {"question": "", "words": [], "clarify": "What do you mean?"},
    "assess_question": {"assessment": "analysis", "reply": ""},
    "analyse_python": {"verdict": "answers", "reason": "", "text": ""},
    "judge_query": {"verdict": "answers", "part": "", "reason": ""},
    "compress_history": {"summary": "The user has a sales report."},
}
"""The default replies of the scripted model."""


model_is_slow = pytest.mark.parametrize("host", ["rules", pytest.param("model", marks=pytest.mark.slow)], indirect=True)
"""The fast tests go this way with rules alone, all tests with the scripted model too."""


class Mind:
    """The scripted model: its replies by prompt, and the requests that it received."""

    def __init__(self) -> None:
        self.says: dict[str, object] = {}
        """A reply, or a function of the request."""
        self.asked: list[ScriptedRequest] = []

    def __call__(self, asked: ScriptedRequest) -> ScriptedReply:
        self.asked.append(asked)
        said = self.says.get(asked.prompt, REPLIES.get(asked.prompt, "I do not know."))
        if callable(said):
            said = said(asked)
        if isinstance(said, ScriptedReply):
            return said
        return ScriptedReply(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))

    @property
    def calls(self) -> list[str]:
        """The prompts of the calls so far."""
        return [asked.prompt for asked in self.asked]


class Talk:
    """A client in one session, with the scripted model if there is one."""

    def __init__(self, client: Client, name: str, mind: Mind | None) -> None:
        self.client, self.name, self.mind = client, name, mind

    async def say(self, text: str = "", *files: Path, **more: Any):
        from bandsmith.attachments import attachment

        return await self.client.say(self.name, text, [attachment(file) for file in files], **more)

    async def session(self):
        return await self.client.session(self.name)

    async def template(self) -> str:
        """The report's JRXML as it stands."""
        session = await self.session()
        return (await self.client.fetch(session.report.template)).decode()

    async def page(self) -> str:
        """What the report prints, as the words of its web page."""
        end = await self.say("export html")
        page = (await self.client.fetch(end.files["report.html"])).decode()
        return html.document_fromstring(page).text_content()


@pytest.fixture(scope="package", autouse=True)
def ocr() -> Iterator[None]:
    """Recognise each picture once and start each worker once: both hosts get the same ones, many tests too."""
    with cached_ocr(), kept_workers():
        yield


@pytest.fixture(scope="package")
def mind() -> Mind:
    return Mind()


@pytest_asyncio.fixture(scope="package", loop_scope="package", params=["rules", "model"])
async def host(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, mind: Mind
) -> AsyncIterator[tuple[Client, Mind | None]]:
    home = tmp_path_factory.mktemp("home")
    environment = {"BANDSMITH_HOME": str(home)}
    with ExitStack() as parts:
        if request.param == "model":
            server = parts.enter_context(ScriptedModel(mind))
            settings = server.settings()
            environment |= {"BANDSMITH_MODEL_URL": str(settings.url), "BANDSMITH_MODEL_NAME": str(settings.name)}
        parts.enter_context(mock.patch.dict(os.environ, environment))
        async with local(store=home / "bus") as bus:
            yield Client(bus), mind if request.param == "model" else None


@pytest.fixture
def talk(host: tuple[Client, Mind | None], request: pytest.FixtureRequest) -> Iterator[Talk]:
    client, mind = host
    if mind:
        mind.says, mind.asked = {}, []
    yield Talk(client, f"talk-{hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:12]}", mind)


@pytest.fixture
def calendars(talk: Talk) -> Iterator[CalendarStore]:
    """A week with two events."""
    store = CalendarStore(CalendarSettings().url)
    store.put("main", revision().model_copy(update={"classes": [], "items": []}))
    yield store
    store.close()
