"""What a check is: its codes, the stage at which it runs, and the function that runs it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, Generic, NamedTuple, TypeVar

from bandsmith.shared.jrxml.dom import content_of
from bandsmith.shared.jrxml.template import Template, TemplateElement
from bandsmith.shared.replies import Text
from bandsmith.shared.shortening import shortened
from bandsmith.shared.turns.verdict import Finding

Subject = TypeVar("Subject")


MAX_QUOTED_CHARS = 40
"""Characters of an element's content that a message quotes."""
_NUMBERED = re.compile(r"\w+(?:\([^)]*\))?(?:\[\d+\])?\.\d+")
"""The name of an element without a key of its own: its band and its number there."""


class FindingCode(StrEnum):
    """Base of the codes that one check reports. A code is stable and dotted; programs and prompts see it."""


class Stage(IntEnum):
    """When a check runs. A stage runs only if the earlier stages leave something to check."""

    PARSE = 1
    """Turns bytes into a template."""
    GUARD = 2
    """Keeps templates from the engine that must not reach it. Imports, drafts and exports pass it too."""
    STRUCTURE = 3
    SCHEMA = 4
    ENGINE = 5
    """Compiles, fills and draws the report."""
    PRINTOUT = 6
    """Checks the filled report."""
    LIKENESS = 7
    """Compares page 1 with the form."""
    CHANGE = 8
    """Compares page 1 with that of the report before a change."""


@dataclass(frozen=True)
class Check(Generic[Subject]):
    """One check. Each module of this package, except this one, defines one as ``CHECK``."""

    stage: Stage
    codes: type[FindingCode]
    run: Callable[[Subject], list[Finding]] | None = None
    """None for a check that also produces what later stages check. ``validate`` calls such a check by name."""
    blocking: frozenset[FindingCode] = frozenset()
    """Codes after which the engine would only repeat what is known, or draw a page of any size."""


class Unsafe(NamedTuple):
    """A part of a template that must not reach the engine."""

    node: Any
    attribute: str | None
    """The attribute that is meant; None for the whole node."""
    finding: Finding


def key_of(template: Template, node: object) -> str | None:
    """The key of the element that a node lies in."""
    element = template.element_of(node)
    return element.key if element else None


def element_name(element: TemplateElement) -> str | Text:
    """What a message calls an element: its key; where it has none of its own, its content, or its kind and band."""
    if element.key and not _NUMBERED.fullmatch(element.key):
        return element.key
    if content := " ".join(content_of(element.node).split()):
        return f"“{shortened(content, MAX_QUOTED_CHARS)}”"
    return Text.of("validator.unnamed_element", kind=element.kind, band=element.band.name)
