"""The paper's size and orientation. What users say is in ``templates/*/spec_page.toml``."""

from __future__ import annotations

from typing import Literal

from ...sentence_templates import Slots
from .base import Builder, SpecClauses


def size(clauses: SpecClauses, slots: Slots) -> str:
    clauses.paper = clauses.paper.model_copy(update={"size": slots["size"] or slots["us_size"]})
    return " "


def landscape(clauses: SpecClauses, slots: Slots) -> str:
    return _turned(clauses, "landscape")


def portrait(clauses: SpecClauses, slots: Slots) -> str:
    return _turned(clauses, "portrait")


def _turned(clauses: SpecClauses, orientation: Literal["landscape", "portrait"]) -> str:
    clauses.paper = clauses.paper.model_copy(update={"orientation": orientation})
    return " "


BUILDERS: tuple[Builder, ...] = (size, landscape, portrait)
