"""The statements of docs/integration.md are true: figures, links, files and sessions."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import Client

from bandsmith.services.gateway.admission import MAX_WAITING_TURNS
from bandsmith.services.gateway.reducer import MAX_PAST_TURNS
from bandsmith.shared.bus.nats.objects import CHUNK_BYTES
from bandsmith.shared.bus.nats.streams import DUPLICATE_WINDOW_S
from bandsmith.shared.settings import BusSettings
from tools import docs

from .conftest import BANDSMITH, CLI, GUIDE, REPORTS, ROOT, Place

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def test_the_guide_shows_the_examples_that_are_tested():
    assert docs.guide(GUIDE) == GUIDE, "docs/integration.md is stale: run `make docs`"


def test_every_file_named_is_there():
    for path in re.findall(r"\]\((?!https?:|#)([^)]+)\)", GUIDE):
        assert (docs.GUIDE.parent / path).exists(), path


@pytest.mark.parametrize(
    "words",
    [
        f"pieces of {CHUNK_BYTES:,} bytes",
        f"at most {MAX_WAITING_TURNS} wait",
        f"Within {DUPLICATE_WINDOW_S / 60:.0f} minutes",
        f"the last {MAX_PAST_TURNS} turns",
        f"for {BusSettings.model_fields['keep_days'].default:.0f} days (`BANDSMITH_KEEP_DAYS`)",
    ],
)
def test_the_guides_figures_match_the_code(words: str):
    assert words in GUIDE
    assert f"PIECE = {CHUNK_BYTES}" in (ROOT / "examples/consumer/files.py").read_text()


def test_the_cluster_grants_the_guides_permissions():
    guide, cluster = (
        set(re.findall(r'"([^"]+)"', text.partition("user: reports")[2].partition("```")[0]))
        for text in (re.sub(r"\s# .*", "", GUIDE), (ROOT / "k8s/base/users.conf").read_text())
    )
    assert guide == cluster


@pytest.mark.slow
async def test_a_turn_with_a_file_can_be_sent_and_its_session_exported(place: Place, tmp_path: Path):
    """Given the permissions of a program that follows turns
    When it sends a template in pieces, and begins a turn with it
    Then the turn ends with that template, in the sender's trace, and the session can be exported."""
    template = JRXML.replace(b"PADDING", b"x" * CHUNK_BYTES)
    async with place.client(BANDSMITH) as ear, place.client(REPORTS) as client, asyncio.timeout(60):
        end = await ear.subscribe("evt.v1.sent.turn.*")
        await ear.flush()
        content = {"key": await send(client, template), "media": "application/xml", "size": len(template)}
        payload = {"text": "", "attachments": [{"name": "sent.jrxml", "content": content}], "name": "sent"}
        await start(client, "sent", payload, traceparent=f"00-{TRACE}-00f067aa0ba902b7-01")
        while (result := json.loads((await end.next_msg(timeout=60)).data))["kind"] != "TurnFinished":
            assert result["kind"] != "TurnFailed", result
    assert "report.jrxml" in result["payload"]["files"], result
    assert result["turn"] == "sent-1" and result["traceparent"].split("-")[1] == TRACE

    export = [*CLI, "sessions", "export", "sent", "--out", str(tmp_path / "sent.zip")]
    url = f"nats://{BANDSMITH['NATS_USER']}:{BANDSMITH['NATS_PASSWORD']}@{place.address}"
    await asyncio.to_thread(subprocess.run, export, env=os.environ | {"NATS_URL": url}, check=True)
    assert "versions/001/report.jrxml" in zipfile.ZipFile(tmp_path / "sent.zip").namelist()


async def send(client: Client, data: bytes) -> str:
    """Send a file as the guide says, and return its key."""
    key = hashlib.sha256(data).hexdigest()
    for number, begin in enumerate(range(0, len(data), CHUNK_BYTES)):
        headers = {"Nats-Msg-Id": f"{key}.{number}"}
        await client.jetstream().publish(f"obj.{key}.{number}", data[begin : begin + CHUNK_BYTES], headers=headers)
    return key


async def start(client: Client, session: str, payload: dict[str, Any], **more: str) -> None:
    turn = f"{session}-1"
    command = {"id": turn, "kind": "StartTurn", "session": session, "turn": turn, "payload": payload} | more
    await client.jetstream().publish("cmd.v1.gateway.StartTurn", json.dumps(command).encode())


JRXML = b"""<?xml version="1.0" encoding="UTF-8"?>
<!-- PADDING -->
<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="sent" pageWidth="595" pageHeight="842"
    columnWidth="555" leftMargin="20" rightMargin="20" topMargin="20" bottomMargin="20">
  <title>
    <band height="40">
      <staticText>
        <reportElement x="0" y="0" width="200" height="20"/>
        <text><![CDATA[Sent from elsewhere]]></text>
      </staticText>
    </band>
  </title>
</jasperReport>
"""


@pytest.mark.slow
async def test_permission_to_follow_turns_excludes_internal_messages(place: Place):
    """A program that follows turns creates no consumer, whatever messages it would be for."""
    wanted = {
        "stream_name": "EVT",
        "config": {"name": "reports", "filter_subject": "evt.v1.*.work.*", "ack_policy": "none"},
    }
    refusals: asyncio.Queue[Exception] = asyncio.Queue()
    async with place.client(BANDSMITH) as operator, place.client(REPORTS, refusals.put) as client:
        before = await operator.jetstream().consumers_info("EVT")
        for subject in ("EVT.reports.evt.v1.*.turn.*", "EVT.reports", "EVT"):
            await client.publish(f"$JS.API.CONSUMER.CREATE.{subject}", json.dumps(wanted).encode())
            assert "permissions violation" in str(await asyncio.wait_for(refusals.get(), 20)).lower()
        after = await operator.jetstream().consumers_info("EVT")
    assert [one.name for one in after] == [one.name for one in before]
