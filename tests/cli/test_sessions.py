"""`bandsmith sessions` lists, shows, deletes and exports conversations."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from bandsmith.attachments import Attachment
from bandsmith.cli.sessions import app
from bandsmith.client import Client
from bandsmith.shared.bus.base import storing_for
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.errors import MissingPart
from bandsmith.shared.events import ClassifyIntent, CompressHistory, Envelope, Event, HistoryCompressed
from bandsmith.shared.model.base import Ref

from ..workflow.play import start
from ..workflow.service_events import wants

REPORT = "a sales report"


@pytest.fixture
def march(talk, script):
    """Create a session with a report that was changed once."""

    def classify(command: ClassifyIntent) -> Event:
        return wants("modify_report" if command.has_template else "initial_generation")

    script[ClassifyIntent] = classify
    script[CompressHistory] = lambda command: HistoryCompressed(history=command.history, archive=command.archive)
    talk("chat", "--session", "march", REPORT, "make the title larger")
    return talk


def under_way(stored) -> None:
    """Store a session whose first turn waits for an answer."""
    stored.states["session-s"] = (start().model_dump_json().encode(), 1)


# --- list -----------------------------------------------------------------------------------------------------------


def test_list_shows_status_and_version_latest_change_first(march, stored):
    march("chat", "--session", "四月", REPORT)
    under_way(stored)
    lines = march("sessions", "list").out.splitlines()
    assert [line.split()[:3] for line in lines] == [
        ["name", "status", "version"],
        ["四月", "done", "1"],
        ["march", "done", "2"],
        ["s", "running"],
    ]


def test_list_as_json_is_json_only(march):
    [session] = json.loads(march("sessions", "list", "--json").out)
    assert session["name"] == "march" and session["version"] == 2 and session["requests"] == []


def test_an_empty_list_of_sessions_is_a_sentence(talk, monkeypatch):
    assert talk("sessions", "list").out == "There are no sessions yet.\n"
    assert json.loads(talk("sessions", "list", "--json").out) == []
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert talk("sessions", "list").out == "还没有会话。\n"


# --- show -----------------------------------------------------------------------------------------------------------


def test_show_prints_history_and_versions(march, monkeypatch):
    result = march("sessions", "show", "march").out
    assert re.match(r"march  done  \d{4}-\d\d-\d\d", result)
    assert (
        result.index("> a sales report\n")
        < result.index("  The report is built")
        < result.index("> make the title larger")
    )
    assert re.search(
        r"^ 1 +generate .*\n\*2 +modify_jrxml +\d\d-\d\d \d\d:\d\d:\d\d +✓ 0 +make the", result, re.MULTILINE
    )

    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    result = march("sessions", "show", "march").out
    assert "march  完成" in result and "修改模板" in result and "由" in result


def test_show_prints_pending_requests(talk, stored):
    under_way(stored)
    assert "s  running" in talk("sessions", "show", "s").out


def test_show_as_json_has_history_and_versions(march):
    session = json.loads(march("sessions", "show", "march", "--json").out)
    assert [result["role"] for result in session["history"]] == ["user", "assistant"] * 2
    assert [version["author"] for version in session["versions"]] == ["generate", "modify_jrxml"]


# --- delete, export -------------------------------------------------------------------------------------------------


def test_a_deleted_session_frees_its_name(march):
    assert march("sessions", "delete", "march").out == "Deleted march.\n"
    assert march("sessions", "delete", "march").code == 2
    assert "version 1" not in march("chat", "--session", "march", REPORT).out
    assert json.loads(march("sessions", "delete", "march", "--json").out) == {"deleted": "march"}


async def test_a_deleted_session_leaves_no_file():
    """Given two sessions that stored one file each, one that both stored, and one that is named only within that
    When one session is deleted
    Then its other files are gone at once, those of its events too, and the shared ones are kept."""
    bus = MemoryBus()

    async def store(session: str, content: bytes) -> Ref:
        with storing_for(session):
            return await bus.put(content, "application/json")

    inner, own, worked = [await store("mine", name) for name in (b"inner", b"own", b"worked")]
    shared = await store("mine", json.dumps({"picture": inner.key}).encode())
    await store("other", b"inner")
    await store("other", json.dumps({"picture": inner.key}).encode())
    mine = {"shared": shared.model_dump(), "own": own.model_dump(), "inner": inner.model_dump()}
    await bus.write_state("session-mine", json.dumps(mine).encode(), None)
    await bus.write_state("session-other", json.dumps([shared.key]).encode(), None)
    answer = {"pixels": worked.model_dump()}
    await bus.publish(Envelope(id="e", kind="LayoutExtracted", session="mine", turn="t", payload=answer))

    await Client(bus).delete("mine")

    for gone in (own, worked):
        with pytest.raises(KeyError):
            await bus.get(gone)
    assert await bus.get(shared) and await bus.get(inner) == b"inner"


async def test_a_deleted_session_keeps_what_others_wait_for():
    """Given a file of a session that was uploaded for later too, and one that a request of another session brings
    When the session is deleted before that request begins
    Then both files are there."""
    bus = MemoryBus()
    client = Client(bus)
    uploaded, queued = Attachment(name="a.png", content=b"uploaded"), Attachment(name="b.png", content=b"queued")
    with storing_for("mine"):
        mine = [(await client.store(file)).content for file in (uploaded, queued)]
    await bus.write_state("session-mine", json.dumps([ref.model_dump() for ref in mine]).encode(), None)
    await client.start("other", attachments=[queued])
    await client.store(uploaded)

    await client.delete("mine")

    assert [await client.fetch(ref) for ref in mine] == [b"uploaded", b"queued"]


def test_an_unreadable_session_hides_no_other_and_can_be_deleted(march, stored):
    stored.states["session-old"] = (b"not a session", 1)
    assert [session["name"] for session in json.loads(march("sessions", "list", "--json").out)] == ["march"]
    assert march("sessions", "show", "old").err.startswith("This session cannot be read")
    assert march("chat", "--session", "old", REPORT).err.startswith("This session cannot be read")
    assert march("sessions", "delete", "old").code == 0 and "session-old" not in stored.states


def test_an_export_contains_every_version_and_the_history(march):
    assert march("sessions", "export", "march").out == "march.zip\n"
    with zipfile.ZipFile("march.zip") as archive:
        assert sorted(archive.namelist()) == [
            "history.md",
            "session.json",
            *(f"versions/{n:03}/{name}" for n in (1, 2) for name in ("data.json", "page-1.png", "report.jrxml")),
        ]
        assert archive.read("versions/002/report.jrxml") == b"modified"
        assert "make the title larger" in archive.read("history.md").decode()


def test_an_export_is_written_to_the_given_path(march):
    result = march("sessions", "export", "march", "--out", "away/s.zip", "--json")
    assert json.loads(result.out) == {"file": "away/s.zip"}
    assert zipfile.is_zipfile(io.BytesIO(Path("away/s.zip").read_bytes()))
    result = march("sessions", "export", "march", "--out", "away")
    assert result.code == 2 and result.err == "away exists and is not a regular file: choose another name.\n"


def test_an_export_never_replaces_a_link(march):
    Path("plain.zip").write_text("theirs")
    Path("link.zip").symlink_to("plain.zip")
    result = march("sessions", "export", "march", "--out", "link.zip")
    assert result.code == 2 and result.err == "link.zip exists and is not a regular file: choose another name.\n"
    assert Path("link.zip").is_symlink() and Path("plain.zip").read_text() == "theirs"


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["show", "delete", "export"])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("april", "There is no such session; `bandsmith sessions list` shows the sessions."),
        ("四月", "There is no such session; `bandsmith sessions list` shows the sessions."),
        ("../march", "A session name has 1 to 64 characters, contains none of"),
        ("x" * 65, "A session name has 1 to 64 characters, contains none of"),
        ("a\x1b[31mb", "A session name has 1 to 64 characters, contains none of"),
        (" ", "A session name has 1 to 64 characters, contains none of"),
    ],
)
def test_an_invalid_or_unknown_name_is_reported_in_one_sentence(talk, command, name, words):
    result = talk("sessions", command, name)
    assert result.code == 2 and result.out == "" and result.err.startswith(words) and result.err.count("\n") == 1
    assert not list(Path().iterdir())


def test_an_unreachable_server_is_reported_without_its_address(monkeypatch):
    monkeypatch.setenv("NATS_URL", "nats://user:secret@127.0.0.1:1")
    monkeypatch.setenv("BANDSMITH_BUS_TIMEOUT", "0.5")
    with pytest.raises(MissingPart, match="correct NATS_URL") as missing:
        app(["list"], standalone_mode=False)
    assert "secret" not in missing.value.message
