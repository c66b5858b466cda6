"""Run a private nats-server on the loopback interface for as long as the process that started it."""

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
from urllib.parse import urlsplit

from ..errors import BandsmithError, MissingPart
from ..files import private_folder, write_private
from ..replies import Text
from ..settings import BusSettings

START_TIMEOUT_S = 20.0
STOP_TIMEOUT_S = 10.0
RESTART_DELAY_S = 0.2
MAX_RESTARTS = 5
TEMPORARY_PREFIX = "bandsmith-nats-"
ADDRESS_FILE = "address"
"""Name of the file in a store that holds its server's address."""
OWNER_LOCK = "host"
"""Name of the file that the owning program keeps locked while it lives; the server may outlive it briefly."""
DISK_CHECK_INTERVAL_S = 0.25
MIN_FREE_BYTES = 16 * 1024 * 1024
"""With less free disk space than twice the largest message, a write may have failed."""
ABANDONED_AFTER_S = 60.0
"""Age from which an unlocked temporary store counts as abandoned; a younger one may just be starting."""

CONFIG = """
host: 127.0.0.1
port: {port}
max_payload: 8MB
ports_file_dir: "{directory}"
log_file: "{directory}/nats-server.log"
log_size_limit: 1MB
authorization {{ token: "{token}" }}
jetstream {{ store_dir: "{directory}", max_file_store: {capacity} }}
"""


def find_server(name: str) -> str:
    """Return the path of the server program. Raises ``MissingPart`` if it is not installed."""
    # Debian installs it into a folder that is only in root's PATH
    program = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if program is None:
        raise MissingPart.of("bus.server_missing", code="missing")
    return program


class StoreInUse(BandsmithError):
    """Raised when another process runs a server on the store."""

    code = "store"

    def __init__(self) -> None:
        text = Text.of("bus.store_in_use")
        super().__init__(text.en, message_zh=text.zh)


class RunningServer(NamedTuple):
    """A server that accepts connections."""

    url: str
    joined: bool
    """Whether another program of the same user runs the server and the services."""


