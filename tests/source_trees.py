"""The program's source as syntax trees: each module is parsed and walked once for all tests that read it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("bandsmith", "shared", "services")
BLOCKS = (ast.stmt, ast.excepthandler, ast.match_case)
"""What a list of statements consists of, and what holds such lists."""
SOURCES = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]


@cache
def parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def statements(module: Path) -> list[ast.stmt]:
    """Return every statement of a module, also those inside others, without looking into expressions."""
    found: list[ast.stmt] = []
    waiting: list[ast.AST] = [parsed(module)]
    while waiting:
        node = waiting.pop()
        for name in node._fields:
            inner = getattr(node, name)
            if isinstance(inner, list) and inner and isinstance(inner[0], BLOCKS):
                waiting += inner
        if isinstance(node, ast.stmt):
            found.append(node)
    return found


@cache
def nodes(module: Path) -> list[ast.AST]:
    """Return every node of a module."""
    return list(ast.walk(parsed(module)))


def write_modules(folder: Path, sources: Mapping[str, str]) -> None:
    """Write the modules of a small program, each with its path in the folder."""
    for path, source in sources.items():
        module = folder / path
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text(f"{source}\n")
