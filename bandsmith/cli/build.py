"""``bandsmith build``: any number of inputs through one set of services, with their progress and results."""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bandsmith.output_folder import BUILD_FILES, replace_build
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput, BandsmithError
from bandsmith.shared.events import Message, NodeFinished, TurnFinished
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.telemetry import log

from ..attachments import attachment, check
from ..client import Client
from ..locale import user_language
from .arguments import output_folders, page_size
from .messages import exit_code, message, sentence
from .overwrite import may_overwrite
from .progress import Progress
from .turns import end_of

MAX_CONCURRENT_BUILDS = 2
"""Builds that run at the same time: while one page is being read, another is being filled."""

_GRADE_COLOURS = {"keep": "green", "small_edits": "yellow", "start_over": "red"}


@dataclass
class BuildResult:
    """The result of one input."""

    path: Path
    folder: Path
    end: TurnFinished | None = None
    error: BandsmithError | None = None
    written: list[Path] = field(default_factory=list)
    nodes: list[NodeFinished] = field(default_factory=list)
    seconds: float = 0.0
    overwrite: bool = False
    """Whether files of the user in the folder may be replaced."""

    @property
    def exit_code(self) -> int:
        """0 for a report that is as it was asked for, 1 for an unfinished one, and that of the error otherwise."""
        if self.error:
            return exit_code(self.error)
        return 0 if self.end and self.end.complete and self.end.status == "done" else 1

    @property
    def failed(self) -> bool:
        return self.error is not None or self.end is None

    def fail(self, error: BandsmithError) -> None:
        """Record the error, and print it at once: a long run may have only just begun."""
        self.error = error
        print(f"{self.path.name}: {sentence(error)}", file=sys.stderr)


def build_all(
    paths: list[Path], page: str, out: Path, as_json: bool, verbose: bool = False, *, overwrite: bool = False
) -> int:
    """Build every input, print the results and return the exit code.

    Raises ``BadInput`` for a wrong option, ``MissingPart`` for a missing component; errors of one input are printed.
    """
    log.configure()
    console = Console(stderr=as_json)
    size = page_size(page) if page else None
    results = [BuildResult(path, folder) for path, folder in zip(paths, output_folders(paths, out), strict=True)]
    for result in results:
        try:
            check(result.path)
            result.overwrite = overwrite or may_overwrite(result.folder, BUILD_FILES, as_json=as_json)
        except BadInput as error:
            result.fail(error)
    if count := sum(result.error is None for result in results):
        console.print(message("cli.build.building", count=count, out=out), highlight=False, markup=False)
        with Progress(console, verbose=verbose) as progress:
            progress.begin_start()
            asyncio.run(_run(results, size, progress))
    if as_json:
        print(json.dumps({"builds": [_as_json(result) for result in results]}, ensure_ascii=False, indent=2))
    elif len(results) > 1 or results[0].end:
        _print_results(results, console)
    return max(result.exit_code for result in results)


async def build(
    bus: Bus, path: Path, page: Size | None, on_event: Callable[[Message], None]
) -> tuple[TurnFinished, dict[str, bytes]]:
    """Build a report from one document: return how its turn ended, and the files by name.

    A build is a conversation of a single turn. Raises ``BadInput`` for a document that cannot be read,
    ``TerminalError`` when the turn fails.
    """
    client = Client(bus)
    document = await asyncio.to_thread(attachment, path, page)
    end = await end_of(client.turn(uuid.uuid4().hex, attachments=[document], language=user_language()), on_event)
    return end, await client.files({name: end.files[name] for name in BUILD_FILES if name in end.files})


async def _run(results: list[BuildResult], page: Size | None, progress: Progress) -> None:
    from ..local import local  # noqa: PLC0415 - slow; the first line of output comes before it

    slots = asyncio.Semaphore(MAX_CONCURRENT_BUILDS)
    several = len(results) > 1
    async with local() as bus:
        progress.end_start()
        valid = [result for result in results if result.error is None]
        await asyncio.gather(*(_run_one(bus, result, page, progress, slots, several) for result in valid))


async def _run_one(
    bus: Bus, result: BuildResult, page: Size | None, progress: Progress, slots: asyncio.Semaphore, several: bool
) -> None:
    name = result.folder.name if several else ""

    def on_event(event: Message) -> None:
        if isinstance(event, NodeFinished):
            result.nodes.append(event)
        progress.show(event, name)

    async with slots:
        try:
            result.end, files = await build(bus, result.path, page, on_event)
            result.written = await asyncio.to_thread(replace_build, result.folder, files, overwrite=result.overwrite)
        except BandsmithError as error:
            result.fail(error)
        result.seconds = progress.end(failed=result.failed, build=name, quiet=not several)


# --- results ----------------------------------------------------------------------------------------------------------


def _print_results(results: list[BuildResult], console: Console) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(message("cli.build.columns.input"))
    table.add_column(message("cli.build.columns.result"))
    table.add_column(message("cli.build.columns.grade"))
    table.add_column(message("cli.build.columns.likeness"))
    table.add_column(message("cli.build.columns.corrections"), justify="right")
    table.add_column(message("cli.build.columns.seconds"), justify="right")
    for result in results:
        table.add_row(*_row(result))
    console.print()
    console.print(table)
    console.print()
    for result in results:
        if result.end:
            _print_details(result, result.end, console, only=len(results) == 1)


def _row(result: BuildResult) -> tuple[str, ...]:
    name, seconds = result.path.name, f"{result.seconds:.1f}"
    if result.end is None or result.error:
        return name, f"[red]{message('cli.status.failed')}[/]", "", "", "", seconds
    end = result.end
    colour = "green" if end.passed else "yellow"
    status = f"[{colour}]{message(f'cli.status.{end.status}')}[/]"
    likeness = ""
    if end.likeness:
        likeness = message("cli.build.likeness", texts=end.likeness.texts, ssim=end.likeness.ssim)
    grade = f"[{_GRADE_COLOURS[end.grade]}]{message(f'cli.build.grade.{end.grade}')}[/]" if end.grade else ""
    return name, status, grade, likeness, str(end.corrections), seconds


def _print_details(result: BuildResult, end: TurnFinished, console: Console, only: bool) -> None:
    notes = [f"{result.path.name}: {note}" for note in end.notes]
    told = [one for one in end.findings if one.severity == "error" or one.code.startswith("grade.")]
    notes += [f"{finding.code}: {sentence(finding)}" for finding in told]
    for note in notes:
        console.print(f"  {note}", style="yellow", highlight=False, markup=False, soft_wrap=True)
    names = " ".join(path.name for path in result.written)
    for line in result.written if only else [f"{result.folder}: {names}"]:
        console.print(f"  {line}", highlight=False, markup=False, soft_wrap=True)


def _as_json(result: BuildResult) -> dict[str, object]:
    about: dict[str, object] = {"input": str(result.path), "seconds": round(result.seconds, 3)}
    if result.error:
        return about | {"status": "failed", "error": {"code": result.error.code, "message": sentence(result.error)}}
    assert result.end is not None
    return {
        **about,
        **result.end.model_dump(mode="json", exclude={"files"}),
        "folder": str(result.folder),
        "files": {path.name: str(path) for path in result.written},
        "nodes": [node.model_dump(mode="json") for node in result.nodes],
    }
