"""``bandsmith fill --source``: print a template with what a source of data holds.

The queries are kept in a binding file beside the template: ``report.bindings.yaml``. The next filling uses them without
a language model.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markdown import Markdown

from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import TurnFinished
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.model.filling import Filling

from ..attachments import Attachment, attachment
from ..client import Client
from .messages import message
from .output_folder import update_files
from .progress import Progress
from .template_files import bindings_beside, store_sample
from .turns import end_of

if TYPE_CHECKING:
    from bandsmith.shared.bus.base import Bus

BINDINGS, QUERY_TEMPLATE = "bindings.yaml", "report-query.jrxml"
EDIT = "edit"


@dataclass(frozen=True)
class SourceFilling:
    """What is to be filled from a source, and where the files go."""

    template: Path
    filling: Filling
    out: Path
    into: Path | None
    """Where the template is written with the query of its rows."""
    overwrite: bool

    @property
    def bindings(self) -> Path:
        return bindings_beside(self.template)


async def fill_from_source(
    request: SourceFilling, console: Console, *, verbose: bool
) -> tuple[TurnFinished, list[Path]]:
    """Fill the template; what the turn asks is answered on the terminal. Raises ``TerminalError``."""
    from ..local import local  # noqa: PLC0415 - slow; the first line of output comes before it

    if request.into is not None and request.into.exists() and not request.overwrite:
        raise BadInput.of("cli.fill.into_exists", code="into", name=request.into.name)
    async with local() as bus:
        run = _Run(bus, request, console, verbose=verbose)
        end = await run.begin()
        while end.asks is not None and sys.stdin.isatty():
            end = await run.answered(end)
        return end, await asyncio.to_thread(_write, request, end, await Client(bus).files(end.files))


class _Run:
    """One session: the filling, and what the user says to its queries."""

    def __init__(self, bus: Bus, request: SourceFilling, console: Console, *, verbose: bool) -> None:
        self._bus, self._request, self._console, self._verbose = bus, request, console, verbose
        self._client, self._session = Client(bus), uuid.uuid4().hex

    async def begin(self) -> TurnFinished:
        saved = await asyncio.to_thread(_read, self._request.bindings)
        return await self._fill(saved)

    async def answered(self, end: TurnFinished) -> TurnFinished:
        """Show what is asked, and go on with what the user types; ``edit`` opens the queries in an editor."""
        assert end.asks is not None
        self._console.print(Markdown(printable(end.asks.text)))
        said = await asyncio.to_thread(input, message("cli.fill.review_prompt"))
        if said.strip().casefold() != EDIT:
            return await self._turn(said, [], None)
        queries = (await self._client.files({BINDINGS: end.files[BINDINGS]}))[BINDINGS]
        return await self._fill(await asyncio.to_thread(_edited, queries))

    async def _fill(self, bindings: bytes | None) -> TurnFinished:
        refs = {
            "bindings": await self._bus.put(bindings, "application/yaml") if bindings else None,
            "sample": await store_sample(self._bus, self._request.template),
        }
        template = await asyncio.to_thread(attachment, self._request.template)
        return await self._turn("", [template], self._request.filling.model_copy(update=refs))

    async def _turn(self, text: str, files: Sequence[Attachment], filling: Filling | None) -> TurnFinished:
        from .locale import user_language  # noqa: PLC0415

        turn = self._client.turn(self._session, text, files, language=user_language(), filling=filling)
        with Progress(self._console, verbose=self._verbose) as progress:
            end = await end_of(turn, progress.show)
            progress.end(failed=not end.complete and end.asks is None)
            return end


def _content(bindings: bytes | None) -> object:
    """Return what a binding file says, without its comments and layout."""
    import yaml  # noqa: PLC0415 - slow to import

    return yaml.safe_load(bindings) if bindings else None


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _edited(queries: bytes) -> bytes:
    """Return the queries as the user leaves them in an editor: they are reviewed then."""
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    with NamedTemporaryFile(suffix=".yaml") as file:
        path = Path(file.name)
        path.write_bytes(queries.replace(b"reviewed: false", b"reviewed: true", 1))
        subprocess.run([*editor, path], check=False)
        return path.read_bytes()


def _write(request: SourceFilling, end: TurnFinished, files: dict[str, bytes]) -> list[Path]:
    """Write the filled report into the folder, its queries beside the template."""
    bindings, with_query = files.pop(BINDINGS, None), files.pop(QUERY_TEMPLATE, None)
    written = update_files(request.out, files, overwrite=request.overwrite) if files else []
    if bindings is not None and end.asks is None and _content(bindings) != _content(_read(request.bindings)):
        request.bindings.write_bytes(bindings)
        written.append(request.bindings)
    if with_query is not None and request.into is not None:
        request.into.write_bytes(with_query)
        written.append(request.into)
    return written
