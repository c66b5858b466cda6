"""A message server runs out of space: an error is reported, nothing acknowledged is lost, and work resumes.

There are two cases. A server with a storage limit, as in a cluster, reports that it is full; this needs no privileges.
A disk filled by another program makes nats-server 2.9 hang: for this a tmpfs is mounted in a separate namespace
(``unshare``), which users may do unless the kernel forbids it; the test is skipped if it cannot.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import find_server
from bandsmith.shared.errors import ServerFull
from bandsmith.shared.events import Envelope, KnowledgeRecalled
from bandsmith.shared.settings import BusSettings
from bandsmith.shared.worker import run_actor
from tests.shared.processes import until

from .planner import SETTINGS, Waiting, command
from .small_disk import answers, send

QUICK = SETTINGS.model_copy(update={"retry_delay": 0.0002})
ROOT = Path(__file__).parents[2]
LIMITED = """
host: 127.0.0.1
port: -1
ports_file_dir: "{folder}"
jetstream {{ store_dir: "{folder}", max_file_store: 4MB }}
"""
BANDSMITH = [sys.executable, "-c", "from bandsmith.cli import main; main()"]


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[str]:
    """The address of a server that stores 4 MB."""
    config = tmp_path / "limited.conf"
    config.write_text(LIMITED.format(folder=tmp_path))
    with subprocess.Popen([find_server(BusSettings().nats_server), "-c", config], stderr=subprocess.DEVNULL) as server:
        ports = tmp_path / f"nats-server_{server.pid}.ports"
        try:
            until(lambda: ports.exists() and ports.stat().st_size > 0)
            [url] = json.loads(ports.read_text())["nats"]
            yield url
        finally:
            server.terminate()


async def fill(bus: NatsBus) -> ServerFull:
    """A session that says much, until the server refuses it."""
    for number in range(1000):
        event = KnowledgeRecalled(passages=["x" * 20_000])
        try:
            await bus.publish(
                Envelope(
                    id=f"e{number}", kind=event.kind(), session="old", turn="t", payload=event.model_dump(mode="json")
                )
            )
        except ServerFull as error:
            return error
    raise AssertionError("the server never became full")


async def test_a_full_server_recovers_when_a_session_is_deleted(limited: str) -> None:
    # Given commands in flight, and a server that became full before they could be answered
    bus = await NatsBus.connect(limited, SETTINGS)
    planner = Waiting()
    await run_actor(bus, "planner", planner, concurrency=2, settings=QUICK)
    sent = await send(bus, "before", 5)
    refused = await fill(bus)

    # Then senders get an error at once
    assert "no space left" in str(refused) and "空间已满" in refused.message_zh
    for attempt in (
        bus.send(command("c1")),
        bus.put(b"\0" * 20_000, "a/b"),
        bus.write_state("s1", b"x" * 20_000, None),
    ):
        with pytest.raises(ServerFull):
            await attempt

    # When the worker tries to answer for longer than its deliveries last, and then space is freed
    planner.may.set()
    while planner.handled < 2 * QUICK.delivery_limit:  # noqa: ASYNC110 - there is no event for it
        await asyncio.sleep(0.05)
    await bus.delete_events("old")

    # Then everything acknowledged is answered, and new commands too, without a restart
    sent += await send(bus, "after", 1)
    async with asyncio.timeout(60):
        assert sorted(await answers(bus, sent)) == sorted(sent)
    assert await bus.dead_letters() == []
    await bus.close()


@pytest.mark.slow
async def test_the_command_line_reports_a_full_server_in_one_line(limited: str) -> None:
    bus = await NatsBus.connect(limited, SETTINGS)
    await fill(bus)

    ended = await asyncio.to_thread(
        subprocess.run,
        [*BANDSMITH, "kb", "search", "x" * 30_000],
        env=os.environ | {"NATS_URL": limited, "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
    )

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("The message server has no space left") and ended.stderr.count("\n") == 1
    await bus.close()


@pytest.mark.slow
def test_a_full_disk_that_is_freed_again_loses_nothing(tmp_path: Path) -> None:
    # Given a separate disk, small enough to be filled
    namespace = ["unshare", "--user", "--map-root-user", "--mount"]
    mount = 'mount -t tmpfs -o size=64m tmpfs "$0"'
    if subprocess.run([*namespace, "sh", "-c", mount, tmp_path], check=False, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("this machine does not allow mounting a tmpfs in a user namespace")

    # When it is filled and freed again
    scenario = f'{mount} && exec "$1" -m tests.faults.small_disk "$0"'
    ended = subprocess.run(
        [*namespace, "sh", "-c", scenario, tmp_path, sys.executable],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )

    # Then that was reported, and everything acknowledged was answered once, without help
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "no space left" in ended.stdout or "its disk is full" in ended.stdout
    assert "Traceback" not in ended.stderr
