"""``bandsmith ask`` and ``bandsmith sql``: a question about data, answered by a query that was checked and run."""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown

from bandsmith.output_folder import update_files
from bandsmith.shared.events import Service, TurnFinished
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.model.source import Asking
from bandsmith.shared.sources import TOGETHER

from ..client import Client
from .messages import message, quiet_log
from .progress import Progress
from .turns import end_of

SERVICES: tuple[Service, ...] = ("gateway", "planner", "generator", "validator")
INCOMPLETE = 1
"""Exit code for a question that was not answered."""


def ask(
    question: str, sources: list[str], out: Path | None, as_json: bool, verbose: bool, *,
    overwrite: bool, only_query: bool = False,
) -> int:  # fmt: skip
    """Ask one source, or several together, print the answer and return the exit code.

    Raises ``TerminalError`` when the turn fails.
    """
    asking = Asking(source=TOGETHER.join(sources), only_query=only_query)
    quiet_log()
    console = Console(stderr=as_json)
    with Progress(console, verbose=verbose) as progress:
        progress.begin_start()
        end, files = asyncio.run(_ask(question, asking, progress))
        progress.end(failed=not end.complete)
    written = update_files(out, files, overwrite=overwrite) if out and files else []
    if as_json:
        result = end.model_dump(mode="json", include={"status", "complete", "reply", "notes", "usage"})
        query = files.get("query.sql", b"").decode()
        print(json.dumps(result | {"query": query, "files": [str(path) for path in written]}, ensure_ascii=False))
    else:
        _print(end, console, written)
    return 0 if end.complete else INCOMPLETE


async def _ask(question: str, asking: Asking, progress: Progress) -> tuple[TurnFinished, dict[str, bytes]]:
    from ..local import local  # noqa: PLC0415 - slow; the first line of output comes before it

    async with local(SERVICES) as bus:
        progress.end_start()
        client = Client(bus)
        turn = client.turn(uuid.uuid4().hex, question, asking=asking)
        end = await end_of(turn, progress.show, progress.stream)
        return end, await client.files(end.files)


def _print(end: TurnFinished, console: Console, written: list[Path]) -> None:
    reply = printable(end.reply)
    if not end.complete:
        print(reply, file=sys.stderr)
        return
    console.print(Markdown(reply) if console.is_terminal else reply, markup=False, highlight=False, soft_wrap=True)
    for path in written:
        console.print(message("cli.ask.written", path=path), highlight=False, markup=False, soft_wrap=True)
