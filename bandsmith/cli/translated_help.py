"""The help of the command line in the user's language.

The English text stands beside each command and option, ``help_zh.toml`` has the Chinese one for it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, partial
from importlib import resources
from typing import Any

from ..locale import user_language

_TITLES = {
    "ARGUMENTS_PANEL_TITLE": "参数",
    "OPTIONS_PANEL_TITLE": "选项",
    "COMMANDS_PANEL_TITLE": "命令",
    "DEFAULT_STRING": "[默认：{}]",
    "REQUIRED_LONG_STRING": "[必填]",
}
"""Texts of Typer around ours, by the name of its constant."""


def translated(command: Any) -> Any:
    """Return a command, or a group, with its help in the user's language; one that has it already stays as it is."""
    if user_language() == "zh" and not isinstance(command.format_help, partial):
        command.help = _chinese(command.help)
        command.epilog = command.epilog and command.epilog.replace("Examples", "示例").replace("Example", "示例")
        for param in command.params:
            param.help = _chinese(getattr(param, "help", None))
        command.format_help = partial(_format_help, command, command.format_help)
    return command


def translation_of(text: str) -> str | None:
    """Return the Chinese text for an English one, whose lines may be broken anywhere; None if there is none."""
    return _texts().get("\n\n".join(" ".join(part.split()) for part in text.split("\n\n")))


def _format_help(command: Any, format_help: Any, context: Any, formatter: Any) -> None:
    from typer import rich_utils  # noqa: PLC0415 - slow; only the help needs it

    for name, title in _TITLES.items():
        setattr(rich_utils, name, title)
    if (option := command.get_help_option(context)) is not None:
        option.help = _chinese(option.help)
    format_help(context, formatter)


def _chinese(text: str | None) -> str | None:
    return text and (translation_of(text) or text)


@cache
def _texts() -> Mapping[str, str]:
    return tomllib.loads(resources.files(__package__).joinpath("help_zh.toml").read_text(encoding="utf-8"))
