"""Title, footer, page numbers and language. What users say is in ``templates/*/spec_wording.toml``."""

from __future__ import annotations

from ...sentence_templates import Slots
from .base import Builder, SpecClauses


def footer(clauses: SpecClauses, slots: Slots) -> str:
    clauses.footer = clauses.footer or slots["text"] or slots["quoted"]
    return " "


def title(clauses: SpecClauses, slots: Slots) -> str:
    clauses.title = clauses.title or slots["text"] or slots["quoted"]
    return " "


def no_page_numbers(clauses: SpecClauses, slots: Slots) -> str:
    clauses.page_numbers = False
    return " "


def page_numbers(clauses: SpecClauses, slots: Slots) -> str:
    """Page numbers are usual: nothing is to be noted."""
    return " "


def in_english(clauses: SpecClauses, slots: Slots) -> str:
    clauses.language = "en"
    return " "


def in_chinese(clauses: SpecClauses, slots: Slots) -> str:
    clauses.language = "zh"
    return " "


BUILDERS: tuple[Builder, ...] = (footer, title, no_page_numbers, page_numbers, in_english, in_chinese)
