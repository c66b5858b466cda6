"""``bandsmith kb``: the knowledge base of earlier reports, field definitions and fixes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import (
    AddKnowledge,
    Command,
    Event,
    KnowledgeAdded,
    KnowledgeFound,
    KnowledgeListed,
    KnowledgeRemoved,
    ListKnowledge,
    RemoveKnowledge,
    SearchKnowledge,
)
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.knowledge import FieldDefinition, KnowledgeEntry, KnownTemplate
from bandsmith.shared.settings import BusSettings, HomeSettings
from bandsmith.shared.telemetry import log

from ..ask import ask
from .messages import message

T = TypeVar("T", bound=Event)
MakeCommand = Callable[[Bus], Awaitable[Command]]

MAX_JRXML_BYTES = 4_000_000
LAYOUT_FILE = "layout.json"
"""File that ``bandsmith build`` writes beside a report; similar forms are found by it."""
JAVA_CLASSES = {
    name.rpartition(".")[2]: name
    for name in (
        "java.lang.String", "java.lang.Integer", "java.lang.Long", "java.lang.Double", "java.lang.Float",
        "java.lang.Boolean", "java.math.BigDecimal", "java.util.Date", "java.sql.Timestamp", "java.time.LocalDate",
        "java.time.LocalDateTime",
    )
}  # fmt: skip
"""Classes that a field may have, by simple name."""

app = typer.Typer(rich_markup_mode="markdown")
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]

ADD_EXAMPLES = """
**Examples**

    bandsmith kb add out/report.jrxml
    bandsmith kb add --field "单价=unit_price:BigDecimal:#,##0.00"
    bandsmith kb add --field "Due date=due_date:java.util.Date:yyyy-MM-dd" --field "Customer=customer_name"
"""
LIST_EXAMPLES = """
**Examples**

    bandsmith kb list
    bandsmith kb list --json
"""
SEARCH_EXAMPLES = """
**Examples**

    bandsmith kb search 单价
    bandsmith kb search "sales report by customer" --json
"""
REMOVE_EXAMPLES = """
**Examples**

    bandsmith kb remove 3f2a9c01d4e7
"""


@app.command(epilog=ADD_EXAMPLES)
def add(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="JRXML files; a layout.json beside one describes its form."),
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(metavar="LABEL=NAME:CLASS[:PATTERN]", help="Name and class of the field that has this label."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Add reports and fields that similar forms and requests can use."""
    if not files and not field:
        raise BadInput.of("cli.kb.nothing_to_add", code=BadInput.code)
    fields = [parse_field(text) for text in field or []]
    templates = [_read(path) for path in files or []]

    async def command(bus: Bus) -> AddKnowledge:
        return AddKnowledge(templates=[await _stored(bus, *template) for template in templates], fields=fields)

    entries = _answer(command, KnowledgeAdded).entries
    _print(entries, as_json, message("cli.kb.added", count=len(entries)))


@app.command("list", epilog=LIST_EXAMPLES)
def list_command(as_json: AsJson = False) -> None:
    """List every entry."""
    entries = _answer(_always(ListKnowledge()), KnowledgeListed).entries
    _print(entries, as_json, "" if entries else message("cli.kb.empty"))


@app.command(epilog=SEARCH_EXAMPLES)
def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="What to search for.")], as_json: AsJson = False
) -> None:
    """Search the knowledge base for WORDS, best match first."""
    entries = _answer(_always(SearchKnowledge(words=" ".join(words))), KnowledgeFound).entries
    _print(entries, as_json, "" if entries else message("cli.kb.no_match"))


@app.command(epilog=REMOVE_EXAMPLES)
def remove(
    ids: Annotated[list[str], typer.Argument(metavar="ID", help="IDs, as `list` shows them.")], as_json: AsJson = False
) -> None:
    """Remove entries by ID, as `list` shows it."""
    entries = _answer(_always(RemoveKnowledge(ids=ids)), KnowledgeRemoved).entries
    if entries or as_json:
        _print(entries, as_json, message("cli.kb.removed", count=len(entries)))
    if unknown := sorted(set(ids) - {entry.id for entry in entries}):
        raise BadInput.of("cli.kb.unknown_ids", code=BadInput.code, count=len(unknown), ids=", ".join(unknown))


def parse_field(text: str) -> FieldDefinition:
    """Parse ``LABEL=NAME[:CLASS[:PATTERN]]``; the class may be given without its package. Raises ``BadInput``."""
    label, _, definition = text.partition("=")
    name, java_class, pattern = (*(part.strip() for part in definition.split(":", 2)), "", "")[:3]
    known = JAVA_CLASSES.get(java_class.rpartition(".")[2] or "String")
    try:
        if known is None or java_class not in ("", known, known.rpartition(".")[2]):
            raise ValueError
        return FieldDefinition(label=label.strip(), name=name, java_class=known, pattern=pattern or None)
    except ValueError:  # or pydantic's ValidationError, which is a ValueError
        raise BadInput.of("cli.kb.field", code="kb.field", classes=", ".join(JAVA_CLASSES)) from None


def _read(path: Path) -> tuple[str, bytes, bytes | None]:
    """Return a JRXML's name and content, and the layout beside it. Raises ``BadInput``."""
    if path.suffix.lower() != ".jrxml":
        raise BadInput.of("cli.kb.suffix")
    try:
        if path.stat().st_size > MAX_JRXML_BYTES:
            raise BadInput.of("cli.kb.size", code="kb.size", bytes=MAX_JRXML_BYTES)
        layout = path.with_name(LAYOUT_FILE)
        return path.name, path.read_bytes(), layout.read_bytes() if layout.is_file() else None
    except OSError:
        raise BadInput.of("cli.kb.unreadable", code="file") from None


async def _stored(bus: Bus, name: str, jrxml: bytes, layout: bytes | None) -> KnownTemplate:
    return KnownTemplate(
        document=Document(name=name, content=await bus.put(jrxml, "application/xml")),
        layout=await bus.put(layout, "application/json") if layout else None,
    )


# --- the planner ------------------------------------------------------------------------------------------------------


def _always(command: Command) -> MakeCommand:
    async def make(bus: Bus) -> Command:
        return command

    return make


def _answer(make: MakeCommand, answer: type[T]) -> T:
    """Send a command and return its answer.

    Raises ``TerminalError`` with the planner's reason for a failure, ``RetryableError`` when it does not answer.
    """
    log.configure()
    event = asyncio.run(_ask(make))
    assert isinstance(event, answer)
    return event


async def _ask(make: MakeCommand) -> Event:
    """Ask a planner in this process, or that of another program that has the user's store."""
    from ..local import local  # noqa: PLC0415 - slow; the help must not wait for it

    async with local([] if BusSettings().nats_url else ["planner"], HomeSettings().bus) as bus:
        return await ask(bus, await make(bus))


# --- output -----------------------------------------------------------------------------------------------------------


def _print(entries: list[KnowledgeEntry], as_json: bool, summary: str) -> None:
    if as_json:
        print(json.dumps({"entries": [entry.model_dump() for entry in entries]}, ensure_ascii=False, indent=2))
        return
    console = Console()
    if entries:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column, min_width in (("id", 12), ("kind", 8), ("title", 12), ("text", 20)):
            heading = message(f"cli.kb.columns.{column}")
            table.add_column(heading, overflow="ellipsis", no_wrap=True, min_width=min_width)
        for entry in entries:
            table.add_row(entry.id, entry.kind, escape(entry.title), escape(entry.text))
        console.print(table)
    if summary:
        console.print(summary, highlight=False, markup=False)
