"""A PostgreSQL server for tests: a child process on a socket of its own folder and a free port of loopback."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER, PASSWORD = "postgres", "kept out of every log"


@contextmanager
def postgres_server() -> Iterator[str]:
    """Provide the URL of a server with an empty database; a password is needed."""
    folder = Path(tempfile.mkdtemp(prefix="bandsmith-postgres-"))
    user = USER if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
    if user:
        shutil.chown(folder, USER)
    password = folder / "password"
    password.write_text(PASSWORD)
    data, programs = folder / "data", _programs()

    def run(program: str, *options: object, check: bool = True) -> None:
        command = [programs / program, "-D", data, *map(str, options)]
        subprocess.run(
            command, check=check, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, user=user
        )

    options = ["-U", USER, "-A", "scram-sha-256", "--pwfile", str(password), "-E", "UTF8", "--no-sync"]
    run("initdb", *options)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = ["-o", f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off", "-l", str(folder / "log"), "-w"]
    run("pg_ctl", *settings, "start")
    try:
        yield f"postgresql://{USER}:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-m", "immediate", "stop", check=False)
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path:
    """Return the folder of PostgreSQL's programs: Debian has one for each version, outside the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    return found[-1].parent if found else Path(shutil.which("pg_ctl") or "pg_ctl").parent
