"""What a turn looks like while it works: a line for each node that is done, and on a terminal what is being done."""

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

from .messages import chinese

WIDTH = 19
"""The longest node's name."""
CHINESE = {
    "start": "启动",
    "load_session": "载入会话",
    "process_input": "读取输入",
    "manage_context": "整理上下文",
    "save_state_snapshot": "保存快照",
    "classify_intent": "理解意图",
    "retrieve": "查找知识",
    "generate": "生成报表",
    "generate_skeleton": "生成骨架",
    "refine_layout": "细化版面",
    "map_fields": "命名字段",
    "modify_jrxml": "修改模板",
    "save_session": "保存会话",
    "validate": "校验",
    "explain_error": "解释错误",
    "correct_jrxml": "修正模板",
    "handle_consult": "回答问题",
    "handle_undo": "撤销或重做",
    "handle_reset": "重置会话",
    "finalize": "完成",
}
"""The nodes' names as a Chinese terminal shows them."""


class Progress:
    """The lines of one or many turns on a console; a context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._now: dict[str, tuple[str, float, Spinner]] = {}
        self._live = Live(console=console, transient=True, refresh_per_second=8, get_renderable=self._running)
        self._muted = False
        self.said = ""
        """The pieces of a reply that were shown."""

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Leave the console to whoever writes on it next."""
        self._live.stop()
        self._end_line()

    def mute(self) -> None:
        """Show nothing any more; what was shown of a reply counts as not said."""
        self.close()
        self._muted, self.said = True, ""

    def say(self, piece: str) -> None:
        """Show a piece of a reply behind the one before; the console is the reply's until a node begins or ends."""
        if self._muted:
            return
        self._live.stop()
        self._now.clear()
        self.said += printable(piece)
        self._console.print(Text(printable(piece)), end="", soft_wrap=True)

    def watch(self, event: Message, build: str = "") -> None:
        """Show an event of the build of that name; names are shown only where there are many."""
        if self._muted:
            return
        match event:
            case NodeStarted():
                self._end_line()
                if self._console.is_terminal and not self._live.is_started:
                    self._live.start()
                parts = f" x{event.windows}" if event.windows > 1 else ""
                self.begin(f"{label(event.node)}{parts}", build)
            case NodeFinished():
                self._end_line()
                self.end(event.node, event.seconds, event.outcome, build)

    def begin(self, what: str, build: str = "") -> None:
        self._now[build] = (label(what), time.monotonic(), Spinner("dots"))

    def end(self, what: str, seconds: float, outcome: str = "", build: str = "") -> None:
        self._now.pop(build, None)
        if self._live.is_started:
            self._live.refresh()  # else what is done stands below its own line for a moment
        mark = Text("✗", "red") if outcome == "failed" else Text("✓", "green")
        line = Text.assemble("  ", mark, " ", set_cell_size(label(what), WIDTH), f"{seconds:8.2f} s")
        details = (build, "" if chinese() else outcome)
        line.append("".join(f"  {words}" for words in details if words), "dim")
        self._console.print(line, highlight=False)

    def _end_line(self) -> None:
        if self.said and not self.said.endswith("\n"):
            self.said += "\n"
            self._console.print()

    def _running(self) -> Group:
        lines = []
        for build, (what, since, spinner) in self._now.items():
            words = f"{set_cell_size(what, WIDTH)}{time.monotonic() - since:8.1f} s{f'  {build}' if build else ''}"
            spinner.update(text=Text(words, "dim"))
            lines.append(spinner)
        return Group(*lines)


def label(node: str) -> str:
    """What a node is called in the user's language."""
    return CHINESE.get(node, node) if chinese() else node
