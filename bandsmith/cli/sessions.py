"""`bandsmith sessions`: what conversations there are, one of them in full, and out with it."""

from __future__ import annotations

import asyncio
import json
import textwrap
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.model.session import HistoryEntry
from bandsmith.shared.settings import HomeSettings

from ..client import Client, Session
from .messages import either, first_line, quiet_log
from .output_folder import put
from .progress import label

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
        _print([_about(session) for session in found])
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in either("name,status,version,changed", "名称,状态,版本,更改时间").split(","):
        table.add_column(name)
    for session in found:
        number = str(session.report.number) if session.report else ""
        table.add_row(Text(printable(session.name)), _status(session), number, _time(session.changed))
    if found:
        Console().print(table)
    else:
        print(either("There are no sessions yet.", "还没有会话。"))


@app.command(epilog="**Example:** bandsmith sessions show march")
def show(name: Name, as_json: Json = False) -> None:
    """What was said in a session, and its versions."""

    async def ask(client: Client) -> tuple[Session, list[HistoryEntry]]:
        session = await client.session(name)
        return session, await client.history(session)

    session, history = _with_client(ask)
    if as_json:
        whole = session.model_copy(update={"history": history}).model_dump(
            mode="json", exclude={"archive", "artefacts", "undo", "redo"}
        )
        whole["saved"] = session.report.model_dump(mode="json") if session.report else None
        _print(whole | _about(session))
        return
    console = Console()
    _say(console, f"{session.name}  {_status(session)}  {_time(session.changed)}", "bold")
    for said in history:
        _say(console, f"> {said.text}" if said.role == "user" else textwrap.indent(said.text, "  "))
    for request in session.requests:
        _say(console, f"> {request.text} …")
    if session.versions:
        console.print(versions(session))


@app.command(epilog="**Example:** bandsmith sessions delete march")
def delete(name: Name, as_json: Json = False) -> None:
    """Remove a session and what was said in it."""
    _with_client(lambda client: client.delete(name))
    if as_json:
        _print({"deleted": name})
    else:
        print(either(f"Deleted {name}.", f"已删除 {name}。"))


@app.command(epilog="**Example:** bandsmith sessions export march --out march.zip")
def export(
    name: Name,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The ZIP file; by default NAME.zip.")] = None,
    as_json: Json = False,
) -> None:
    """A ZIP of a session: every version's template, data and page, and the history."""
    path = out or Path(f"{name}.zip")
    content = _with_client(lambda client: client.export(name))
    [written] = put(path.parent, {path.name: content})
    if as_json:
        _print({"file": str(written)})
    else:
        print(written)


def versions(session: Session) -> Table:
    """A line for each version; the one that the session stands at has a star."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in either("version,written by,at,findings,request", "版本,由,时间,问题,请求").split(","):
        table.add_column(name, no_wrap=True)
    for version in session.versions:
        found = "✓" if version.passed else "✗" if version.passed is False else "?"
        now = "*" if session.report and version.number == session.report.number else " "
        at = f"{version.time.astimezone():%m-%d %H:%M:%S}"
        about = Text(first_line(version.request))
        table.add_row(f"{now}{version.number}", label(version.author), at, f"{found} {version.findings}", about)
    return table


def _with_client(ask: Callable[[Client], Awaitable[T]]) -> T:
    """What a client answers, that needs the store and no service."""
    from ..local import local  # noqa: PLC0415 - the help has to come at once

    async def run() -> T:
        async with local((), store=HomeSettings().bus) as bus:
            return await ask(Client(bus))

    quiet_log()
    return asyncio.run(run())


def _about(session: Session) -> dict[str, object]:
    about = session.model_dump(mode="json", include={"id", "name", "status", "created", "changed", "requests"})
    return about | {"version": session.report.number if session.report else None}


def _print(about: object) -> None:
    print(json.dumps(about, ensure_ascii=False, indent=2))


def _say(console: Console, text: str, style: str = "") -> None:
    console.print(Text(printable(text)), style=style or None, soft_wrap=True)


def _status(session: Session) -> str:
    if session.requests:
        return either("at work", "处理中")
    return either(session.status, {"new": "新建", "done": "完成", "unfinished": "未完成"}[session.status])


def _time(time: datetime | None) -> str:
    return f"{time.astimezone():%Y-%m-%d %H:%M}" if time else ""
