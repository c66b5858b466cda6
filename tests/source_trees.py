"""The program's source as syntax trees: each module is parsed and walked once for all tests that read it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("bandsmith", "shared", "services")
SOURCES = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]


@cache
def parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


@cache
def nodes(module: Path) -> list[ast.AST]:
    """Return every node of a module."""
    return list(ast.walk(parsed(module)))
