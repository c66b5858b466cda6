"""Processes that are forked from one which has imported the program: one that is killed is soon replaced."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable, Coroutine
from contextlib import suppress
from signal import SIGKILL
from typing import Any

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.faults.gateway", "tests.faults.service"])

Main = Callable[..., Coroutine[Any, Any, None]]


def _run(main: Main, arguments: tuple[object, ...], environment: dict[str, str], output: Any) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(output.fileno(), 1)
    asyncio.run(main(*arguments))


class Forked:
    """A process that runs a coroutine function of this program, with a pipe as its standard output."""

    def __init__(self, main: Main, *arguments: object, environment: dict[str, str]) -> None:
        """Start it; settings are read from ``environment``, and arguments are pickled."""
        self._output, output = CONTEXT.Pipe(duplex=False)
        self._process = CONTEXT.Process(target=_run, args=(main, arguments, environment, output), daemon=True)
        self._process.start()
        output.close()

    async def printed(self) -> str:
        """Return all that it printed when it has ended."""
        return await asyncio.to_thread(self._read)

    async def wait(self) -> int:
        """Return its exit status, which is negative after a signal."""
        await asyncio.to_thread(self._process.join)
        assert self._process.exitcode is not None
        return self._process.exitcode

    def kill(self) -> None:
        """Kill it (SIGKILL), unless it has ended."""
        with suppress(ProcessLookupError):
            os.kill(self._process.pid or 0, SIGKILL)

    def _read(self) -> str:
        with self._output, open(self._output.fileno(), closefd=False) as file:
            return file.read()
