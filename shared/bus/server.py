"""A nats-server of our own on loopback, that lives as long as the process that started it."""

from __future__ import annotations

import fcntl
import json
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, TextIO

from ..errors import BandsmithError, MissingPart
from ..settings import BusSettings

START_SECONDS = 20.0
STOP_SECONDS = 10.0
RESTART_SECONDS = 0.2
MOST_RESTARTS = 5
TEMPORARY = "bandsmith-nats-"
ADDRESS = "address"
"""The file that tells where the server of a store is."""
HOST = "host"
"""The file that is locked for as long as the program lives that runs the server; the server may outlive it a little."""
LOOK_SECONDS = 0.25
"""How often it is looked whether the disk is full."""
LEAST = 16 * 1024 * 1024
"""Bytes on the disk, below which writing may have failed: twice the largest message."""
LEFT_SECONDS = 60.0
"""Age from which a temporary store that nobody uses was left behind; a younger one may just be coming to life."""

CONFIG = """
host: 127.0.0.1
port: {port}
max_payload: 8MB
ports_file_dir: "{directory}"
log_file: "{directory}/nats-server.log"
log_size_limit: 1MB
authorization {{ token: "{token}" }}
jetstream {{ store_dir: "{directory}", max_file_store: {room} }}
"""


def find_server(name: str) -> str:
    """The server's program. Raises ``MissingPart`` when it is not installed."""
    # Debian installs it where only root looks for programs
    program = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if program is None:
        raise MissingPart(
            "nats-server is not installed: run `apt-get install nats-server`, or name one in "
            "BANDSMITH_NATS_SERVER, or a running server's address in NATS_URL.",
            message_zh="没有安装 nats-server：请运行 `apt-get install nats-server`，或用 BANDSMITH_NATS_SERVER "
            "指定程序，或用 NATS_URL 指定正在运行的服务器地址。",
        )
    return program


class StoreInUse(BandsmithError):
    """Another process has a server of its own on the store."""

    code = "store"

    def __init__(self) -> None:
        super().__init__(
            "Another Bandsmith is using this store: wait until it has ended, or choose another folder.",
            message_zh="另一个 Bandsmith 正在使用这个存储目录：请等它结束，或换一个目录。",
        )


class RunningServer(NamedTuple):
    """Where a server is."""

    url: str
    joined: bool
    """Whether another program of this user runs it, and the services with it."""


class NatsServer:
    """One nats-server with JetStream on a free port of 127.0.0.1; a context manager.

    `store` is kept when it is given and a temporary folder when it is not; in one that is kept stands the address, for
    other programs of the same user to join it where it is `open_to_others`. A server that dies by itself is started
    again. After ``kill`` or ``stop``, ``start`` begins anew. Each time it is the same port, with what the store holds.
    """

    def __init__(self, store: Path | None = None, *, program: str = "nats-server", open_to_others: bool = True) -> None:
        self._program = program
        self._open = open_to_others
        self._temporary = store is None
        self._store = store
        self._port = -1
        self._token = secrets.token_hex(16)  # other users of the machine can reach its loopback
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: TextIO | None = None
        self._host: TextIO | None = None
        self._ending = threading.Event()

    @property
    def url(self) -> str:
        """Its address, with the secret that lets a client in."""
        return f"nats://{self._token}@127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        assert self._process is not None, "not started"
        return self._process.pid

    def start(self) -> None:
        """Returns when it takes connections. Raises ``MissingPart`` when there is no nats-server."""
        program = find_server(self._program)
        if self._store is None:
            _remove_what_was_left()
            self._store = Path(tempfile.mkdtemp(prefix=TEMPORARY))
        self._store.mkdir(parents=True, exist_ok=True)
        self._ending = threading.Event()  # one who keeps the server before may not have noticed yet that it ended
        self._launch([program, "-c", str(self._configured())])
        self._await_ports()
        if not self._temporary and self._open:
            _write_secret(self._store / ADDRESS, self.url)

    def stop(self) -> None:
        """Stop it, and remove its store if that is temporary."""
        self._ending.set()
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        if self._lock is not None:
            assert self._store is not None
            (self._store / ADDRESS).unlink(missing_ok=True)
            self._lock.close()
            self._lock = None
        if self._host is not None:
            self._host.close()
            self._host = None
        if self._temporary and self._store is not None:
            shutil.rmtree(self._store, ignore_errors=True)
            self._store = None

    def kill(self) -> None:
        """End it as a crash would (SIGKILL), for good; the store stays."""
        self._ending.set()
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> NatsServer:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def _configured(self) -> Path:
        """Its configuration file: on any free port the first time, on the same one ever after."""
        assert self._store is not None
        config = self._store / "nats-server.conf"
        about = {"port": self._port, "directory": self._store.resolve(), "token": self._token}
        _write_secret(config, CONFIG.format(room=_room(self._store), **about))
        return config

    def _launch(self, command: list[str]) -> None:
        lock = self._lock = self._lock or self._take_lock()
        # setpriv makes the kernel end the server when its parent dies, even by SIGKILL. "Parent" means the thread that
        # started it, so that thread stays until the server has ended.
        if setpriv := shutil.which("setpriv"):
            command = [setpriv, "--pdeathsig", "TERM", *command]
        started, ending = threading.Event(), self._ending

        def keep() -> None:
            deaths = 0
            while deaths <= MOST_RESTARTS:
                try:
                    self._process = subprocess.Popen(
                        command,
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        start_new_session=True,  # the terminal's Ctrl-C is for us; we then stop it in good order
                        pass_fds=[lock.fileno()],  # the lock lasts as long as the server, should we go first
                    )
                finally:
                    started.set()
                deaths += self._died(self._process)
                if self._port < 0 or ending.wait(RESTART_SECONDS):
                    return
                self._configured()

        threading.Thread(target=keep, name="nats-server", daemon=True).start()
        started.wait()

    def _died(self, process: subprocess.Popen[bytes]) -> bool:
        """Returns when it has ended: whether by itself, not because the disk was full.

        A server that cannot write hangs for ever (2.9), so once there is space again it is killed. What it has
        acknowledged is in its store.
        """
        full = False
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(LOOK_SECONDS)
                return True
            free = _free(self._store)
            full = full or free < LEAST
            if full and free >= 2 * LEAST:
                process.kill()
                process.wait()
                return False

    def _take_lock(self) -> TextIO:
        assert self._store is not None
        if (lock := _locked(self._store / "lock")) is None:
            raise StoreInUse
        if self._open and (host := _locked(self._store / HOST)) is None:  # perhaps somebody just looks
            lock.close()
            raise StoreInUse
        self._host = host if self._open else None
        return lock

    def _await_ports(self) -> None:
        assert self._process is not None and self._store is not None
        ports = self._store / f"nats-server_{self._process.pid}.ports"
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                address: str = json.loads(ports.read_text())["nats"][0]
            except (OSError, ValueError):
                time.sleep(0.005)
                continue
            self._port = int(address.rsplit(":", 1)[1])
            return
        self.stop()
        raise BandsmithError(
            "nats-server did not start: check that `nats-server -js` runs and that the disk has space.",
            message_zh="nats-server 未能启动：请检查 `nats-server -js` 能否运行、磁盘是否有空间。",
            code="server",
        )


