"""The table of routes as documentation: Markdown, and a diagram in Mermaid."""

from __future__ import annotations

from collections.abc import Callable

from bandsmith.shared.events import StageFailed, TurnFailed

from .routes import ROWS
from .state import Turn
from .workflow import ANYTHING, ANYWHERE, AtOnce, Row


def markdown(rows: tuple[Row, ...] = ROWS) -> str:
    return f"{diagram(rows)}\n\n{table(rows)}"


def table(rows: tuple[Row, ...] = ROWS) -> str:
    lines = ["| at | on | when | go to | send | cap |", "|---|---|---|---|---|---|"]
    for row in rows:
        at = "anywhere" if row.at == ANYWHERE else f"`{row.at}`"
        go = f"`{row.go}`" if isinstance(row.go, str) else f"**{row.go.kind()}**"
        send = f"`{row.send.kind()}`" if row.send else ""
        send += f", for each of {_words(row.each)}" if row.each else ""
        cells = (at, _on(row), _when(row), go, send, _cap(row))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def diagram(rows: tuple[Row, ...] = ROWS) -> str:
    """Draw the ways between nodes, without the failures that end the turn: they would hide everything else."""
    lines = ["```mermaid", "flowchart TD"]
    seen = set()
    for row in rows:
        go = row.go if isinstance(row.go, str) else row.go.kind()
        if not row.enters or row.go is TurnFailed or (row.at, go, row.on is StageFailed) in seen:
            continue
        seen.add((row.at, go, row.on is StageFailed))
        words = "failed" if row.on is StageFailed else _when(row)
        label = "<br>".join(part for part in (words, _cap(row)) if part)
        arrow = "-.->" if row.on is StageFailed else "-->"
        lines.append(f"    {row.at} {arrow}{f'|{label}|' if label else ''} {go}")
    return "\n".join([*lines, "```"])


def _on(row: Row) -> str:
    return {AtOnce: "at once", ANYTHING: "anything else"}.get(row.on) or f"`{row.on.kind()}`"


def _when(row: Row) -> str:
    return _words(row.when) if row.when else ""


def _words(function: Callable[[Turn], object]) -> str:
    return function.__name__.replace("_", " ")


def _cap(row: Row) -> str:
    parts = []
    if row.cap:
        counts = f", counts {row.cap.cost}" if row.cap.cost != 1 else ""
        parts.append(f"{row.cap.limit} {row.cap.name}{counts}")
    parts += [f"renews {name}" for name in row.renews]
    return ", ".join(parts)


if __name__ == "__main__":
    print(markdown())
