"""A MariaDB server for tests: a child process on a socket of its own folder and a free port of loopback."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pymysql

USER, PASSWORD = "reader", "p@ss:wörd/%"
OTHER_USER, OTHER_DATABASES = "stranger", ("crm", "sales", "archive")
"""Another user, who may make these databases and sees no other."""
START_SECONDS = 60


@contextmanager
def mariadb_server() -> Iterator[int]:
    """Provide the port of a server with an empty database ``shop``, in which ``USER`` may do everything."""
    folder = Path(tempfile.mkdtemp(prefix="bandsmith-mariadb-"))
    user = ["--user=mysql"] if os.geteuid() == 0 else []  # MariaDB refuses to run as root
    if user:
        shutil.chown(folder, "mysql")
    data, at = folder / "data", folder / "server.sock"
    install = ["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--auth-root-authentication-method=normal"]
    subprocess.run(
        [*install, "--skip-test-db", *user], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [f"--datadir={data}", f"--socket={at}", f"--port={port}", "--bind-address=127.0.0.1", *user,
               "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=16M", "--skip-log-bin",
               "--skip-name-resolve"]  # fmt: skip
    path = f"{os.environ['PATH']}:/usr/sbin"
    program = shutil.which("mariadbd", path=path) or "mariadbd"
    command = [program, "--no-defaults", *options]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _prepare(at)
        yield port
    finally:
        server.kill()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _prepare(at: Path) -> None:
    """Wait for the server; make the database and a user who may do everything in it."""
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            connection = pymysql.connect(unix_socket=str(at), user="root")
            break
        except pymysql.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
    with connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE shop CHARACTER SET utf8mb4")
        cursor.execute("CREATE USER %s@'%%' IDENTIFIED BY %s", (USER, PASSWORD))
        cursor.execute("GRANT ALL ON shop.* TO %s@'%%'", (USER,))
        cursor.execute("CREATE USER %s@'%%' IDENTIFIED BY %s", (OTHER_USER, PASSWORD))
        for name in OTHER_DATABASES:
            cursor.execute(f"GRANT ALL ON {name}.* TO %s@'%%'", (OTHER_USER,))
