"""Tools: what a task may do, one module each, in a folder for each domain.

A module is called like its tool: ``schedule/find_free.py`` holds ``FindFree``. The registry is built from the folders,
so a new module is a new tool.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from . import schedule
from .base import Tool

DOMAINS = {"schedule": schedule}


def _tools() -> Iterator[type[Tool]]:
    """Yield the tools of all modules of all domains."""
    for package in DOMAINS.values():
        for info in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{info.name}")
            for value in vars(module).values():
                if isinstance(value, type) and issubclass(value, Tool) and value.__module__ == module.__name__:
                    yield value


TOOLS: dict[str, type[Tool]] = {tool.name: tool for tool in _tools()}
"""Every tool by its name."""

__all__ = ["TOOLS", "Tool"]
