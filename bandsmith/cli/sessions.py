"""``bandsmith sessions``: list, show, delete and export conversations."""

from __future__ import annotations

import textwrap
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bandsmith.output_folder import add_files
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.model.session_parts import HistoryEntry

from ..client import Client
from ..session_view import SessionView
from .messages import first_line, message, print_json
from .own_store import with_bus
from .progress import node_label

T = TypeVar("T")
app = typer.Typer(rich_markup_mode="markdown")

Name = Annotated[str, typer.Argument(metavar="NAME", help="The session's name.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]


LIST_EXAMPLES = """
**Examples**

    bandsmith sessions list
    bandsmith sessions list --json
"""
SHOW_EXAMPLES = """
**Examples**

    bandsmith sessions show march
    bandsmith sessions show march --json
"""
DELETE_EXAMPLES = """
**Examples**

    bandsmith sessions delete march
"""
EXPORT_EXAMPLES = """
**Examples**

    bandsmith sessions export march
    bandsmith sessions export march --out backup/march.zip
"""


@app.command("list", epilog=LIST_EXAMPLES)
def list_command(as_json: Json = False) -> None:
    """List the sessions, the most recently changed first."""
    sessions = _with_client(lambda client: client.sessions())
    if as_json:
        print_json([_summary(session) for session in sessions])
        return
    if not sessions:
        print(message("cli.sessions.none"))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "status", "version", "changed"):
        table.add_column(message(f"cli.sessions.columns.{column}"))
    for session in sessions:
        number = str(session.report.number) if session.report else ""
        table.add_row(Text(printable(session.name)), _status(session), number, _time(session.changed))
    Console().print(table)


@app.command(epilog=SHOW_EXAMPLES)
def show(name: Name, as_json: Json = False) -> None:
    """Show the history of a session and its versions."""

    async def ask(client: Client) -> tuple[SessionView, list[HistoryEntry]]:
        session = await client.session(name)
        return session, await client.history(session)

    session, history = _with_client(ask)
    if as_json:
        whole = session.model_copy(update={"history": history})
        dumped = whole.model_dump(mode="json", exclude={"archive", "artefacts", "undo", "redo"})
        dumped["saved"] = session.report.model_dump(mode="json") if session.report else None
        print_json(dumped | _summary(session))
        return
    console = Console()
    _print(console, f"{session.name}  {_status(session)}  {_time(session.changed)}", "bold")
    for entry in history:
        _print(console, f"> {entry.text}" if entry.role == "user" else textwrap.indent(entry.text, "  "))
    for pending in session.requests:
        _print(console, f"> {pending.text} …")
    if session.versions:
        console.print(versions_table(session))


@app.command(epilog=DELETE_EXAMPLES)
def delete(name: Name, as_json: Json = False) -> None:
    """Delete a session with its history."""
    _with_client(lambda client: client.delete(name))
    if as_json:
        print_json({"deleted": name})
    else:
        print(message("cli.sessions.deleted", session=name))


@app.command(epilog=EXPORT_EXAMPLES)
def export(
    name: Name,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The ZIP file [default: NAME.zip].")] = None,
    as_json: Json = False,
) -> None:
    """Export a session as a ZIP file: the template, data and page of each version, and the history."""
    path = out or Path(f"{name}.zip")
    content = _with_client(lambda client: client.export(name))
    [written] = add_files(path.parent, {path.name: content})
    if as_json:
        print_json({"file": str(written)})
    else:
        print(written)


def versions_table(session: SessionView) -> Table:
    """Build a table of a session's versions; an asterisk marks the current one."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("version", "author", "time", "findings", "request"):
        table.add_column(message(f"cli.sessions.version_columns.{column}"), no_wrap=True)
    for version in session.versions:
        verdict = {True: "✓", False: "✗", None: "?"}[version.passed]
        current = "*" if session.report and version.number == session.report.number else " "
        time = f"{version.time.astimezone():%m-%d %H:%M:%S}"
        request = Text(first_line(version.request))
        table.add_row(
            f"{current}{version.number}", node_label(version.author), time, f"{verdict} {version.findings}", request
        )
    return table


def _with_client(ask: Callable[[Client], Awaitable[T]]) -> T:
    """Return what `ask` returns; it may use the store but no service."""
    return with_bus(lambda bus: ask(Client(bus)))


def _summary(session: SessionView) -> dict[str, object]:
    summary = session.model_dump(mode="json", include={"id", "name", "status", "created", "changed", "requests"})
    return summary | {"version": session.report.number if session.report else None}


def _print(console: Console, text: str, style: str = "") -> None:
    console.print(Text(printable(text)), style=style or None, soft_wrap=True)


def _status(session: SessionView) -> str:
    return message(f"cli.status.{'running' if session.requests else session.status}")


def _time(time: datetime | None) -> str:
    return f"{time.astimezone():%Y-%m-%d %H:%M}" if time else ""
