"""The cases of an attacker who has read the manual only, judged as the other attacks are."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bandsmith.cli.messages import unexpected
from bandsmith.services.ocr.reader import DocumentReader
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.replies import Text

from . import outsider_replies
from .outsider_bus import REFUSED, TAKEN
from .outsider_templates import NEEDS_MEMORY, TEMPLATES
from .outsider_uploads import UPLOADS
from .test_bus import at_work, idle, refused, services, start, store, until, until_the_end
from .test_odd_uploads import reader, reads_or_refuses
from .test_replies import is_refused_everywhere, opens_runs_and_loses_nothing
from .test_templates import attack, folder

__all__ = ["at_work", "folder", "reader", "services"]
INTERNAL = [unexpected().message, Text.of("bus.internal").en]
PROGRAM = [sys.executable, "-c", "from bandsmith.cli import main; main()"]
SAMPLE_BUILDS = [
    "a picture larger than its data",
    "noise with the name of a scan",
    "a script with the name of a picture",
    "a PDF whose pages are each other's parents",
    "a PDF with clips in clips",
    "a PDF whose picture is another file",
    "a workbook whose cell is merged with all",
    "a workbook with a formula that fetches",
    "a Word file with tables in tables",
    "a Word file with an entity",
]
"""Uploads that go through the whole program as well."""


@pytest.mark.slow
@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_opens_and_runs_nothing(engine: ReportEngine, folder: Path, name: str):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        values = {"secret": str(folder / "secret"), "made": str(folder / "made"), "address": address}
        attack(engine, TEMPLATES[name](values), may_end_worker=name in NEEDS_MEMORY)
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.slow
@pytest.mark.parametrize("name", UPLOADS)
def test_an_upload_is_read_or_refused_with_a_sentence(reader: DocumentReader, name: str):
    reads_or_refuses(reader, *UPLOADS[name])


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", SAMPLE_BUILDS)
def test_a_build_of_an_upload_ends_with_a_report_or_a_sentence(tmp_path: Path, name: str):
    file, make = UPLOADS[name]
    (tmp_path / file).write_bytes(make())
    ended = subprocess.run(
        [*PROGRAM, "build", file, "--out", "out"],
        env=os.environ | {"LANG": "C.UTF-8", "BANDSMITH_HOME": str(tmp_path / "home")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    said = ended.stdout + ended.stderr
    assert ended.returncode in (0, 1, 2), said
    assert said.strip() and "Traceback" not in said
    assert not any(sentence in said for sentence in INTERNAL)
    assert "root:" not in said, "the file of the machine's users"


@pytest.mark.slow
@pytest.mark.parametrize("name", outsider_replies.EDITS)
async def test_an_edit_opens_runs_and_loses_nothing(engine: ReportEngine, folder: Path, name: str):
    await opens_runs_and_loses_nothing(engine, folder, outsider_replies.EDITS[name])


@pytest.mark.parametrize("name", outsider_replies.QUERIES)
def test_a_query_is_refused(name: str):
    is_refused_everywhere(outsider_replies.QUERIES[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
async def test_a_message_that_is_taken_stops_and_forges_nothing(server: str, at_work: NatsBus, name: str):
    user, subject, content = TAKEN[name]
    await store(server, user, subject, content)
    await at_work.send(start("good", "good"))
    assert (await until_the_end(at_work, "good", "good"))[-1].kind == "TurnFinished"
    await until(lambda: idle(at_work))


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
async def test_a_message_that_is_not_its_user_s_is_refused(server: str, services: NatsBus, name: str):
    user, subject = REFUSED[name]
    async with refused(user, server) as (client, refusals):
        await client.publish(subject, b"{}")
        await client.flush()
        assert "violation" in (await refusals.get()).lower()


def test_there_are_as_many_as_the_manual_says():
    assert (len(TEMPLATES), len(UPLOADS)) == (60, 46)
    assert len(outsider_replies.EDITS) + len(outsider_replies.QUERIES) == 20
    assert len(TAKEN) + len(REFUSED) == 10