class NatsServer:
    """A nats-server with JetStream on a free port of 127.0.0.1; a context manager.

    A given `store` is kept; without one a temporary folder is used. With `open_to_others`, the address is written to
    the store, so that other programs of the same user can join. A server that crashes is restarted, and ``start`` works
    again after ``kill`` and ``stop``, each time with the same port and the contents of the store.
    """

    def __init__(
        self,
        store: Path | None = None,
        *,
        program: str = "nats-server",
        open_to_others: bool = True,
        url: str = "",
    ) -> None:
        """`url` is the address of an earlier server on the store, for whose clients this one takes its place."""
        self._program = program
        self._open = open_to_others
        self._temporary = store is None
        self._store = store
        old = urlsplit(url)
        self._port = old.port or -1
        self._token = old.username or secrets.token_hex(
            16
        )  # other users of the machine can reach the loopback interface
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: TextIO | None = None
        self._owner_lock: TextIO | None = None
        self._ending = threading.Event()

    @property
    def url(self) -> str:
        """The address, including the token."""
        return f"nats://{self._token}@127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        assert self._process is not None, "not started"
        return self._process.pid

    def start(self) -> None:
        """Start the server; returns when it accepts connections. Raises ``MissingPart`` without nats-server."""
        program = find_server(self._program)
        if self._store is None:
            self._store = _temporary_store()
        private_folder(self._store)
        self._ending = threading.Event()  # the previous thread may not have noticed yet that its server ended
        self._launch([program, "-c", str(self._write_config())])
        self._wait_for_port()
        if not self._temporary and self._open:
            write_private(self._store / ADDRESS_FILE, self.url.encode())

    def stop(self) -> None:
        """Stop the server and remove a temporary store."""
        self._ending.set()
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self.kill()
        if self._lock is not None:
            assert self._store is not None
            (self._store / ADDRESS_FILE).unlink(missing_ok=True)
            self._lock.close()
            self._lock = None
        if self._owner_lock is not None:
            self._owner_lock.close()
            self._owner_lock = None
        if self._temporary and self._store is not None:
            shutil.rmtree(self._store, ignore_errors=True)
            self._store = None

    def kill(self) -> None:
        """End the server like a crash (SIGKILL), without a restart; the store is kept."""
        self._ending.set()
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> NatsServer:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def _write_config(self) -> Path:
        """Write the configuration file: any free port the first time, the same port after that."""
        assert self._store is not None
        config = self._store / "nats-server.conf"
        values = {
            "port": self._port,
            "directory": self._store.resolve(),
            "token": self._token,
            "capacity": _capacity(self._store),
        }
        write_private(config, CONFIG.format(**values).encode())
        return config

    def _launch(self, command: list[str]) -> None:
        lock = self._lock = self._lock or self._acquire_locks()
        # setpriv makes the kernel end the server when its parent dies, even by SIGKILL. The parent is the thread that
        # started it, so that thread runs until the server has ended.
        if setpriv := shutil.which("setpriv"):
            command = [setpriv, "--pdeathsig", "TERM", *command]
        started, ending = threading.Event(), self._ending

        def supervise() -> None:
            crashes = 0
            while crashes <= MAX_RESTARTS:
                try:
                    self._process = subprocess.Popen(
                        command,
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        start_new_session=True,  # so that the terminal's Ctrl-C reaches only us, and we stop it
                        pass_fds=[lock.fileno()],  # the lock lasts as long as the server, even if we end first
                    )
                finally:
                    started.set()
                crashes += self._wait_for_end(self._process)
                if self._port < 0 or ending.wait(RESTART_DELAY_S):
                    return
                self._write_config()

        threading.Thread(target=supervise, name="nats-server", daemon=True).start()
        started.wait()

    def _wait_for_end(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait until the server has ended; returns whether it crashed.

        nats-server 2.9 hangs forever after a failed write, so it is killed here as soon as the disk has space again.
        What it has acknowledged is in its store.
        """
        full = False
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(DISK_CHECK_INTERVAL_S)
                return True
            free = _free_bytes(self._store)
            full = full or free < MIN_FREE_BYTES
            if full and free >= 2 * MIN_FREE_BYTES:
                process.kill()
                process.wait()
                return False

    def _acquire_locks(self) -> TextIO:
        assert self._store is not None
        if (lock := _locked(self._store / "lock")) is None:
            raise StoreInUse
        if self._open and (owner_lock := _locked(self._store / OWNER_LOCK)) is None:  # maybe being checked
            lock.close()
            raise StoreInUse
        self._owner_lock = owner_lock if self._open else None
        return lock

    def _wait_for_port(self) -> None:
        assert self._process is not None and self._store is not None
        ports = self._store / f"nats-server_{self._process.pid}.ports"
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                address: str = json.loads(ports.read_text())["nats"][0]
            except (OSError, ValueError):
                time.sleep(0.005)
                continue
            self._port = int(address.rsplit(":", 1)[1])
            return
        self.stop()
        raise BandsmithError.of("bus.server_not_started", code="server")


def _free_bytes(store: Path | None) -> int:
    """Return the free disk space; unlimited if it is unknown."""
    with suppress(OSError):
        return shutil.disk_usage(store or "").free
    return sys.maxsize


def _capacity(store: Path) -> int:
    """Return how many bytes the server may store, so that it reports being full before a full disk makes it hang.

    The server's default ignores what the store already contains, so that it could be full from the start.
    """
    stored = 0
    for file in (store / "jetstream").rglob("*"):
        with suppress(OSError):
            stored += file.stat().st_size
    return stored + _free_bytes(store) * 3 // 4


def _temporary_store() -> Path:
    """Create a temporary folder. Raises ``BandsmithError`` where none can be written."""
    try:
        tempfile.gettempdir()
    except FileNotFoundError:
        raise BandsmithError.of("bus.no_temporary_folder", code=BandsmithError.code) from None
    _remove_abandoned_stores()
    return Path(tempfile.mkdtemp(prefix=TEMPORARY_PREFIX))


def _remove_abandoned_stores() -> None:
    """Remove the temporary stores of killed processes, because they contain documents."""
    for lock in Path(tempfile.gettempdir()).glob(f"{TEMPORARY_PREFIX}*/lock"):
        with suppress(OSError), lock.open() as file:  # it may be another user's, in use, or just being removed
            if time.time() - lock.stat().st_mtime > ABANDONED_AFTER_S:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)


@contextmanager
def running_server(
    settings: BusSettings | None = None, store: Path | None = None, *, open_to_others: bool = True
) -> Iterator[RunningServer]:
    """Provide a server for the block: the one at NATS_URL, or else a private one on `store`.

    If another program runs one on that store and it is open to others, it is joined. If it is not, or is just starting
    or stopping, this waits. Raises ``StoreInUse`` if that takes too long.
    """
    settings = settings or BusSettings()
    if settings.nats_url:
        yield RunningServer(settings.nats_url, joined=False)
        return
    server = NatsServer(store, program=settings.nats_server, open_to_others=open_to_others)
    deadline = time.monotonic() + START_TIMEOUT_S
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


def take_over(server: NatsServer, store: Path) -> bool:
    """Start a server in the place of the one on its store, whose owner has ended; return whether that succeeded.

    Another program may have done so before. Raises ``StoreInUse`` if neither happens in time.
    """
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            server.start()
            return True
        except StoreInUse:
            if address_of(store):
                return False
            if time.monotonic() > deadline:
                raise
        time.sleep(0.05)


def has_owner(store: Path) -> bool:
    """Whether the program that runs the store's server for others is alive."""
    if (lock := _locked(store / OWNER_LOCK)) is None:
        return True
    lock.close()
    return False


def address_of(store: Path) -> str:
    """Return the address of a store's server that can be joined; empty if there is none."""
    with suppress(OSError):
        return (store / ADDRESS_FILE).read_text().strip() if has_owner(store) else ""
    return ""


def _locked(path: Path) -> TextIO | None:
    """Open and lock a file; None if another program has locked it."""
    lock = path.open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock
