"""Fields that a user has defined by their labels: which definition a label has."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.knowledge import FieldDefinition


def plain(text: str) -> str:
    """Return text in lower case with single spaces, without the colons that separate a label from its value."""
    return " ".join(text.lower().replace(":", " ").replace("：", " ").split())


def definition_of(label: str, definitions: Iterable[FieldDefinition]) -> FieldDefinition | None:
    """Return the definition of a label; an English plural has that of its singular."""
    wanted = plain(label)
    return next((one for one in definitions if wanted in (plain(one.label), f"{plain(one.label)}s")), None)
