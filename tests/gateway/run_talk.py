"""A conversation about scheduled runs of a report that was filled from a source before."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.services.gateway.actor import NO_MODEL, GatewayActor
from bandsmith.services.planner.actor import PlannerActor
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.events import Envelope, StartTurn, TurnFinished
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.run import RunState
from bandsmith.shared.model.task import Answer
from bandsmith.shared.owners import EVERYBODY
from bandsmith.shared.runs.store import Runs
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import source_of, write_sources

from ..workflow.play import with_report
from .scripted import scripted, until_the_end

BINDINGS = b"source: shop\nparameters: {month_start: date, month_end: date}\nperiods: [month]\nreviewed: true\n"


SENTENCE = (
    "Every Monday at 8 fill this report from shop for last month and put the PDF into reports, mail me if it fails"
)


CHINESE = "每月第一个工作日早上7点半用shop填这份报表，把PDF放到reports文件夹，失败了发邮件通知ann@example.com"


class Talk:
    """A conversation about a report that was filled from the source "shop" before."""

    def __init__(self, bus: MemoryBus, session: str) -> None:
        self.bus, self.session = bus, session
        self.runs = Runs(bus)
        self._turns = 0

    async def say(self, text: str = "", *files: Document, answer: Answer | None = None) -> TurnFinished:
        self._turns += 1
        turn = f"turn-{self._turns}"
        start = StartTurn(text=text, attachments=list(files), answer=answer)
        payload = start.model_dump(mode="json")
        name = f"start-{self.session}-{turn}"
        await self.bus.send(Envelope(id=name, kind="StartTurn", session=self.session, turn=turn, payload=payload))
        end = (await until_the_end(self.bus, turn, self.session))[-1]
        assert end.kind == "TurnFinished", end.payload
        return TurnFinished.model_validate(end.payload)

    async def stored(self) -> dict[str, RunState]:
        found = [(name, await self.runs.read(name)) for name in await self.runs.names()]
        return {name: one.state for name, one in found if one is not None}


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine in Berlin with the source "shop", where files may be delivered below one folder."""
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path))
    monkeypatch.setenv("BANDSMITH_DELIVERY_FOLDER", str(tmp_path / "delivered"))
    monkeypatch.setenv("TZ", "Europe/Berlin")
    for name in ("shop", "hr"):
        (tmp_path / f"{name}.db").touch()
    sources = {name: source_of(name, str(tmp_path / f"{name}.db")) for name in ("shop", "hr")}
    sources["shop"] = sources["shop"].model_copy(update={"users": [EVERYBODY]})
    write_sources(SourceSettings().file, sources)
    return tmp_path


async def talk_of(session: str = "s", bindings: bytes = BINDINGS, budget: Allowance = NO_MODEL) -> Talk:
    bus = MemoryBus()
    state = with_report(1).model_copy(update={"id": session, "name": "Sales by month"})
    if bindings:
        state = state.model_copy(update={"bindings": await bus.put(bindings, "application/yaml")})
    await bus.write_state(f"session-{session}", state.model_dump_json().encode(), None)
    await GatewayActor(bus, budget).start()
    await scripted(bus, only=("generator", "validator", "ocr"))
    await scripted(bus, actor=PlannerActor(bus), only=("planner",))
    return Talk(bus, session)
