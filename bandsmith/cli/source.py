"""``bandsmith source``: the sources of data that questions are asked of."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import DescribeSource, SourceDescribed
from bandsmith.shared.files import write_private
from bandsmith.shared.model.source import SourceSchema
from bandsmith.shared.semantic_layer import draft, layer_file
from bandsmith.shared.settings import BusSettings, SourceSettings
from bandsmith.shared.sources import read_sources, source_of, write_sources

from ..ask import ask
from .messages import message, quiet_log

app = typer.Typer(rich_markup_mode="markdown")
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the source.")]

ADD_EXAMPLES = """
**Examples**

    bandsmith source add shop shop.db
    bandsmith source add sales reports/2026/            # a folder of CSV, Parquet and XLSX files
    bandsmith source add ledger 'postgresql://reader:${LEDGER_PASSWORD}@localhost/ledger'
    bandsmith source add web 'mysql://reader:${WEB_PASSWORD}@localhost/web'     # MariaDB too
    bandsmith source add crm crm.duckdb --sensitive customers.email --sensitive customers.birthday
    bandsmith source add shop shop.db --user ann --user ben   # users of the page who may ask it
"""
LIST_EXAMPLES = """
**Examples**

    bandsmith source list
    bandsmith source list --json
"""
SHOW_EXAMPLES = """
**Examples**

    bandsmith source show shop
    bandsmith source show shop --json
"""
CHECK_EXAMPLES = """
**Examples**

    bandsmith source check shop
"""
DESCRIBE_EXAMPLES = """
**Examples**

    bandsmith source describe shop
"""
REMOVE_EXAMPLES = """
**Examples**

    bandsmith source remove shop
"""


@app.command(epilog=ADD_EXAMPLES)
def add(
    name: Name,
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="A file, a folder of files, or the URL of a database server.")
    ],
    sensitive: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE.COLUMN", help="A column whose values no language model sees."),
    ] = None,
    user: Annotated[
        list[str] | None,
        typer.Option(
            metavar="USER", help="A user of the page who may ask it; * for all. Without any, only you and admins."
        ),
    ] = None,
) -> None:
    """Add a source, or replace the one of that NAME. It is opened once to see that it can be read."""
    quiet_log()
    source = source_of(name, address).model_copy(update={"sensitive": sensitive or [], "users": user or []})
    file = SourceSettings().file
    known = read_sources(file)
    write_sources(file, {**known, name: source})
    schema = None
    try:
        schema = _described(name)
    finally:
        if schema is None:  # it cannot be opened, or the user gave up
            write_sources(file, known)
    print(message("cli.source.added", name=name, count=len(schema.tables)))


@app.command("list", epilog=LIST_EXAMPLES)
def list_command(as_json: AsJson = False) -> None:
    """List the sources, with the users who may ask them. A password is shown as the name of its variable."""
    sources = read_sources(SourceSettings().file)
    if as_json:
        print(json.dumps({"sources": [source.model_dump() for source in sources.values()]}, ensure_ascii=False))
    elif not sources:
        print(message("data.no_source"))
    for source in sources.values() if not as_json else ():
        print(f"{source.name}  {source.url}" + (f"  ({', '.join(source.users)})" if source.users else ""))


@app.command(epilog=SHOW_EXAMPLES)
def show(name: Name, as_json: AsJson = False) -> None:
    """Show the tables of a source: columns, types, keys and some values."""
    quiet_log()
    schema = _described(name)
    if as_json:
        print(schema.model_dump_json())
        return
    console = Console()
    for table in schema.tables:
        shown = Table(box=None, pad_edge=False, header_style="bold", title=escape(table.name), title_justify="left")
        for heading in ("column", "type", "key", "values"):
            shown.add_column(message(f"cli.source.columns.{heading}"), overflow="ellipsis", no_wrap=True)
        to = {column: key.table for key in table.foreign_keys for column in key.columns}
        for column in table.columns:
            key = "✓" if column.name in table.key else f"→ {to[column.name]}" if column.name in to else ""
            shown.add_row(escape(column.name), column.type, escape(key), escape(" · ".join(column.samples)))
        console.print(shown)
        console.print()


@app.command(epilog=CHECK_EXAMPLES)
def check(name: Name) -> None:
    """Open a source, and say how many tables of it can be read, or why it cannot be opened."""
    quiet_log()
    print(message("cli.source.checked", name=name, count=len(_described(name).tables)))


@app.command(epilog=DESCRIBE_EXAMPLES)
def describe(name: Name) -> None:
    """Draft the semantic layer of a source: a YAML file in which you name tables, define metrics and hide data."""
    quiet_log()
    sources = SourceSettings().file
    file = layer_file(sources, name)
    if file.exists():
        raise BadInput.of("data.layer_exists", code="source", file=file.name)
    schema = _described(name)
    sensitive = frozenset(column.casefold() for column in read_sources(sources)[schema.source].sensitive)
    write_private(file, draft(schema, sensitive).encode())
    print(message("cli.source.described", path=file))


@app.command(epilog=REMOVE_EXAMPLES)
def remove(name: Name) -> None:
    """Forget a source. Its data stays as it is."""
    file = SourceSettings().file
    known = read_sources(file)
    if name not in known:
        raise BadInput.of("data.unknown_source", code="source", name=name, names=", ".join(known) or "-")
    write_sources(file, {other: source for other, source in known.items() if other != name})
    print(message("cli.source.removed", name=name))


def _described(name: str) -> SourceSchema:
    """Return what a source holds, as the planner sees it. Raises ``BadInput``."""

    async def describe() -> SourceSchema:
        from ..local import local  # noqa: PLC0415 - slow; the help must not wait for it

        async with local([] if BusSettings().nats_url else ["planner"]) as bus:
            return await _schema(bus, name)

    return asyncio.run(describe())


async def _schema(bus: Bus, name: str) -> SourceSchema:
    event = await ask(bus, DescribeSource(source=name))
    assert isinstance(event, SourceDescribed)
    return SourceSchema.model_validate_json(await bus.get(event.database))
