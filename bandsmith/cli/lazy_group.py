"""Groups of commands whose modules are imported only when needed, so that help and completion are quick."""

from __future__ import annotations

from collections.abc import MutableMapping
from importlib import import_module
from typing import Any

import typer.main
from typer.core import TyperGroup

from .translated_help import translated


class TranslatedGroup(TyperGroup):
    """A group that shows its help, and that of its commands, in the user's language."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        return command and translated(command)


class LazyGroup(TranslatedGroup):
    """A group whose commands are those of the Typer app ``app`` in a module."""

    def __init__(self, name: str, module: str, help: str) -> None:
        self._module = module
        self._loaded: dict[str, Any] | None = None
        super().__init__(name=name, help=help, no_args_is_help=True, rich_markup_mode="markdown")

    @property
    def commands(self) -> MutableMapping[str, Any]:  # type: ignore[override]
        if self._loaded is None:
            self._loaded = dict(typer.main.get_group(import_module(self._module, __package__).app).commands)
        return self._loaded

    @commands.setter
    def commands(self, commands: MutableMapping[str, Any]) -> None:
        """Nothing to keep: the base class sets the commands that it was created with, which are none."""


class RootGroup(TranslatedGroup):
    """The commands of the program, with its lazy groups."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for name, help in GROUPS.items():
            self.add_command(LazyGroup(name, f".{name}", help))

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        return super(RootGroup, translated(self)).make_context(*arguments, **options)


class WebGroup(TranslatedGroup):
    """The command that serves the page, with the group that manages its keys."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.add_command(LazyGroup("keys", ".web_keys", "Manage the API keys of the page and of the HTTP interface."))


GROUPS = {
    "sessions": "List, show, delete and export conversations.",
    "kb": "Manage the knowledge base: earlier reports, field definitions and fixes.",
    "source": "Manage the sources of data that can be queried.",
    "calendar": "Import, plan and export calendars.",
    "runs": "Fill and deliver reports at given times.",
    "dead": "List and show messages that could not be handled, and replay them.",
}
"""Help of each lazy group by its name, which is that of its module."""
