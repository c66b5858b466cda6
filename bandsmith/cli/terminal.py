"""The person's side of a talk: a prompt with editing and history, lines through a pipe, and Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import termios
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress

PIECE = 64 * 1024
LONGEST_LINE = 64 * 1024
"""Bytes of a line that are read through a pipe; what is longer is too long for a turn in any case."""


class Prompt:
    """Asks for one line after the other. What is printed meanwhile stands above the line that is being typed."""

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession  # noqa: PLC0415 - it takes its time, and a pipe does without
        from prompt_toolkit.output import create_output  # noqa: PLC0415

        screen = sys.stdout if sys.stdout.isatty() else sys.stderr
        self._session: PromptSession[str] = PromptSession(output=create_output(screen))

    async def line(self) -> str:
        """Raises ``EOFError`` for Ctrl-D, ``KeyboardInterrupt`` for Ctrl-C."""
        from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415

        with patch_stdout(raw=True):
            return await self._session.prompt_async("> ")


async def piped() -> AsyncIterator[str]:
    """The lines of standard input, each as soon as it is there."""
    loop, arrived = asyncio.get_running_loop(), asyncio.Queue[bytes]()

    def read() -> None:
        piece = b"-"
        while piece:
            piece = os.read(sys.stdin.fileno(), PIECE)
            with suppress(RuntimeError):  # nobody listens any more
                loop.call_soon_threadsafe(arrived.put_nowait, piece)

    threading.Thread(target=read, name="standard input", daemon=True).start()
    begun = b""
    while piece := await arrived.get():
        *lines, begun = (begun + piece).split(b"\n")
        for line in lines:
            yield _decoded(line)
        begun = begun[:LONGEST_LINE]
    if begun:
        yield _decoded(begun)


@contextmanager
def interrupts() -> Iterator[asyncio.Event]:
    """An event that Ctrl-C sets, instead of ending the program, for as long as the block lasts."""
    loop, pressed = asyncio.get_running_loop(), asyncio.Event()
    before = signal.getsignal(signal.SIGINT)
    loop.add_signal_handler(signal.SIGINT, pressed.set)
    try:
        yield pressed
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)


@contextmanager
def unechoed() -> Iterator[None]:
    """What is typed within the block is for the next prompt, and off the screen until then."""
    if not sys.stdin.isatty():
        yield
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    quiet = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
    termios.tcsetattr(terminal, termios.TCSANOW, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, before)


def _decoded(line: bytes) -> str:
    return line.decode("utf-8-sig", "replace").strip()