def _free(store: Path | None) -> int:
    """Bytes; endless where nobody knows."""
    with suppress(OSError):
        return shutil.disk_usage(store or "").free
    return sys.maxsize


def _room(store: Path) -> int:
    """Bytes that the server may store: it then says that it is full before the disk is, on which it would hang.

    Its own default leaves out what it holds already, so that it may be full from the beginning.
    """
    held = 0
    for file in (store / "jetstream").rglob("*"):
        with suppress(OSError):
            held += file.stat().st_size
    return held + _free(store) * 3 // 4


def _remove_what_was_left() -> None:
    """The temporary stores of those who were killed: they hold people's documents."""
    for lock in Path(tempfile.gettempdir()).glob(f"{TEMPORARY}*/lock"):
        with suppress(OSError), lock.open() as file:  # it may be someone else's, in use, or going away right now
            if time.time() - lock.stat().st_mtime > LEFT_SECONDS:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)


@contextmanager
def running_server(
    settings: BusSettings | None = None, store: Path | None = None, *, open_to_others: bool = True
) -> Iterator[RunningServer]:
    """A server for as long as the block lasts: the one that NATS_URL names, else one of our own on `store`.

    Where another program has one on that store that is open to others, it is that one; where it is not, or is about
    to begin or to end, this waits for it. Raises ``StoreInUse`` when that takes long.
    """
    settings = settings or BusSettings()
    if settings.nats_url:
        yield RunningServer(settings.nats_url, joined=False)
        return
    server = NatsServer(store, program=settings.nats_server, open_to_others=open_to_others)
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            server.start()
            break
        except StoreInUse:
            if store is not None and (url := address_of(store)):
                yield RunningServer(url, joined=True)
                return
            if store is None or time.monotonic() > deadline:
                raise
        time.sleep(0.05)
    try:
        yield RunningServer(server.url, joined=False)
    finally:
        server.stop()


def has_owner(store: Path) -> bool:
    """Whether the program still lives that runs the store's server for others."""
    if (lock := _locked(store / HOST)) is None:
        return True
    lock.close()
    return False


def address_of(store: Path) -> str:
    """That of the server that another program has on the store for others to join; empty where there is none."""
    with suppress(OSError):
        return (store / ADDRESS).read_text().strip() if has_owner(store) else ""
    return ""


def _locked(path: Path) -> TextIO | None:
    """The file, locked for as long as it is open; None where another program has locked it."""
    lock = path.open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock


def _write_secret(path: Path, text: str) -> None:
    """In one go, for nobody else's eyes."""
    aside = path.with_suffix(".new")
    aside.unlink(missing_ok=True)
    aside.touch(mode=0o600)
    aside.write_text(text)
    aside.replace(path)
