"""Hostile replies of an obedient model: each ends in a harmless template, and nothing that it named is touched."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.query.check import QueryRefused, check
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import validate
from bandsmith.shared.editing.content_guard import lost_content
from bandsmith.shared.editing.visible_content import visible_content
from bandsmith.shared.errors import BadInput
from bandsmith.shared.llm import model_from
from bandsmith.shared.llm.scripted import ScriptedModel
from bandsmith.shared.model.source import SourceColumn, SourceSchema, SourceTable
from tests.each_case import each
from tests.planner.language.change.test_modify import Turn, turn
from tests.planner.language.change.test_weak_replies import REQUEST, SALES, says

from .replies import DELETIONS, EDITS, QUERIES
from .templates import with_values
from .test_templates import SECRET, folder

__all__ = ["folder"]
MAX_TEMPLATE_BYTES = 4 * 1024 * 1024


async def answered(reply: str) -> Turn:
    """Return what becomes of a request that the model answers with the reply."""
    with ScriptedModel([reply]) as server:
        model = model_from(server.settings(retries=0, timeout=20))
        assert model
        after = await turn(SALES, REQUEST, model=model)
        await model.close()
    assert after.event.summary and "\x1b" not in after.event.summary
    return after


def filled(edits: list[dict[str, Any]], values: dict[str, str]) -> list[dict[str, Any]]:
    """Put the paths and the address into every text of the edits."""
    quoted = {name: json.dumps(value)[1:-1] for name, value in values.items()}
    return list(json.loads(with_values(json.dumps(edits), quoted)))


@pytest.mark.slow
@pytest.mark.parametrize("edits", EDITS, ids=range(len(EDITS)))
async def test_edits_of_a_reply_open_run_and_lose_nothing(
    engine: ReportEngine, folder: Path, edits: list[dict[str, Any]]
):
    await opens_runs_and_loses_nothing(engine, folder, edits)


async def opens_runs_and_loses_nothing(engine: ReportEngine, folder: Path, edits: list[dict[str, Any]]) -> None:
    """Have a model reply the edits, and print what becomes of the template."""
    engine.start()
    worker = engine.pid
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        values = {"secret": str(folder / "secret"), "made": str(folder / "made"), "address": address}
        after = await answered(says(*filled(edits, values)))
        done = validate(engine, ValidatorSettings(), after.template, SALES[1])
        with pytest.raises(BlockingIOError):
            server.accept()
    assert SECRET not in done.verdict.model_dump_json()
    assert not done.printout or all(SECRET not in (element.text or "") for element in done.printout.elements)
    assert not done.pdf or SECRET.encode() not in done.pdf
    assert engine.pid == worker, "it ended its worker, or changed the JVM"
    assert len(after.template) < MAX_TEMPLATE_BYTES


@pytest.mark.parametrize("edits", DELETIONS, ids=range(len(DELETIONS)))
async def test_a_reply_makes_no_more_than_a_tenth_disappear(edits: list[dict[str, Any]]):
    after = await answered(says(*edits))
    assert not lost_content(visible_content(SALES[0]), visible_content(after.template)).is_too_much


@each("query", QUERIES)
def test_a_query_of_a_reply_only_reads_what_the_source_shows(query: str):
    is_refused_everywhere(query)


def is_refused_everywhere(query: str) -> None:
    """Check a query for each dialect."""
    table = SourceTable(name="orders", columns=[SourceColumn(name="name", type="TEXT")])
    for dialect in ("sqlite", "postgres", "duckdb"):
        with pytest.raises((QueryRefused, BadInput)):
            check(query, SourceSchema.model_validate({"source": "shop", "dialect": dialect, "tables": [table]}))


def test_there_are_as_many_as_the_manual_says():
    assert len(EDITS) + len(QUERIES) == 118
