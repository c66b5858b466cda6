"""What expressions may name: classes, their constructors and methods."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from ..engine.lockdown import CLASSES

IMPORTED = ("java.lang.", "java.util.", "java.math.", "java.text.", "java.io.", "net.sf.jasperreports.engine.")
"""Packages that the engine imports, so that expressions may use the simple names of their classes."""
_INTERFACES_OF_THE_ENGINE = ("net.sf.jasperreports.engine.JRDataSource",)


class Members(NamedTuple):
    """What may be called on a class."""

    created: bool = False
    static: frozenset[str] = frozenset()


def _load() -> tuple[dict[str, Members], frozenset[str]]:
    """Return the members of each allowed class by its name in Java, and the methods that may be called on a value."""
    table = tomllib.loads(Path(__file__).with_name("members.toml").read_text())
    classes = {
        name.replace("$", "."): Members(
            bool(table.get(name, {}).get("new")), frozenset(table.get(name, {}).get("static", "").split())
        )
        for name in CLASSES
    }
    methods = frozenset(method for entry in table.values() for method in entry.get("methods", "").split())
    return classes, methods


_CLASSES, METHODS = _load()
"""Methods of any allowed class that may be called on a value. The compiler knows of which class the value is."""


def members_of(name: str) -> Members | None:
    """Return the members of a class by its simple or full name; None for a class that may not be named."""
    return next((_CLASSES[full] for full in (name, *(prefix + name for prefix in IMPORTED)) if full in _CLASSES), None)


def is_type(name: str) -> bool:
    """Whether a value may be cast to this class, or compared with it."""
    return (
        members_of(name) is not None
        or name in _INTERFACES_OF_THE_ENGINE
        or f"{IMPORTED[-1]}{name}" in (_INTERFACES_OF_THE_ENGINE)
    )
