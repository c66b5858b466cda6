"""A template that the report is to look like. What users say is in ``templates/*/spec_example.toml``."""

from __future__ import annotations

from ...sentence_templates import Slots
from .base import Builder, SpecClauses


def like(clauses: SpecClauses, slots: Slots) -> str:
    """`like this template`, `照这个模板的样子`."""
    clauses.like_example = True
    return " "


BUILDERS: tuple[Builder, ...] = (like,)
