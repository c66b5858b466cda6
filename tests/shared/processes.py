"""What tests need to know of other processes."""

import random
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

GONE = (FileNotFoundError, ProcessLookupError)
"""What reading of a process in /proc meets that ends meanwhile."""


def is_alive(pid: int) -> bool:
    """Whether it still runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except GONE:
        return False


def family(pid: int) -> list[int]:
    """The process and all that it started, and that those started, which are still there."""
    found = [pid]
    for one in found:
        with suppress(*GONE):
            for task in Path(f"/proc/{one}/task").glob("*/children"):
                found += map(int, task.read_text().split())
    return found


def command(pid: int) -> str:
    """The program that it runs; empty when it has ended."""
    with suppress(*GONE):
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")[0]
    return ""


def free_ports(count: int) -> list[int]:
    """Of this machine: none that the system, or Ray, could hand to somebody else before they are used."""
    with ExitStack() as sockets:
        ports: list[int] = []
        while len(ports) < count:
            port = random.randrange(20_000, 32_000)
            with suppress(OSError):
                sockets.enter_context(socket.create_server(("127.0.0.1", port)))
                ports.append(port)
        return ports


def until(holds: Callable[[], bool], *, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)
