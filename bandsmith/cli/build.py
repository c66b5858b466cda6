"""`bandsmith build`: many inputs through one warm process, what is shown meanwhile, and what is said at the end."""

from __future__ import annotations

import asyncio
import json
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bandsmith.shared.bus.base import Bus, Delta
from bandsmith.shared.errors import BadInput, BandsmithError, TerminalError
from bandsmith.shared.events import Message, NodeFinished, TurnFailed, TurnFinished
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.telemetry import log

from ..attachments import attachment, check
from ..client import Client
from . import arguments as given
from .messages import exit_code, language, sentence
from .output_folder import NAMES, write
from .progress import Progress

Watch = Callable[[Message], None]
"""Called with each event as it comes."""

AT_ONCE = 2
"""Builds under way at the same time: while one is read, another is filled."""


@dataclass
class Outcome:
    """What became of one input."""

    path: Path
    folder: Path
    end: TurnFinished | None = None
    error: BandsmithError | None = None
    written: list[Path] = field(default_factory=list)
    nodes: list[NodeFinished] = field(default_factory=list)
    seconds: float = 0.0


def build_all(paths: list[Path], page: str, out: Path, as_json: bool) -> int:
    """Build each input and report; the exit code. Raises ``BadInput`` for what concerns all, ``MissingPart``."""
    log.configure()
    console = Console(stderr=as_json)
    size = given.page_size(page) if page else None
    outcomes = [Outcome(path, folder) for path, folder in zip(paths, given.folders(paths, out), strict=True)]
    for outcome in outcomes:
        _check(outcome)
    if todo := sum(outcome.error is None for outcome in outcomes):
        console.print(f"Building {todo} report{'s' if todo > 1 else ''} into {out}", highlight=False, markup=False)
        began = time.monotonic()
        with Progress(console) as progress:
            progress.begin("start")
            asyncio.run(_build_all(outcomes, size, progress, began))
    if as_json:
        print(json.dumps({"builds": [_as_json(outcome) for outcome in outcomes]}, ensure_ascii=False, indent=2))
    elif len(outcomes) > 1 or outcomes[0].end:
        _show(outcomes, console)
    return max(map(_exit_code, outcomes))


def _check(outcome: Outcome) -> None:
    try:
        check(outcome.path)
    except BadInput as error:
        _fail(outcome, error)


def _fail(outcome: Outcome, error: BandsmithError) -> None:
    """Said at once, so that it is not only found at the end of a long run."""
    outcome.error = error
    print(f"{outcome.path.name}: {sentence(error)}", file=sys.stderr)


async def _build_all(outcomes: list[Outcome], page: Size | None, progress: Progress, began: float) -> None:
    from ..local import local  # noqa: PLC0415 - the first line stands before the slow imports

    turns = asyncio.Semaphore(AT_ONCE)
    async with local() as bus:
        progress.end("start", time.monotonic() - began)
        todo = [outcome for outcome in outcomes if outcome.error is None]
        await asyncio.gather(*(_build(bus, outcome, page, progress, turns, len(outcomes) > 1) for outcome in todo))


async def _build(
    bus: Bus, outcome: Outcome, page: Size | None, progress: Progress, turns: asyncio.Semaphore, many: bool
) -> None:
    def watch(event: Message) -> None:
        if isinstance(event, NodeFinished):
            outcome.nodes.append(event)
        progress.watch(event, outcome.folder.name if many else "")

    async with turns:
        began = time.monotonic()
        try:
            outcome.end, files = await build(bus, outcome.path, page, watch)
            outcome.written = await asyncio.to_thread(write, outcome.folder, files)
        except BandsmithError as error:
            _fail(outcome, error)
        outcome.seconds = time.monotonic() - began


# --- at the end -----------------------------------------------------------------------------------------------------


def _exit_code(outcome: Outcome) -> int:
    return exit_code(outcome.error) if outcome.error else 0


def _show(outcomes: list[Outcome], console: Console) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("input", "result", "likeness"):
        table.add_column(name)
    for name in ("corrections", "seconds"):
        table.add_column(name, justify="right")
    for outcome in outcomes:
        table.add_row(*_row(outcome), f"{outcome.seconds:.1f}")
    console.print()
    console.print(table)
    console.print()
    for outcome in outcomes:
        if outcome.end:
            _show_end(outcome, outcome.end, console, one=len(outcomes) == 1)


def _row(outcome: Outcome) -> tuple[str, str, str, str]:
    if outcome.end is None or outcome.error:
        return outcome.path.name, "[red]failed[/]", "", ""
    end = outcome.end
    colour = "green" if end.passed else "yellow"
    likeness = f"{end.likeness.texts:.0%} of texts, ssim {end.likeness.ssim:.2f}" if end.likeness else ""
    return outcome.path.name, f"[{colour}]{end.status}[/]", likeness, str(end.corrections)


def _show_end(outcome: Outcome, end: TurnFinished, console: Console, one: bool) -> None:
    for note in end.notes:
        console.print(f"  {outcome.path.name}: {note}", style="yellow", highlight=False, markup=False, soft_wrap=True)
    errors = [finding for finding in end.findings if finding.severity == "error"]
    for finding in errors:
        console.print(
            f"  {finding.code}: {sentence(finding)}", style="yellow", highlight=False, markup=False, soft_wrap=True
        )
    names = " ".join(path.name for path in outcome.written)
    for line in outcome.written if one else [f"{outcome.folder}: {names}"]:
        console.print(f"  {line}", highlight=False, markup=False, soft_wrap=True)


def _as_json(outcome: Outcome) -> dict[str, object]:
    about: dict[str, object] = {"input": str(outcome.path), "seconds": round(outcome.seconds, 3)}
    if outcome.error:
        return about | {"status": "failed", "error": {"code": outcome.error.code, "message": sentence(outcome.error)}}
    assert outcome.end is not None
    end = outcome.end.model_dump(mode="json", exclude={"files"})
    return (
        about
        | end
        | {
            "folder": str(outcome.folder),
            "files": {path.name: str(path) for path in outcome.written},
            "nodes": [node.model_dump(mode="json") for node in outcome.nodes],
        }
    )


async def build(bus: Bus, path: Path, page: Size | None, watch: Watch) -> tuple[TurnFinished, dict[str, bytes]]:
    """Build a report of the document at `path`: what the turn ended with, and the files by name.

    Raises ``BadInput`` for a document that cannot be read, ``TerminalError`` for one that failed on its way.
    """
    client = Client(bus)
    document = await asyncio.to_thread(attachment, path, page)
    async with aclosing(client.turn(uuid.uuid4().hex, attachments=[document], language=language())) as events:
        async for event in events:
            if isinstance(event, Delta):
                continue
            watch(event)
            match event:
                case TurnFinished():
                    return event, await client.files({name: event.files[name] for name in NAMES if name in event.files})
                case TurnFailed():
                    raise TerminalError(event.message, message_zh=event.message_zh, code=event.code)
    raise TerminalError("The bus was closed before the build was done.", message_zh="构建完成前总线已关闭。")
