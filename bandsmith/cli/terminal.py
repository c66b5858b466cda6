"""The user's side of a conversation: a prompt with editing and history, lines from a pipe, and Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import termios
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bandsmith.shared.files import private_folder

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.history import History

READ_BYTES = 64 * 1024
MAX_LINE_BYTES = 64 * 1024
"""Limit of a line from a pipe; a longer one is too long for a turn in any case."""
MAX_HISTORY_LINES = 10_000
"""Lines of the history file, with a time for each entry; of a longer file the older half is dropped."""


class LinePrompt:
    """Prompts for one line after another; output that comes meanwhile appears above the line being typed.

    Lines can be edited, earlier ones recalled from the `history` file, and the rest of a word completed with Tab.
    """

    def __init__(self, history: Path, completer: Completer | None = None) -> None:
        from prompt_toolkit import PromptSession  # noqa: PLC0415 - slow, and not needed for a pipe
        from prompt_toolkit.output import create_output  # noqa: PLC0415

        screen = sys.stdout if sys.stdout.isatty() else sys.stderr
        self._session: PromptSession[str] = PromptSession(
            output=create_output(screen),
            history=_file_history(history),
            completer=completer,
            complete_while_typing=False,
        )

    async def line(self) -> str:
        """Read a line. Raises ``EOFError`` for Ctrl-D, ``KeyboardInterrupt`` for Ctrl-C."""
        from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415

        with patch_stdout(raw=True):
            return await self._session.prompt_async("> ")


async def piped_lines() -> AsyncIterator[str]:
    """Yield the lines of standard input as soon as they arrive.

    A daemon thread reads: it may block in ``read`` for ever without keeping the process alive.
    """
    loop, chunks = asyncio.get_running_loop(), asyncio.Queue[bytes]()

    def read() -> None:
        chunk = b"-"
        while chunk:
            chunk = os.read(sys.stdin.fileno(), READ_BYTES)
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(chunks.put_nowait, chunk)

    threading.Thread(target=read, name="standard input", daemon=True).start()
    incomplete = b""
    while chunk := await chunks.get():
        *lines, incomplete = (incomplete + chunk).split(b"\n")
        for line in lines:
            yield _decoded(line)
        incomplete = incomplete[:MAX_LINE_BYTES]
    if incomplete:
        yield _decoded(incomplete)


@contextmanager
def interrupts() -> Iterator[asyncio.Event]:
    """Make Ctrl-C set the event within the block, instead of ending the program."""
    loop, pressed = asyncio.get_running_loop(), asyncio.Event()
    previous = signal.getsignal(signal.SIGINT)
    loop.add_signal_handler(signal.SIGINT, pressed.set)
    try:
        yield pressed
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, previous)


@contextmanager
def echo_off() -> Iterator[None]:
    """Turn off the echo of the terminal within the block: typed text stays hidden until the next prompt reads it."""
    if not sys.stdin.isatty():
        yield
        return
    terminal = sys.stdin.fileno()
    previous = termios.tcgetattr(terminal)
    quiet = [*previous[:3], previous[3] & ~termios.ECHO, *previous[4:]]
    termios.tcsetattr(terminal, termios.TCSANOW, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, previous)


def _file_history(path: Path) -> History:
    """Return the history kept in a file that only its owner can read; one in memory where that is not possible."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory  # noqa: PLC0415

    try:
        private_folder(path.parent)
        path.touch(mode=0o600)
        lines = path.read_bytes().splitlines(keepends=True)
        if len(lines) > MAX_HISTORY_LINES:
            path.write_bytes(b"".join(lines[-MAX_HISTORY_LINES // 2 :]))
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))


def _decoded(line: bytes) -> str:
    return line.decode("utf-8-sig", "replace").strip()
