"""``bandsmith fill --source``: print a template with what a source of data holds.

The queries are kept in a binding file beside the template: ``report.bindings.yaml``. The next filling uses them without
a language model.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markdown import Markdown

from bandsmith.output_folder import add_files, update_files
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import TurnFinished
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.model.binding import BindingFile
from bandsmith.shared.model.filling import Filling

from ..attachments import Attachment, attachment
from ..client import Client
from .messages import message, sentence
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
    can_ask: bool
    """Whether the user can answer on the terminal."""

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
        while end.asks is not None and request.can_ask and (said := await run.asked(end)) is not None:
            end = await run.answered(end, said)
        return await asyncio.to_thread(_write, request, end, await Client(bus).files(end.files))


class _Run:
    """One session: the filling, and what the user says to its queries."""

    def __init__(self, bus: Bus, request: SourceFilling, console: Console, *, verbose: bool) -> None:
        self._bus, self._request, self._console, self._verbose = bus, request, console, verbose
        self._client, self._session = Client(bus), uuid.uuid4().hex

    async def begin(self) -> TurnFinished:
        saved = await asyncio.to_thread(_read, self._request.bindings)
        return await self._fill(saved)

    async def asked(self, end: TurnFinished) -> str | None:
        """Show what is asked, and return what the user types; None at the end of the input."""
        assert end.asks is not None
        self._console.print(Markdown(printable(end.asks.text)))
        try:
            return await asyncio.to_thread(input, message("cli.fill.review_prompt"))
        except EOFError:
            return None

    async def answered(self, end: TurnFinished, said: str) -> TurnFinished:
        """Go on with what the user says; ``edit`` opens the queries in an editor."""
        if said.strip().casefold() != EDIT:
            return await self._turn(said, [], None)
        queries = (await self._client.files({BINDINGS: end.files[BINDINGS]}))[BINDINGS]
        try:
            reviewed = await asyncio.to_thread(edited, queries)
        except BadInput as error:
            self._console.print(sentence(error), markup=False, highlight=False, soft_wrap=True)
            return end
        return await self._fill(reviewed)

    async def _fill(self, bindings: bytes | None) -> TurnFinished:
        refs = {
            "bindings": await self._bus.put(bindings, "application/yaml") if bindings else None,
            "sample": await store_sample(self._bus, self._request.template),
        }
        template = await asyncio.to_thread(attachment, self._request.template)
        return await self._turn("", [template], self._request.filling.model_copy(update=refs))

    async def _turn(self, text: str, files: Sequence[Attachment], filling: Filling | None) -> TurnFinished:
        from ..locale import user_language  # noqa: PLC0415

        turn = self._client.turn(self._session, text, files, language=user_language(), filling=filling)
        with Progress(self._console, verbose=self._verbose) as progress:
            end = await end_of(turn, progress.show)
            progress.end(failed=not end.complete and end.asks is None)
            return end


def _content(bindings: bytes | None) -> object:
    """Return what a binding file says, without its comments and layout."""
    import yaml  # noqa: PLC0415 - slow to import

    try:
        return yaml.safe_load(bindings) if bindings else None
    except yaml.YAMLError:
        return bindings


def _read(path: Path) -> bytes | None:
    """Return a file's content, None if there is none. Raises ``BadInput``."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        raise BadInput.of("data.binding.file", code="bindings") from None


def edited(queries: bytes) -> bytes:
    """Return the queries as the user leaves them in an editor: they are reviewed then.

    Raises ``BadInput`` if the editor fails, and for a file that no longer says what fills the report.
    """
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    with NamedTemporaryFile(suffix=".yaml") as file:
        path = Path(file.name)
        path.write_bytes(queries.replace(b"reviewed: false", b"reviewed: true", 1))
        try:
            subprocess.run([*editor, path], check=True)
        except (OSError, subprocess.CalledProcessError):
            raise BadInput.of("cli.fill.editor", code="editor", name=editor[0]) from None
        left = path.read_bytes()
    try:
        BindingFile.model_validate(_content(left))
    except ValueError:
        raise BadInput.of("data.binding.file", code="bindings") from None
    return left


def _write(request: SourceFilling, end: TurnFinished, files: dict[str, bytes]) -> tuple[TurnFinished, list[Path]]:
    """Write the filled report into the folder, its queries beside the template. Raises ``BadInput``.

    Queries that no user could be asked about are written too, as not reviewed, and the reply says what to do.
    """
    bindings, with_query = files.pop(BINDINGS, None), files.pop(QUERY_TEMPLATE, None)
    written = update_files(request.out, files, overwrite=request.overwrite) if files else []
    if bindings is not None and _content(bindings) != _content(_read(request.bindings)):
        written += add_files(request.bindings.parent, {request.bindings.name: bindings})
    if end.asks is not None:
        return end.model_copy(update={"reply": message("cli.fill.to_review", name=request.bindings.name)}), written
    if request.into is not None and with_query is not None:
        written += add_files(request.into.parent, {request.into.name: with_query})
    elif request.into is not None and end.complete:
        notes = [*end.notes, message("cli.fill.no_query", name=request.into.name)]
        end = end.model_copy(update={"complete": False, "notes": notes})
    return end, written
