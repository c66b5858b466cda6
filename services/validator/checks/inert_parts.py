"""Findings about what a user's template contains that is kept in the file, but not run or drawn here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from bandsmith.shared.language import LANGUAGES
from bandsmith.shared.replies import Text, listed
from bandsmith.shared.shortening import shortened
from bandsmith.shared.turns.verdict import Finding

from .base import Check, FindingCode, Stage

MAX_NAMES = 3
MAX_NAME_CHARS = 40


class Code(FindingCode):
    ELEMENT = "inert.element"
    EXPRESSION = "inert.expression"
    FAILED = "inert.failed"
    CLASS = "inert.class"
    CODE = "inert.code"
    LANGUAGE = "inert.language"
    DATA = "inert.data"
    PICTURE = "inert.picture"
    MARKUP = "inert.markup"
    PROPERTY = "inert.property"
    OTHER = "inert.other"


_ORDER = (
    Code.ELEMENT, Code.PICTURE, Code.EXPRESSION, Code.FAILED, Code.DATA, Code.CLASS, Code.CODE, Code.LANGUAGE,
    Code.MARKUP, Code.PROPERTY, Code.OTHER,
)  # fmt: skip
"""The order in which they are said."""


class InertPart(NamedTuple):
    """Something that was made inert."""

    code: Code
    name: str
    kind_of_node: str = ""
    """The tag of the node that has the class, where a class is meant."""


def findings(parts: Sequence[InertPart]) -> list[Finding]:
    """Return one warning for each kind of part."""
    found = []
    for code in _ORDER:
        names = Counter(part.name for part in parts if part.code == code)
        if names:
            found.append(Finding.of(code, severity="warning", count=names.total(), names=_listed(names)))
    return found


def _listed(names: Counter[str]) -> Text:
    shown = [shortened(" ".join(name.split()), MAX_NAME_CHARS) for name, _ in names.most_common(MAX_NAMES)]
    if len(names) > MAX_NAMES:
        return Text(", ".join([*shown, "…"]), "、".join([*shown, "…"]))
    return Text(*(listed(shown, language) for language in LANGUAGES))


CHECK: Check[None] = Check(Stage.GUARD, Code)
