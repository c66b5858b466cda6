"""`bandsmith kb` adds, lists, finds and removes knowledge."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bandsmith.cli.kb import app, parse_field
from bandsmith.services.planner.knowledge.milvus import Milvus
from bandsmith.shared.errors import BadInput, BandsmithError
from bandsmith.shared.model.knowledge import FieldDefinition

REPORT = """<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="delivery">
  <field name="consignee" class="java.lang.String"/></jasperReport>"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("NATS_URL", "BANDSMITH_KNOWLEDGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    return tmp_path / "home"


def kb(*words: str) -> Result:
    """Run the command and return its result; errors are raised."""
    result = CliRunner().invoke(app, words)
    if isinstance(result.exception, BandsmithError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def entries(*words: str) -> list[dict]:
    return json.loads(kb(*words, "--json").stdout)["entries"]


def test_entries_are_added_listed_found_and_removed(tmp_path: Path):
    # Given an empty knowledge base
    assert "The knowledge base is empty." in kb("list").stdout

    # When a report and a field are added
    (tmp_path / "delivery.jrxml").write_text(REPORT)
    kb("add", str(tmp_path / "delivery.jrxml"), "--field", "单价=unit_price:BigDecimal:#,##0.00")

    # Then both are listed and found
    listed = entries("list")
    assert [(one["kind"], one["title"]) for one in listed] == [("template", "delivery"), ("field", "单价")]
    assert [one["title"] for one in entries("search", "the", "consignees")] == ["delivery"]
    assert [one["text"] for one in entries("search", "单价")] == ["单价=unit_price:java.math.BigDecimal:#,##0.00"]

    # ... until they are removed
    kb("remove", listed[0]["id"])
    assert [one["title"] for one in entries("list")] == ["单价"]
    with pytest.raises(BadInput, match="no entry zzz"):
        kb("remove", "zzz")


@pytest.mark.slow
def test_a_locked_knowledge_base_is_reported(home: Path):
    home.mkdir()
    holds = f"import {Milvus.__module__} as m, pathlib; m.Milvus(pathlib.Path({str(home / 'knowledge.db')!r}))"
    other = subprocess.Popen(
        [sys.executable, "-c", f"{holds}; print('open', flush=True); input()"], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert other.stdout.readline() == "open\n"
        with pytest.raises(BandsmithError, match="Another Bandsmith process has the knowledge base open") as refused:
            kb("list")
        assert re.search(r"[\u4e00-\u9fff]", refused.value.message_zh)
    finally:
        other.kill()
        other.communicate()


CONVERSATION = """
import asyncio
from bandsmith.ask import ask
from bandsmith.local import Host
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import running_server
from bandsmith.shared.events import AddKnowledge
from bandsmith.shared.model.knowledge import FieldDefinition
from bandsmith.shared.settings import HomeSettings

async def main():
    with running_server(store=HomeSettings().bus) as (url, _):
        bus = await NatsBus.connect(url)
        async with Host(bus, ["planner"]):
            await ask(bus, AddKnowledge(fields=[FieldDefinition(label="Due date", name="due")]))
            print("open", flush=True)
            await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.slow
def test_the_planner_of_a_running_chat_answers():
    other = subprocess.Popen([sys.executable, "-c", CONVERSATION], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout.readline() == "open\n"
        kb("add", "--field", "Customer=customer")
        assert [one["title"] for one in entries("list")] == ["Due date", "Customer"]
    finally:
        other.terminate()
        other.communicate()


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("Customer=customer", FieldDefinition(label="Customer", name="customer")),
        ("单价=unit_price:BigDecimal:#,##0.00",
         FieldDefinition(label="单价", name="unit_price", java_class="java.math.BigDecimal", pattern="#,##0.00")),
        ("At = at : java.util.Date : HH:mm",
         FieldDefinition(label="At", name="at", java_class="java.util.Date", pattern="HH:mm")),
    ],
)  # fmt: skip
def test_a_field_definition_is_parsed(text: str, field: FieldDefinition):
    assert parse_field(text) == field


@pytest.mark.parametrize(
    "text", ["", "x", "x=", "=x", "x=1a", "x=a b", "x=y:Runtime", "x=y:java.lang.Runtime", "x=y:z.Date"]
)
def test_an_invalid_field_is_refused_with_an_example(text: str):
    with pytest.raises(BadInput, match="unit_price:BigDecimal"):
        kb("add", "--field", text)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.jrxml", None, "does not exist"),
        ("report.pdf", b"%PDF", "Only JRXML"),
        ("other.jrxml", b"<html/>", "Only a JRXML"),
        ("bomb.jrxml", b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "document type"),
        ("large.jrxml", b" " * 4_000_001, "larger than"),
    ],
)
def test_an_unsuitable_file_is_not_added(tmp_path: Path, name: str, content: bytes | None, words: str):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(BandsmithError, match=words):
        kb("add", str(tmp_path / name))


def test_output_is_chinese_in_a_chinese_locale(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "知识库为空" in kb("list").stdout
