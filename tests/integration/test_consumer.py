"""The guide's examples work, with the permissions of the guide and no others."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from nats.aio.client import Client

from tools.node import Node

from .conftest import BANDSMITH, EXAMPLE, REPORTS, Place, line, script

pytestmark = pytest.mark.slow

REQUEST = "a sales report with customer and amount"


Begin = Callable[[str], Awaitable[None]]


@pytest.fixture
def begin(example: Path, place: Place, javascript: Node) -> Begin:
    """Start a turn of this session, as start.js does."""

    async def run(session: str) -> None:
        async with script(example, place, javascript.node, "start.js", session, REQUEST) as process:
            result = await line(process)
            async with asyncio.timeout(20):
                assert await process.wait() == 0, result

    return run


async def until_settled(place: Place) -> None:
    """Whether the server knows that the consumer has acknowledged everything."""
    async with place.client(BANDSMITH) as client, asyncio.timeout(60):
        while True:
            known = await client.jetstream().consumer_info("EVT", "reports")
            if known.num_pending == known.num_ack_pending == 0:
                return
            await asyncio.sleep(0.02)


async def finished(client: Client, session: str) -> None:
    subscription = await client.subscribe(f"evt.v1.{session}.turn.TurnFinished")
    await client.flush()
    async with asyncio.timeout(60):
        await subscription.next_msg(timeout=60)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
async def test_a_consumer_prints_each_finished_turn_once(
    example: Path, place: Place, javascript: Node, begin: Begin, end: signal.Signals
):
    session, later = f"{end.name}-1", f"{end.name}-2"
    # Given no finished turn, a consumer, and an external program that follows turns in JavaScript
    async with script(example, place, javascript.node, "create.js", user=BANDSMITH) as creating:
        assert await line(creating) == "" and await creating.wait() == 0
    async with place.client(BANDSMITH) as client:
        await client.jetstream().purge_stream("EVT", subject="evt.v1.*.turn.TurnFinished")
    async with script(example, place, javascript.node, "follow.js") as following:
        # When a turn finishes
        await begin(session)
        # Then the program prints it, with the reply and the files' keys
        printed = (await line(following)).split("\t")
        assert printed[0] == session and printed[1]
        assert {"report.jrxml", "report.pdf", "data.json"} <= {file.partition("=")[0] for file in printed[2:]}
        assert all(re.fullmatch(r"[\w.-]+=[0-9a-f]{64}", file) for file in printed[2:])
        # ... and when the program ends, in order or not
        await until_settled(place)
        following.send_signal(end)
        async with asyncio.timeout(20):
            assert await following.wait() == (0 if end is signal.SIGTERM else -9)
        assert await line(following) == ""

    # and another turn finishes meanwhile
    async with place.client(BANDSMITH) as client:
        done = asyncio.create_task(finished(client, later))
        await begin(later)
        await done

    # Then it continues with that turn when it is back
    async with script(example, place, javascript.node, "follow.js") as following:
        assert (await line(following)).split("\t")[0] == later
        await until_settled(place)


async def test_a_fetched_file_matches_its_reference(place: Place, begin: Begin, tmp_path: Path):
    async with place.client(BANDSMITH) as client:
        done = asyncio.create_task(finished(client, "files"))
        await begin("files")
        await done
    async with script(EXAMPLE, place, sys.executable, "files.py", "files", str(tmp_path)) as fetching:
        assert await line(fetching) == "" and await fetching.wait() == 0
    assert b"<jasperReport" in (tmp_path / "report.jrxml").read_bytes()
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


async def test_a_turn_published_twice_is_stored_once(place: Place):
    async with place.client(REPORTS) as client:
        command = {"id": "once", "kind": "StartTurn", "session": "once", "turn": "once", "payload": {"text": ""}}
        stored = [
            await client.jetstream().publish(
                "cmd.v1.gateway.StartTurn", json.dumps(command).encode(), headers={"Nats-Msg-Id": "once"}
            )
            for _ in range(2)
        ]
    assert [ack.duplicate or False for ack in stored] == [False, True]


@pytest.mark.parametrize(
    "subject",
    [
        "cmd.v1.planner.AnswerQuestion",
        "evt.v1.march.turn.TurnFinished",
        "$JS.API.STREAM.MSG.GET.KV_STATE",
        "$KV.STATE.session-march",
        "$JS.API.STREAM.DELETE.EVT",
        "$JS.API.CONSUMER.CREATE.EVT.reports.evt.v1.*.work.*",
        "$JS.API.CONSUMER.MSG.NEXT.CMD.gateway",
        "$JS.API.CONSUMER.DELETE.EVT.gateway",
    ],
)
async def test_a_following_user_may_do_nothing_else(place: Place, subject: str):
    async with refused(place) as (client, refusals):
        await client.publish(subject, b"{}", reply=client.new_inbox())
        await client.flush()
        assert "permissions violation" in str(await refusals.get()).lower()


@pytest.mark.parametrize("subject", ["evt.>", "cmd.>", "_INBOX.>", "tok.*"])
async def test_a_following_user_receives_nothing_else(place: Place, subject: str):
    async with refused(place) as (client, refusals):
        await client.subscribe(subject)
        await client.flush()
        assert "permissions violation" in str(await refusals.get()).lower()


@asynccontextmanager
async def refused(place: Place) -> AsyncIterator[tuple[Client, asyncio.Queue[Exception]]]:
    """The user `reports`, and what the server refuses to it."""
    refusals: asyncio.Queue[Exception] = asyncio.Queue()
    async with place.client(REPORTS, refusals.put) as client, asyncio.timeout(20):
        yield client, refusals
