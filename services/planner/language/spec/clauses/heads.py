"""The fields above the table. What users say is in ``templates/*/spec_heads.toml``."""

from __future__ import annotations

from ...sentence_templates import Slots
from ..labels import listed
from .base import Builder, SpecClauses


def header_fields(clauses: SpecClauses, slots: Slots) -> str | None:
    labels = listed(slots["labels"] or slots["rest"])
    clauses.header += labels
    return "; " if labels else None


BUILDERS: tuple[Builder, ...] = (header_fields,)
