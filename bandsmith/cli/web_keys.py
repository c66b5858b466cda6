"""``bandsmith web keys``: the API keys of the page and of the HTTP interface."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column
from rich.text import Text

from bandsmith.shared.errors import BadInput
from bandsmith.shared.settings import WebSettings

from ..web.identity import Role
from ..web.keys import Keys
from .messages import message, quiet_log
from .tables import table

app = typer.Typer(rich_markup_mode="markdown")
Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the key.")]

ADD_EXAMPLES = """
**Examples**

    bandsmith web keys add ann
    bandsmith web keys add dashboard --role reader --user ann
    bandsmith web keys add support --role admin
"""
LIST_EXAMPLES = """
**Examples**

    bandsmith web keys list
    bandsmith web keys list --json
"""
REMOVE_EXAMPLES = """
**Examples**

    bandsmith web keys remove dashboard
"""


@app.command("add", epilog=ADD_EXAMPLES)
def add_command(
    name: Name,
    role: Annotated[
        Role,
        typer.Option(
            help="reader looks and downloads; editor also builds and changes; admin has the sessions of all users."
        ),
    ] = "editor",
    user: Annotated[
        str, typer.Option(metavar="USER", help="Whose sessions it gives access to [default: the user of that NAME].")
    ] = "",
) -> None:
    """Add a key and print it. Only its hash is stored, so it cannot be printed again."""
    quiet_log()
    if role == "admin" and user:
        raise BadInput.of("web.keys.admin_user", code="input")
    print(_keys().add(name, role, user))


@app.command("list", epilog=LIST_EXAMPLES)
def list_command(
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")] = False,
) -> None:
    """List the keys with their users and roles."""
    quiet_log()
    keys = _keys().all()
    if as_json:
        print(json.dumps([key.model_dump(mode="json", exclude={"hash"}) for key in keys], ensure_ascii=False))
        return
    if not keys:
        print(message("cli.web.no_keys"))
        return
    columns = {name: Column(message(f"cli.web.columns.{name}")) for name in ("name", "user", "role", "created")}
    rows = [
        {
            "name": Text(key.name),
            "user": Text("" if key.role == "admin" else key.user),
            "role": Text(key.role),
            "created": Text(f"{key.created.astimezone():%Y-%m-%d %H:%M}"),
        }
        for key in keys
    ]
    console = Console()
    console.print(table(columns, rows, console))


@app.command("remove", epilog=REMOVE_EXAMPLES)
def remove_command(name: Name) -> None:
    """Remove a key. It is rejected from now on; the sessions stay."""
    quiet_log()
    _keys().remove(name)
    print(message("cli.web.key_removed", name=name))


def _keys() -> Keys:
    return Keys(WebSettings().keys_file)
