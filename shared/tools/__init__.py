"""Tools: what a task may do, one module each, in a folder for each domain.

A module is called like its tool: ``schedule/find_free.py`` holds ``FindFree``. The registry is built from the folders,
so a new module is a new tool.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from . import data, reports, schedule, taskclass
from .base import Tool
from .errand import ErrandTool

DOMAINS = {"schedule": schedule, "taskclass": taskclass, "reports": reports, "data": data}


def _of_all_modules() -> Iterator[type]:
    """Yield the classes of all modules of all domains."""
    for package in DOMAINS.values():
        for info in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{info.name}")
            for value in vars(module).values():
                if isinstance(value, type) and value.__module__ == module.__name__:
                    yield value


TOOLS: dict[str, type[Tool]] = {tool.name: tool for tool in _of_all_modules() if issubclass(tool, Tool)}
"""Every tool of a calendar, by its name."""
ERRANDS: dict[str, type[ErrandTool]] = {tool.name: tool for tool in _of_all_modules() if issubclass(tool, ErrandTool)}
"""Every tool of reports, data and runs."""
ALL_TOOLS: dict[str, type[Tool] | type[ErrandTool]] = {**TOOLS, **ERRANDS}

__all__ = ["ALL_TOOLS", "ERRANDS", "TOOLS", "ErrandTool", "Tool"]
