"""A disk that fills while the program runs: one sentence, what was stored stays whole, and later work succeeds.

The disk is full in the sense that no file of the process may grow (``RLIMIT_FSIZE``), which needs no privileges.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2
import pytest
from structlog.testing import capture_logs

from bandsmith.services.planner.data.verified import VerifiedQuestion, read_verified, remember
from bandsmith.services.planner.delivery import DeliverySettings
from bandsmith.services.planner.delivery.folder import write_files
from bandsmith.services.planner.knowledge import fields
from bandsmith.services.planner.knowledge.base import Knowledge
from bandsmith.services.planner.knowledge.records import Record
from bandsmith.services.planner.settings import KnowledgeSettings
from bandsmith.shared.errors import RetryableError, TerminalError
from bandsmith.shared.model.knowledge import FieldDefinition
from bandsmith.shared.model.run import Delivery
from tests.shared.processes import family, until


@contextmanager
def full(*pids: int, left: int = 0) -> Iterator[None]:
    """Let no file of these processes, or else of this one, grow over `left` bytes."""
    before = {pid: resource.prlimit(pid, resource.RLIMIT_FSIZE) for pid in pids or [os.getpid()]}
    try:
        for pid, (_, hard) in before.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (left, hard))
        yield
    finally:
        for pid, limits in before.items():
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)


def field(label: str) -> Record:
    return fields.record(FieldDefinition(label=label, name=label.lower(), java_class="java.math.BigDecimal"))


async def titles(knowledge: Knowledge) -> list[str]:
    return sorted(entry.title for entry in await knowledge.entries())


@pytest.fixture
def settings(tmp_path: Path) -> KnowledgeSettings:
    return KnowledgeSettings(knowledge=str(tmp_path / "knowledge.db"))


@pytest.mark.slow
@pytest.mark.parametrize("left", [0, 400])
async def test_a_full_disk_leaves_the_knowledge_base_whole(settings: KnowledgeSettings, left: int):
    """Given a knowledge base with an entry
    When another is added, and the first removed, on a full disk
    Then each ends with a sentence, the first entry can be read, and the next one is added once there is space
    """
    knowledge = Knowledge(settings)
    await knowledge.add(fields=[field("Price")])
    ids = [entry.id for entry in await knowledge.entries()]
    with full(left=left):
        for change in (knowledge.add(fields=[field("Weight")]), knowledge.remove(ids)):
            with pytest.raises(TerminalError, match="knowledge base could not be written"):
                await change
        assert await titles(knowledge) == ["Price"]
    await knowledge.add(fields=[field("Colour")])
    assert await titles(knowledge) == ["Colour", "Price"]
    await knowledge.close()
    again = Knowledge(settings)
    assert await titles(again) == ["Colour", "Price"]
    await again.close()


@pytest.mark.slow
async def test_a_knowledge_base_that_was_to_be_created_on_a_full_disk_is_created_later(settings: KnowledgeSettings):
    """Given no knowledge base, a question about the program and a first entry while the disk is full
    When there is space
    Then both work, in this process and in the next
    """
    knowledge = Knowledge(settings)
    with full(), capture_logs():  # which would go to a file of this process
        for attempt in (knowledge.articles("How do I add a column?"), knowledge.add(fields=[field("Price")])):
            with pytest.raises(TerminalError, match="knowledge base could not be written"):
                await attempt
    assert await knowledge.articles("How do I add a column?")
    await knowledge.add(fields=[field("Price")])
    await knowledge.close()
    again = Knowledge(settings)
    assert await titles(again) == ["Price"]
    await again.close()


def test_verified_questions_stay_as_they_were(tmp_path: Path):
    file = tmp_path / "shop.questions.yaml"
    remember(file, VerifiedQuestion(question="How many customers?", query="SELECT COUNT(*) FROM customers"))
    with full(left=100), pytest.raises(OSError, match="too large"):
        remember(file, VerifiedQuestion(question="How many orders?", query="SELECT COUNT(*) FROM orders"))
    assert [one.question for one in read_verified(file)] == ["How many customers?"]
    assert list(tmp_path.iterdir()) == [file]


async def test_a_delivery_of_several_files_arrives_whole_or_not_at_all(tmp_path: Path):
    """Given the files of last month in their folder
    When those of this month are delivered and the disk is full after the first
    Then all files are those of last month, and the delivery is tried again
    """
    settings, delivery = DeliverySettings(delivery_folder=tmp_path), Delivery(title="Sales", folder="sales")
    await write_files(settings, delivery, {"sales.csv": b"last", "sales.pdf": b"last"})
    with full(left=100), pytest.raises(RetryableError, match="sales"):
        await write_files(settings, delivery, {"sales.csv": b"this", "sales.pdf": b"this" * 100})
    files = {path.name: path.read_bytes() for path in (tmp_path / "sales").iterdir()}
    assert files == {"sales.csv": b"last", "sales.pdf": b"last"}
    await write_files(settings, delivery, {"sales.csv": b"this", "sales.pdf": b"this" * 100})
    assert (tmp_path / "sales" / "sales.csv").read_bytes() == b"this"


@pytest.mark.slow
def test_the_page_says_that_there_is_no_space_and_goes_on(tmp_path: Path):
    """Given the page with a conversation
    When a message and a file come while the disk of its process and of the message server is full
    Then each is answered with a sentence, the page and the conversation can be read, and the next message is taken
    """
    command = [sys.executable, "-c", "from bandsmith.cli import main; main()", "web", "--no-browser"]
    environment = {**os.environ, "BANDSMITH_HOME": str(tmp_path), "BANDSMITH_WEB": "127.0.0.1:0", "LANG": "C.UTF-8"}
    output = tmp_path / "output"
    with output.open("wb") as out, subprocess.Popen(command, env=environment, stdout=out, stderr=out) as process:
        try:
            until(lambda: "http://" in output.read_text() or process.poll() is not None, seconds=150)
            link = re.findall(r"http://\S+", output.read_text())[0]
            client = httpx2.Client(base_url=link.partition("/enter")[0], follow_redirects=True, timeout=60)
            client.get(link)
            converse_on_a_full_disk(client, [pid for pid in family(process.pid) if not is_confined(pid)])
        finally:
            process.terminate()


def is_confined(pid: int) -> bool:
    """Whether a process has limits of its own, as workers have."""
    return resource.prlimit(pid, resource.RLIMIT_FSIZE)[1] != resource.RLIM_INFINITY


def converse_on_a_full_disk(client: httpx2.Client, pids: list[int]) -> None:
    def send(session: str, **content: object) -> httpx2.Response:
        origin = {"origin": str(client.base_url)}
        return client.post(f"/api/sessions/{session}/turns", headers=origin, **content)  # type: ignore[arg-type]

    assert send("first", data={"text": "hello"}).status_code == 202
    until(lambda: "JasperReports template" in client.get("/api/sessions/first").text, seconds=60)
    with full(*pids):
        for content in ({"data": {"text": "hello"}}, {"files": {"file": ("form.png", b"\x89PNG" * 9999, "image/png")}}):
            refused = send("second", **content)
            assert (refused.status_code, refused.json()["code"]) == (503, "full")
            assert "no space left" in refused.json()["detail"]
        assert client.get("/").status_code == 200
        assert "JasperReports template" in client.get("/api/sessions/first").text
    until(lambda: send("third", data={"text": "hello"}).status_code == 202, seconds=60)
    until(lambda: "JasperReports template" in client.get("/api/sessions/third").text, seconds=60)
