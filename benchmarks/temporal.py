"""Ten activities of a Temporal workflow, beside which ``benchmarks.orchestration`` sets ours.

The development server keeps its history in a SQLite file; server, worker and client are a process each. It needs the
`temporal` program on the PATH (``go install github.com/temporalio/cli/cmd/temporal@v1.5.1``) and the Python package
`temporalio`, both of the MIT licence. ``python -m benchmarks.temporal worker ADDRESS`` is the worker.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.worker import Worker

NODES = 10
QUEUE = "benchmark"
START_TIMEOUT_S = 60.0


def is_installed() -> bool:
    return shutil.which("temporal") is not None


@activity.defn
async def empty_node(text: str) -> str:
    return text


@workflow.defn
class TenNodes:
    @workflow.run
    async def run(self, text: str) -> int:
        for _ in range(NODES):
            text = await workflow.execute_activity(empty_node, text, start_to_close_timeout=timedelta(seconds=30))
        return len(text)


@asynccontextmanager
async def running(text: str) -> AsyncIterator[Callable[[str], Awaitable[None]]]:
    """Start a server and a worker, and give a function that takes a session of this name through all nodes."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as processes:
        address = processes.enter_context(_server(Path(folder)))
        client = await _connect(address)
        processes.enter_context(_worker(address))

        async def run(session: str) -> None:
            length = await client.execute_workflow(TenNodes.run, text, id=session, task_queue=QUEUE)
            assert length == len(text)

        yield run


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    port = _free_port()
    command = ["temporal", "server", "start-dev", "--headless", "--port", str(port)]
    command += ["--db-filename", str(folder / "history.db")]
    command += ["--sqlite-pragma", "journal_mode=wal", "--sqlite-pragma", "synchronous=normal"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield f"127.0.0.1:{port}"
        finally:
            process.kill()


@contextmanager
def _worker(address: str) -> Iterator[None]:
    command = [sys.executable, "-m", "benchmarks.temporal", "worker", address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout and process.stdout.readline() == "ready\n"
            yield
        finally:
            process.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _connect(address: str) -> Client:
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            return await Client.connect(address)
        except RuntimeError:
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.2)


async def _work(address: str) -> None:
    client = await Client.connect(address)
    async with Worker(client, task_queue=QUEUE, workflows=[TenNodes], activities=[empty_node]):
        print("ready", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_work(sys.argv[2]))
