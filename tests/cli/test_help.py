"""The command line explains itself: help, examples, version, shell completion."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import resources
from importlib.metadata import version
from typing import Any

import pytest
import typer

from bandsmith import cli
from bandsmith.cli.app import app
from bandsmith.cli.translated_help import translation_of
from tests.each_case import each

TRANSLATIONS = tomllib.loads(resources.files(cli).joinpath("help_zh.toml").read_text(encoding="utf-8"))


def commands(command: Any, path: str = "bandsmith") -> Iterator[tuple[str, Any]]:
    """Yield every command below a group, by the words that call it."""
    if not hasattr(command, "commands"):
        yield path, command
        return
    for name, subcommand in command.commands.items():
        yield from commands(subcommand, f"{path} {name}")


def groups(command: Any, path: str = "bandsmith") -> Iterator[tuple[str, Any]]:
    """Yield a group and every group below it, by the words that call it."""
    if hasattr(command, "commands"):
        yield path, command
        for name, subcommand in command.commands.items():
            yield from groups(subcommand, f"{path} {name}")


COMMANDS = dict(commands(typer.main.get_command(app)))
GROUPS = dict(groups(typer.main.get_command(app)))


@each("name", COMMANDS)
def test_every_command_has_help_and_examples(name: str):
    command = COMMANDS[name]
    assert command.help and command.help[0].isupper(), f"{name} has no description"
    assert "Example" in (command.epilog or "") and name in (command.epilog or ""), f"{name} has no example of itself"
    undescribed = [param.name for param in command.params if param.name != "help" and not getattr(param, "help", None)]
    assert undescribed == [], f"{name} does not describe these parameters"


@each("name", [*GROUPS, *COMMANDS])
def test_every_help_text_has_a_chinese_one(name: str):
    command = {**GROUPS, **COMMANDS}[name]
    texts = [command.help, *(getattr(param, "help", None) for param in command.params)]
    assert [text for text in texts if text and translation_of(text) is None] == [], "add these to help_zh.toml"


def test_no_chinese_text_is_left_over():
    texts = {
        "Show this message and exit.",
        *(command.help for command in (*GROUPS.values(), *COMMANDS.values())),
        *(param.help for command in COMMANDS.values() for param in command.params),
        *(param.help for command in GROUPS.values() for param in command.params),
    }
    used = {translation_of(text) for text in texts if text}
    assert [text for text in TRANSLATIONS.values() if text not in used] == []


@pytest.mark.parametrize(
    ("locale", "title", "option", "example"),
    [("en_US.UTF-8", "Options", "Write a web page.", "Examples"), ("zh_CN.UTF-8", "选项", "输出网页。", "示例")],
)
def test_help_is_in_the_language_of_the_locale(locale: str, title: str, option: str, example: str):
    # A process of its own, for what is translated stays so in this one.
    environment = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "1"}
    call = [sys.executable, "-c", "from bandsmith.cli import main; main()", "fill", "--help"]
    run = subprocess.run(call, env=environment, capture_output=True, check=True, encoding="utf-8")
    assert title in run.stdout and option in run.stdout and example in run.stdout


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
