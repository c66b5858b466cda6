"""`bandsmith chat` in a separate process with all real components, to be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.shared.processes import command, family, is_alive, until

CHAT = [sys.executable, "-c", "from bandsmith.cli import main; main()", "chat", "-v", "--session", "sales"]


class Chat:
    """One run of it, or of another `program`, in the folder `place`, which also holds its home and its temporary files.

    Without `messages` it waits for what ``say`` has for it. No form is read in these conversations, so it has the OCR
    engine whose models load in half of the time.
    """

    def __init__(self, place: Path, *messages: str, program: Sequence[str] = CHAT) -> None:
        (place / "tmp").mkdir(exist_ok=True)
        environment = os.environ | {
            "BANDSMITH_HOME": str(place / "home"),
            "BANDSMITH_ACK_WAIT": "2",
            "BANDSMITH_OCR_ENGINE": "rapid",
            "LANG": "C.UTF-8",
            "TMPDIR": str(place / "tmp"),
        }
        self.lines: list[str] = []
        handle, name = tempfile.mkstemp(prefix="errors-", dir=place)
        self.errors = Path(name)
        with os.fdopen(handle, "w") as errors:
            self._process = subprocess.Popen(
                [*program, *messages],
                cwd=place,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self.family: list[int] = []

    def until(self, words: str, *, times: int = 1) -> None:
        """Read what it prints until a line has these words so many times in all."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(line.rstrip())
            if words in line and (times := times - 1) == 0:
                self.family = family(self._process.pid)
                return
        raise AssertionError(f"it ended without {words!r}:\n{self.text}")

    def until_it_ends(self) -> None:
        """Read what it prints until it ends by itself, though more could be said to it."""
        assert self._process.stdout is not None
        self.lines += map(str.rstrip, self._process.stdout)

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        print(line, file=self._process.stdin, flush=True)

    def kill(self) -> None:
        """It, its message server and its engine, all at once."""
        self.family = family(self._process.pid)
        for pid in self.family:
            with suppress(ProcessLookupError):  # it has just ended by itself
                os.kill(pid, signal.SIGKILL)
        self._process.communicate()
        until(lambda: not any(map(is_alive, self.family)))

    def end(self) -> int:
        """Its exit code, when it has come to its end by itself and nothing of it is left."""
        rest, _ = self._process.communicate(timeout=300)
        self.lines += rest.splitlines()
        until(lambda: not any(map(is_alive, self.family)))
        return self._process.returncode

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def text(self) -> str:
        return "\n".join([*self.lines, self.errors.read_text()])

    @property
    def server(self) -> int:
        """The message server's process."""
        return next(pid for pid in family(self._process.pid) if "nats-server" in command(pid))
