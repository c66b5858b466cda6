"""The progress of a turn: a line for each finished node, and on a terminal a live line for the one that runs."""

from __future__ import annotations

import time
from types import TracebackType

from rich.cells import set_cell_size
from rich.console import Console, Group
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from bandsmith.shared.events import Message, NodeFinished, NodeStarted
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.replies import catalogue

from .messages import message, user_language

NODE_NAME_CELLS = 19
"""Width of the longest node name."""


class Progress:
    """The progress of one or several turns on a console; a context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._running: dict[str, tuple[str, float, Spinner]] = {}
        """Label, start and spinner of the node that runs, by the name of its build."""
        self._live = Live(console=console, transient=True, refresh_per_second=8, get_renderable=self._render)
        self._muted = False
        self.streamed = ""
        """The text of the reply that has been shown so far."""

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Release the console for other output."""
        self._live.stop()
        self._end_line()

    def mute(self) -> None:
        """Show nothing more; the part of a reply shown so far counts as not shown, so that it comes again in full."""
        self.close()
        self._muted, self.streamed = True, ""

    def stream(self, text: str) -> None:
        """Append a piece of a streamed reply; the reply keeps the console until a node starts or finishes."""
        if self._muted:
            return
        self._live.stop()
        self._running.clear()
        self.streamed += printable(text)
        self._console.print(Text(printable(text)), end="", soft_wrap=True)

    def show(self, event: Message, build: str = "") -> None:
        """Show an event; `build` names its build where several run."""
        if self._muted:
            return
        match event:
            case NodeStarted():
                self._end_line()
                if self._console.is_terminal and not self._live.is_started:
                    self._live.start()
                windows = f" x{event.windows}" if event.windows > 1 else ""
                self.begin(f"{node_label(event.node)}{windows}", build)
            case NodeFinished():
                self._end_line()
                self.end(event.node, event.seconds, event.outcome, build)

    def begin(self, node: str, build: str = "") -> None:
        self._running[build] = (node_label(node), time.monotonic(), Spinner("dots"))

    def end(self, node: str, seconds: float, outcome: str = "", build: str = "") -> None:
        self._running.pop(build, None)
        if self._live.is_started:
            self._live.refresh()  # else the finished node stands below its own line for a moment
        mark = Text("✗", "red") if outcome == "failed" else Text("✓", "green")
        line = Text.assemble("  ", mark, " ", set_cell_size(node_label(node), NODE_NAME_CELLS), f"{seconds:8.2f} s")
        details = (build, "" if user_language() == "zh" else outcome)  # outcomes are written in English
        line.append("".join(f"  {detail}" for detail in details if detail), "dim")
        self._console.print(line, highlight=False)

    def _end_line(self) -> None:
        if self.streamed and not self.streamed.endswith("\n"):
            self.streamed += "\n"
            self._console.print()

    def _render(self) -> Group:
        lines = []
        for build, (label, since, spinner) in self._running.items():
            elapsed = f"{time.monotonic() - since:8.1f} s"
            spinner.update(
                text=Text(f"{set_cell_size(label, NODE_NAME_CELLS)}{elapsed}{f'  {build}' if build else ''}", "dim")
            )
            lines.append(spinner)
        return Group(*lines)


def node_label(node: str) -> str:
    """Return the name of a node in the user's language; a name that the catalogue lacks is shown as it is."""
    code = f"cli.nodes.{node}"
    return message(code) if code in catalogue(user_language()) else node
