"""`bandsmith sessions`: what conversations there are, one of them in full, and out with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.table import Table

from shared import log
from shared.settings import HomeSettings

from .client import Client, Session
from .output import put
from .words import chinese

T = TypeVar("T")
app = typer.Typer(
    help="List, show, delete and export conversations.", no_args_is_help=True, rich_markup_mode="markdown"
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The session's name.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")]


@app.command("list", epilog="**Example:** bandsmith sessions list --json")
def list_command(as_json: Json = False) -> None:
    """The sessions, the last changed first."""
    found = _with_client(lambda client: client.sessions())
    if as_json:
        print(json.dumps([_about(session) for session in found], ensure_ascii=False, indent=2))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("名称,状态,版本,更改时间" if chinese() else "name,status,version,changed").split(","):
        table.add_column(name)
    for session in found:
        number = str(session.saved.number) if session.saved else ""
        table.add_row(session.name, session.status, number, _time(session))
    if found:
        Console().print(table)
    else:
        print("还没有会话。" if chinese() else "There are no sessions yet.")


@app.command(epilog="**Example:** bandsmith sessions show march")
def show(name: Name, as_json: Json = False) -> None:
    """What was said in a session, and its versions."""
    session = _with_client(lambda client: client.session(name))
    if as_json:
        print(json.dumps(session.model_dump(mode="json"), ensure_ascii=False, indent=2))
        return
    console = Console()
    console.print(f"{session.name}  {session.status}  {_time(session)}", style="bold", highlight=False, markup=False)
    for said in session.history:
        mark = {"user": ">", "assistant": " ", "summary": "…"}[said.role]
        console.print(f"{mark} {said.text}", highlight=False, markup=False, soft_wrap=True)
    for version in session.versions:
        line = f"{version.number:>4}  {version.author:<18} {version.findings} findings  {version.request[:50]}"
        console.print(line, style="dim", highlight=False, markup=False)


@app.command(epilog="**Example:** bandsmith sessions delete march")
def delete(name: Name) -> None:
    """Remove a session and what was said in it."""
    _with_client(lambda client: client.delete(name))
    print(f"已删除 {name}。" if chinese() else f"Deleted {name}.")


@app.command(epilog="**Example:** bandsmith sessions export march --out march.zip")
def export(name: Name, out: Annotated[Path | None, typer.Option(metavar="FILE", help="The ZIP file.")] = None) -> None:
    """A ZIP of a session: every version's template, data and page, and the history."""
    path = out or Path(f"{name}.zip")
    content = _with_client(lambda client: client.export(name))
    [written] = put(path.parent, {path.name: content})
    print(written)


def _with_client(ask: Callable[[Client], Awaitable[T]]) -> T:
    """What a client answers, that needs the store and no service."""
    from .local import local  # noqa: PLC0415 - the help has to come at once

    async def run() -> T:
        async with local((), store=HomeSettings().bus) as bus:
            return await ask(Client(bus))

    log.configure()
    return asyncio.run(run())


def _about(session: Session) -> dict[str, object]:
    return session.model_dump(mode="json", include={"id", "name", "status", "created", "changed"}) | {
        "version": session.saved.number if session.saved else None
    }


def _time(session: Session) -> str:
    return f"{session.changed.astimezone():%Y-%m-%d %H:%M}" if session.changed else ""
