"""The private NATS server: its life cycle, its store, and programs that share it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer, has_owner, running_server
from bandsmith.shared.errors import BadInput, BandsmithError, MissingPart
from bandsmith.shared.settings import BusSettings
from tests.shared.processes import is_alive, until

PARENT = """
import signal, sys, threading, time
from bandsmith.shared.bus.server import NatsServer
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # who runs the tests may have it ignored
server = NatsServer()
starter = threading.Thread(target=server.start)  # a server must outlive the thread that asked for it
starter.start()
starter.join()
print(server.pid, flush=True)
time.sleep(600)
"""


async def test_it_listens_on_loopback_with_jetstream_and_8_mb() -> None:
    with NatsServer() as server:
        assert "@127.0.0.1:" in server.url
        bus = await NatsBus.connect(server.url)
        assert bus._client.max_payload == 8 * 1024 * 1024
        await bus.close()


async def test_other_users_of_the_machine_are_rejected() -> None:
    with NatsServer() as server:
        address = server.url.rpartition("@")[2]
        for stranger in (f"nats://{address}", f"nats://guess@{address}"):
            with pytest.raises(BadInput, match="denied access") as caught:
                await NatsBus.connect(stranger, BusSettings(bus_timeout=1.5))
            assert "guess" not in caught.value.message + caught.value.message_zh


def test_several_servers_run_side_by_side() -> None:
    with NatsServer() as one, NatsServer() as other:
        assert one.url != other.url


def test_a_killed_server_can_be_started_again_at_once(tmp_path: Path) -> None:
    with NatsServer(tmp_path / "store") as server:
        address = server.url
        for _ in range(5):
            server.kill()
            server.start()
        assert server.url == address


async def test_a_given_store_is_kept(tmp_path: Path) -> None:
    with NatsServer(tmp_path / "store") as server:
        bus = await NatsBus.connect(server.url)
        ref = await bus.put(b"a form", "text/plain")
        await bus.close()

    with NatsServer(tmp_path / "store") as server:
        bus = await NatsBus.connect(server.url)
        assert await bus.get(ref) == b"a form"
        await bus.close()


async def test_a_crashed_server_restarts_at_its_address_with_its_data() -> None:
    with NatsServer() as server:
        bus = await NatsBus.connect(server.url)
        revision = await bus.write_state("kept", b"before", None)
        address, first = server.url, server.pid

        os.kill(first, signal.SIGKILL)
        until(lambda: server.pid != first and is_alive(server.pid))

        assert server.url == address
        assert await bus.read_state("kept") == (b"before", revision)
        await bus.close()


def test_a_temporary_store_is_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    with NatsServer():
        assert len(list(tmp_path.iterdir())) == 1

    assert list(tmp_path.iterdir()) == []


def test_only_abandoned_temporary_stores_are_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    killed = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert killed.stdout is not None
    server = int(killed.stdout.readline())
    (left,) = tmp_path.iterdir()
    killed.kill()
    killed.wait()
    killed.stdout.close()
    until(lambda: not is_alive(server))
    assert left.exists()

    with NatsServer():
        (used,) = set(tmp_path.iterdir()) - {left}
        for store in (left, used):
            os.utime(store / "lock", (0, 0))
        with NatsServer():
            assert used.exists() and not left.exists()


def test_a_store_has_one_server_at_a_time(tmp_path: Path) -> None:
    with NatsServer(tmp_path), pytest.raises(BandsmithError, match="another folder"):
        NatsServer(tmp_path).start()


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_with_the_process_that_started_it(end: signal.Signals) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    server = int(parent.stdout.readline())
    assert is_alive(server)

    parent.send_signal(end)
    parent.wait()
    parent.stdout.close()

    until(lambda: not is_alive(server))


def test_a_missing_program_is_an_error_with_a_remedy() -> None:
    with pytest.raises(MissingPart, match="apt-get install nats-server"):
        NatsServer(program="no-such-nats-server").start()


def test_a_program_that_is_not_a_server_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BandsmithError, match="did not start") as caught:
        NatsServer(tmp_path, program="false").start()
    assert str(tmp_path) not in caught.value.message


def test_a_configured_server_is_used(nats_server: NatsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NATS_URL", nats_server.url)
    monkeypatch.setenv("BANDSMITH_NATS_SERVER", "no-such-nats-server")

    with running_server() as (url, _):
        assert url == nats_server.url


def test_without_a_configured_server_one_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NATS_URL", raising=False)

    with running_server() as (url, _):
        assert "@127.0.0.1:" in url


async def test_an_unreachable_server_is_an_error_without_its_address() -> None:
    with pytest.raises(MissingPart, match="correct NATS_URL") as caught:
        await NatsBus.connect("nats://user:secret@127.0.0.1:1", BusSettings(bus_timeout=0.5))
    assert "secret" not in caught.value.message


def listening(folder: Path) -> int | None:
    """The port of the server that writes it into the folder."""
    until(lambda: any(folder.glob("*.ports")))
    return urlsplit(json.loads(next(folder.glob("*.ports")).read_text())["nats"][0]).port


async def test_credentials_may_be_percent_encoded(tmp_path: Path) -> None:
    config = tmp_path / "nats.conf"
    config.write_text(f"jetstream: {{store_dir: '{tmp_path}'}}\nauthorization: {{user: me, password: 'a@b:c/d%'}}")
    ports = ["--addr", "127.0.0.1", "--port", "-1", "--ports_file_dir", str(tmp_path)]
    server = subprocess.Popen(["nats-server", "-c", config, *ports], stderr=subprocess.DEVNULL)  # noqa: ASYNC220
    try:
        port = await asyncio.to_thread(listening, tmp_path)
        bus = await NatsBus.connect(f"nats://me:a%40b%3Ac%2Fd%25@127.0.0.1:{port}")
        assert bus.alive
        await bus.close()
    finally:
        server.kill()
        server.wait()


# --- one store, several programs -----------------------------------------------------------------------------------


def test_a_second_program_joins_the_server_of_the_store(tmp_path: Path):
    with running_server(store=tmp_path) as first, running_server(store=tmp_path) as second:
        assert not first.joined
        assert second.joined and second.url == first.url


def test_the_address_file_is_private_and_removed_at_the_end(tmp_path: Path):
    with running_server(store=tmp_path):
        assert (tmp_path / "address").stat().st_mode & 0o077 == 0
    assert not (tmp_path / "address").exists()


def test_after_a_crash_the_store_can_be_used_again(tmp_path: Path):
    crashed = NatsServer(tmp_path)
    crashed.start()
    crashed.kill()
    crashed._lock.close()
    crashed._owner_lock.close()
    with running_server(store=tmp_path) as (url, joined):
        assert not joined and url != crashed.url


def test_a_joined_program_knows_whether_the_owner_lives(tmp_path: Path):
    with running_server(store=tmp_path):
        assert has_owner(tmp_path)
    assert not has_owner(tmp_path)


def test_a_server_not_open_to_others_is_waited_for(tmp_path: Path):
    brief = NatsServer(tmp_path, open_to_others=False)
    brief.start()
    threading.Timer(0.3, brief.stop).start()
    with running_server(store=tmp_path) as (url, joined):
        assert not joined and url != brief.url
