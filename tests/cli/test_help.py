"""The command line explains itself: help, examples, version, shell completion."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import pytest
import typer

from bandsmith.cli.app import app


def commands(command: Any, path: str = "bandsmith") -> Iterator[tuple[str, Any]]:
    """Yield every command below a group, by the words that call it."""
    if not hasattr(command, "commands"):
        yield path, command
        return
    for name, subcommand in command.commands.items():
        yield from commands(subcommand, f"{path} {name}")


COMMANDS = dict(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_examples(name: str):
    command = COMMANDS[name]
    assert command.help and command.help[0].isupper(), f"{name} has no description"
    assert "Example" in (command.epilog or "") and name in (command.epilog or ""), f"{name} has no example of itself"
    undescribed = [param.name for param in command.params if param.name != "help" and not getattr(param, "help", None)]
    assert undescribed == [], f"{name} does not describe these parameters"


def test_version_is_that_of_the_package(talk):
    printed = talk("--version")
    assert (printed.code, printed.out) == (0, f"bandsmith {version('bandsmith')}\n")


@pytest.mark.parametrize(
    ("shell", "environment"),
    [
        ("bash", {"COMP_WORDS": "bandsmith se", "COMP_CWORD": "1"}),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "bandsmith se"}),
    ],
)
def test_shell_completion_offers_the_commands(talk, monkeypatch, shell: str, environment: dict[str, str]):
    monkeypatch.setenv("_BANDSMITH_COMPLETE", f"complete_{shell}")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    printed = talk()
    assert "serve" in printed.out and "sessions" in printed.out and "doctor" not in printed.out
