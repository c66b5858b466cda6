"""The planner reads a source only for the sessions of users who may ask it, whichever command asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bandsmith.services.planner.binding import handle_binding
from bandsmith.services.planner.data.questions import answer_from_source
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import (
    ColumnsRead,
    Command,
    EnhanceQuestion,
    Event,
    FetchRows,
    GetColumns,
    ReadPlaceholders,
    RecallSources,
    RememberQuestion,
    RunQuery,
    TryBinding,
)
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.source import AskedQuestion
from bandsmith.shared.owners import digest_of_owner, owner_of_session, owner_of_user
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import Source, write_sources

ANN, BEN = (digest_of_owner(owner_of_user(user)) for user in ("ann", "ben"))
BINDING = (ReadPlaceholders, GetColumns, TryBinding, FetchRows)


@pytest.fixture(autouse=True)
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A source that ann may ask; its file is missing, which a user who may ask it is told."""
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path))
    missing = f"sqlite:///{tmp_path / 'missing.db'}"
    write_sources(SourceSettings().file, {"shop": Source(name="shop", url=missing, users=["ann"])})
    yield


async def handled(kind: type[Command], owner: str) -> Event:
    bus = MemoryBus()
    template = await bus.put(b"<jasperReport/>", "application/xml")
    asked = AskedQuestion(source="shop", question="how many?", query="SELECT 1")
    facts: dict[str, Any] = {
        "text": "SELECT 1",
        "query": "SELECT 1",
        "source": "shop",
        "last_asked": asked,
        "language": "en",
    }
    facts |= {"template": template, "filling": Filling(source="shop"), "works": [], "inputs": [], "work": None}
    named = {name: value for name, value in facts.items() if name in kind.model_fields}
    command: Any = kind.model_construct(owner=owner, **named)
    return await (handle_binding(bus, command) if kind in BINDING else answer_from_source(bus, command, None))


@pytest.mark.parametrize(
    "kind", [RecallSources, EnhanceQuestion, RunQuery, RememberQuestion, ReadPlaceholders, TryBinding, FetchRows]
)
async def test_no_command_reads_a_source_that_the_session_s_user_may_not_ask(kind: type[Command]):
    with pytest.raises(BadInput, match="There is no source of data that you may ask"):
        await handled(kind, BEN)


async def test_the_columns_of_a_source_are_not_read_for_another_user():
    assert await handled(GetColumns, BEN) == ColumnsRead()


@pytest.mark.parametrize("owner", [ANN, ""], ids=["its user", "the person at this machine"])
async def test_who_may_ask_a_source_is_let_through(owner: str):
    with pytest.raises(BadInput, match="There is no such file or folder"):
        await handled(RecallSources, owner)


def test_the_key_of_a_session_says_whose_it_is():
    assert owner_of_session(f"{ANN}-march") == ANN
    assert [owner_of_session(key) for key in ("march", "s-0123456789abcdef", f"{ANN}", "run-march")] == [""] * 4
