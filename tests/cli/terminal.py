"""A pseudo-terminal that runs `bandsmith chat` with scripted services."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from pathlib import Path

from tests.shared.processes import is_alive, until

ROOT = Path(__file__).parents[2]
SECONDS = 60.0
ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[()=>][0-9A-Z]?|\r")


class Terminal:
    """Runs in the folder `place`, which is its home too."""

    def __init__(self, place: Path, *arguments: str, seconds: float = 0.05, **environment: str) -> None:
        self._raw = b""
        self._read_until = 0
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            os.chdir(place)
            os.environ.pop("NATS_URL", None)
            os.environ |= {
                "BANDSMITH_HOME": str(place / "home"),
                "BANDSMITH_ACK_WAIT": "2",
                "LANG": "C.UTF-8",
                "LC_ALL": "",
                "TERM": "xterm",
                "PROMPT_TOOLKIT_NO_CPR": "1",  # nothing answers a request for the cursor position
                "PYTHONPATH": str(ROOT),
                "SECONDS": str(seconds),
                **environment,
            }
            os.execv(sys.executable, [sys.executable, "-m", "tests.cli.scripted", "chat", *arguments])
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))

    @property
    def text(self) -> str:
        """Everything shown so far, without control sequences."""
        return ESCAPES.sub("", self._raw.decode(errors="replace"))

    def until(self, words: str) -> str:
        """Wait for these words, and return what was shown since the last call."""
        deadline = time.monotonic() + SECONDS
        while (place := self.text.find(words, self._read_until)) < 0:
            assert self._pump() and time.monotonic() < deadline, f"{words!r} never came:\n{self.text}"
        shown = self.text[self._read_until : place + len(words)]
        self._read_until = place + len(words)
        return shown

    def prompt(self) -> str:
        """Wait for the prompt, and return what was shown before it."""
        shown = self.until("\n>")
        time.sleep(0.1)  # the prompt appears a moment before input is read
        return shown

    def type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def say(self, line: str) -> None:
        self.type(f"{line}\r")
        self.until(line)

    def interrupt(self) -> None:
        self.type("\x03")

    def end(self) -> int:
        """Wait for the program to end, and return its exit code."""
        while self._pump():
            pass
        until(lambda: not is_alive(self._pid))
        _, status = os.waitpid(self._pid, 0)
        os.close(self._terminal)
        return os.waitstatus_to_exitcode(status)

    def _pump(self) -> bool:
        """Read available output, waiting a second for it; return False when the program has ended."""
        ready, _, _ = select.select([self._terminal], [], [], 1)
        try:
            piece = os.read(self._terminal, 65536) if ready else b"\x1b[m"
        except OSError:
            return False
        self._raw += piece
        return bool(piece)
