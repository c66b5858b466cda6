"""A PostgreSQL server for tests: a child process on a socket of its own folder and a free port of loopback."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.shared.processes import family, is_alive, until

USER, PASSWORD = "postgres", "kept out of every log"


class PostgresServer:
    """A server with an empty database; a password is needed. It can be killed and started again."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="bandsmith-postgres-"))
        self._user = USER if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
        if self._user:
            shutil.chown(self._folder, USER)
        password = self._folder / "password"
        password.write_text(PASSWORD)
        options = ["-U", USER, "-A", "scram-sha-256", "--pwfile", str(password), "-E", "UTF8", "--no-sync"]
        self._run("initdb", *options)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    @property
    def url(self) -> str:
        return f"postgresql://{USER}:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = f"-h 127.0.0.1 -p {self.port} -k {self._folder} -c fsync=off"
        self._run("pg_ctl", "-o", options, "-l", str(self._folder / "log"), "-w", "start")

    def kill(self) -> None:
        """Kill it (SIGKILL); the processes of its connections end too."""
        lock = self._folder / "data" / "postmaster.pid"
        pid = int(lock.read_text().split()[0])
        processes = family(pid)
        for one in processes:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        until(lambda: not any(map(is_alive, processes)))
        # A container may have nobody to reap the process, which then looks alive to the next server.
        for left in (lock, *self._folder.glob(".s.PGSQL.*.lock")):
            left.unlink()

    def remove(self) -> None:
        self._run("pg_ctl", "-m", "immediate", "stop", check=False)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *options: str, check: bool = True) -> None:
        command: list[str | Path] = [_programs() / program, "-D", self._folder / "data", *options]
        subprocess.run(
            command, check=check, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self._folder,
            user=self._user,
        )  # fmt: skip


@contextmanager
def postgres_server() -> Iterator[str]:
    """Provide the URL of a running server."""
    server = PostgresServer()
    server.start()
    try:
        yield server.url
    finally:
        server.remove()


def _programs() -> Path:
    """Return the folder of PostgreSQL's programs: Debian has one for each version, outside the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    return found[-1].parent if found else Path(shutil.which("pg_ctl") or "pg_ctl").parent
