"""The progress of turns: one live line on a terminal, and one line at the end; with ``-v`` a line for each node."""

from __future__ import annotations

import time
from dataclasses import dataclass
from types import TracebackType

from rich.cells import set_cell_size
from rich.console import Console, Group
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from bandsmith.shared.events import Message, NodeFinished, NodeStarted
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.replies import catalogue

from ..locale import user_language
from .messages import message

NODE_NAME_CELLS = 19
"""Width of the longest node name."""


@dataclass
class RunningTurn:
    """What is shown of a turn while it runs."""

    label: str
    spinner: Spinner
    turn_started: float
    node_started: float


class Progress:
    """The progress of one or several turns on a console; a context manager."""

    def __init__(self, console: Console, *, verbose: bool = False) -> None:
        """With `verbose`, each finished node gets a line, with its own time."""
        self._console = console
        self._verbose = verbose
        self._running: dict[str, RunningTurn] = {}
        """By the name of the build."""
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
        self.streamed += printable(text)
        self._console.print(Text(printable(text)), end="", soft_wrap=True)

    def show(self, event: Message, build: str = "") -> None:
        """Show an event; `build` names its build where several run. A turn's time starts with its first node."""
        if self._muted:
            return
        match event:
            case NodeStarted():
                if self._verbose or not self.streamed:
                    self._end_line()
                    self._start_live()
                windows = f" x{event.windows}" if event.windows > 1 else ""
                self.begin(f"{node_label(event.node)}{windows}", build)
            case NodeFinished() if self._verbose:
                self._end_line()
                self._print_node(event.node, event.seconds, event.outcome, build)

    def begin_start(self) -> None:
        """Show that the services start."""
        self.begin(node_label("start"))

    def end_start(self) -> None:
        seconds = self.end(quiet=True)
        if self._verbose:
            self._print_node("start", seconds, "", "")

    def begin(self, label: str, build: str = "") -> None:
        """Show that a node runs."""
        now = time.monotonic()
        known = self._running.get(build)
        self._running[build] = RunningTurn(label, Spinner("dots"), known.turn_started if known else now, now)

    def end(self, *, failed: bool = False, build: str = "", quiet: bool = False) -> float:
        """Show that a turn is over, unless `quiet`, and return the seconds that it took."""
        turn = self._running.pop(build, None)
        seconds = time.monotonic() - turn.turn_started if turn else 0.0
        if not self._muted and not quiet and turn:
            self._end_line()
            self._print_line(_mark(failed), f"{seconds:.1f} s", build)
        return seconds

    def _start_live(self) -> None:
        if self._console.is_terminal and not self._live.is_started:
            self._live.start()

    def _print_node(self, node: str, seconds: float, outcome: str, build: str) -> None:
        shown = f"{set_cell_size(node_label(node), NODE_NAME_CELLS)}{seconds:8.2f} s"
        self._print_line(_mark(outcome == "failed"), shown, build, "" if user_language() == "zh" else outcome)

    def _print_line(self, mark: Text, text: str, *details: str) -> None:
        if self._live.is_started:
            self._live.refresh()  # else what has ended stands below its own line for a moment
        line = Text.assemble("  ", mark, " ", text)
        line.append("".join(f"  {detail}" for detail in details if detail), "dim")
        self._console.print(line, highlight=False)

    def _end_line(self) -> None:
        if self.streamed and not self.streamed.endswith("\n"):
            self.streamed += "\n"
            self._console.print()

    def _render(self) -> Group:
        lines = []
        for build, turn in self._running.items():
            since = turn.node_started if self._verbose else turn.turn_started
            elapsed = f"{time.monotonic() - since:8.1f} s"
            label = set_cell_size(turn.label, NODE_NAME_CELLS)
            turn.spinner.update(text=Text(f"{label}{elapsed}{f'  {build}' if build else ''}", "dim"))
            lines.append(turn.spinner)
        return Group(*lines)


def _mark(failed: bool) -> Text:
    return Text("✗", "red") if failed else Text("✓", "green")


def node_label(node: str) -> str:
    """Return the name of a node in the user's language; a name that the catalogue lacks is shown as it is."""
    code = f"cli.nodes.{node}"
    return message(code) if code in catalogue(user_language()) else node
