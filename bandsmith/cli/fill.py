"""``bandsmith fill``: print a template with a file of rows, or from a source."""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rich.console import Console
from rich.text import Text

from bandsmith.output_folder import update_files
from bandsmith.shared.errors import BadInput, BandsmithError
from bandsmith.shared.events import TurnFinished
from bandsmith.shared.model.document import TABLES, TEMPLATES
from bandsmith.shared.model.filling import MAX_PARAMETER_CHARS, MAX_PARAMETERS, Filling
from bandsmith.shared.model.session_parts import Format
from bandsmith.shared.telemetry import log

from ..attachments import attachment, check
from ..client import Client
from ..locale import user_language
from .fill_source import SourceFilling, fill_from_source
from .messages import exit_code, sentence
from .overwrite import may_overwrite
from .progress import Progress
from .template_files import store_sample
from .turns import end_of

if TYPE_CHECKING:
    from bandsmith.shared.bus.base import Bus


@dataclass(frozen=True)
class FillRequest:
    """The template to fill, the data, and where the files go."""

    template: Path
    data: Path
    filling: Filling
    out: Path
    overwrite: bool = False
    """Whether files of the user in the folder may be replaced."""


def fill(
    template: Path,
    data: Path | None,
    parameters: Sequence[str],
    formats: Sequence[str],
    out: Path,
    as_json: bool,
    verbose: bool = False,
    *,
    overwrite: bool = False,
    source: str = "",
    review: bool = False,
    into: Path | None = None,
    each: str = "",
) -> int:
    """Fill a template from a file or a source, print what did not match, and return the exit code.

    Raises ``BadInput`` for a file or an option that is wrong, ``MissingPart`` for a missing component.
    """
    log.configure()
    console = Console(stderr=as_json)
    check(template, TEMPLATES)
    _check_data(data, source, review, into)
    filling = Filling(parameters=named_values(parameters), formats=cast("list[Format]", [*formats]), each=each[:80])
    overwrite = overwrite or may_overwrite(out, _file_names(formats), as_json=as_json)
    try:
        if data is None:
            of_source = filling.model_copy(update={"source": source, "review": review})
            can_ask = sys.stdin.isatty() and not as_json
            request = SourceFilling(template, of_source, out, into, overwrite, can_ask)
            end, written = asyncio.run(fill_from_source(request, console, verbose=verbose))
        else:
            end, written = _fill_from_file(FillRequest(template, data, filling, out, overwrite), console, verbose)
    except BandsmithError as error:
        if not as_json:
            raise
        print(json.dumps({"status": "failed", "error": {"code": error.code, "message": sentence(error)}}))
        return exit_code(error)
    _print(console, end, written, as_json)
    return 0 if end.complete else 1


def _check_data(data: Path | None, source: str, review: bool, into: Path | None) -> None:
    if (data is None) == (not source):
        raise BadInput.of("cli.fill.data_or_source", code="data")
    if data is not None:
        if review or into is not None:
            raise BadInput.of("cli.fill.only_source", code="review" if review else "into")
        check(data, TABLES)


def named_values(texts: Sequence[str]) -> dict[str, str]:
    """Return ``name=value`` options by name. Raises ``BadInput`` for an invalid one, or a name that is given twice."""
    found: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.strip() or len(value) > MAX_PARAMETER_CHARS:
            raise BadInput.of("cli.fill.parameter", code="parameter", limit=MAX_PARAMETER_CHARS)
        if name.strip() in found:
            raise BadInput.of("cli.fill.parameter_twice", code="parameter", name=name.strip())
        found[name.strip()] = value
    if len(found) > MAX_PARAMETERS:
        raise BadInput.of("cli.fill.parameters", code="parameter", limit=MAX_PARAMETERS)
    return found


def _file_names(formats: Sequence[str]) -> list[str]:
    return [f"filled.{form}" if form != "png" else "filled-1.png" for form in formats or ("pdf",)]


def _fill_from_file(request: FillRequest, console: Console, verbose: bool) -> tuple[TurnFinished, list[Path]]:
    with Progress(console, verbose=verbose) as progress:
        progress.begin_start()
        return asyncio.run(_run(request, progress))


async def _run(request: FillRequest, progress: Progress) -> tuple[TurnFinished, list[Path]]:
    from ..local import local  # noqa: PLC0415 - slow; the first line of output comes before it

    async with local() as bus:
        progress.end_start()
        end, files = await _fill(bus, request, progress)
        written = await asyncio.to_thread(update_files, request.out, files, overwrite=request.overwrite)
        progress.end(failed=not end.complete)
    return end, written


async def _fill(bus: Bus, request: FillRequest, progress: Progress) -> tuple[TurnFinished, dict[str, bytes]]:
    """Run the turn that fills the template: return how it ended, and the files by name."""
    client = Client(bus)
    files = [await asyncio.to_thread(attachment, path) for path in (request.template, request.data)]
    filling = request.filling.model_copy(update={"sample": await store_sample(bus, request.template, request.data)})
    turn = client.turn(uuid.uuid4().hex, attachments=files, language=user_language(), filling=filling)
    end = await end_of(turn, progress.show)
    return end, await client.files(end.files)


def _print(console: Console, end: TurnFinished, written: Sequence[Path], as_json: bool) -> None:
    if as_json:
        print(json.dumps(_as_json(end, written), ensure_ascii=False, indent=2))
        return
    console.print(Text(end.reply), soft_wrap=True)
    for note in end.notes:
        console.print(Text(f"  {note}", style="yellow"), soft_wrap=True)
    for path in written:
        console.print(f"  {path}", highlight=False, markup=False, soft_wrap=True)


def _as_json(end: TurnFinished, written: Sequence[Path]) -> dict[str, object]:
    included = {"status", "complete", "reply", "notes"}
    return {**end.model_dump(mode="json", include=included), "files": {path.name: str(path) for path in written}}
