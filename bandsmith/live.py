"""What a build looks like while it runs: a line for each node that is done, and on a terminal what is being done."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from shared.events import Message, NodeFinished, NodeStarted

WIDTH = 18
"""The longest node's name."""


class Progress:
    """The lines of one or many builds on a console; a context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._now: dict[str, tuple[str, float, Spinner]] = {}
        self._live = Live(console=console, transient=True, refresh_per_second=8, get_renderable=self._running)

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._live.stop()

    def pause(self) -> None:
        """Leave the console to whoever writes on it; the next node that begins takes it back."""
        self._live.stop()

    def watch(self, event: Message, build: str = "") -> None:
        """Show an event of the build of that name; names are shown only where there are many."""
        match event:
            case NodeStarted():
                if self._console.is_terminal and not self._live.is_started:
                    self._live.start()
                parts = f" x{event.windows}" if event.windows > 1 else ""
                self.begin(f"{event.node}{parts}", build)
            case NodeFinished():
                self.end(event.node, event.seconds, event.outcome, build)

    def begin(self, what: str, build: str = "") -> None:
        self._now[build] = (what, time.monotonic(), Spinner("dots"))

    def end(self, what: str, seconds: float, outcome: str = "", build: str = "") -> None:
        self._now.pop(build, None)
        mark = Text("✗", "red") if outcome == "failed" else Text("✓", "green")
        line = Text.assemble("  ", mark, " ", f"{what:<{WIDTH}}", f"{seconds:8.2f} s")
        line.append("".join(f"  {words}" for words in (build, outcome) if words), "dim")
        self._console.print(line, highlight=False)

    def _running(self) -> Group:
        lines = []
        for build, (what, since, spinner) in self._now.items():
            words = f"{what:<{WIDTH}}{time.monotonic() - since:8.1f} s{f'  {build}' if build else ''}"
            spinner.update(text=Text(words, "dim"))
            lines.append(spinner)
        return Group(*lines)
