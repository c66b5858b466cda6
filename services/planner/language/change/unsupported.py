"""Requests that rules did not read or cannot carry out, and what the user may say or do instead."""

from __future__ import annotations

from bandsmith.shared.replies import Text

from ..sentence_templates import phrases

SUBJECT = "unsupported"
CODES = {
    "charts": "language.unsupported.charts",
    "crosstabs": "language.unsupported.crosstabs",
    "barcodes": "language.unsupported.barcodes",
    "pictures": "language.unsupported.pictures",
    "delivery": "language.unsupported.delivery",
    "row_filters": "language.unsupported.row_filters",
    "translation": "language.unsupported.translation",
    "vague_style": "language.unsupported.vague_style",
}
"""The suggestion for each rule of ``unsupported.toml``, in the order in which they are tried."""
RULES = frozenset(CODES)


def suggestion(clause: str) -> Text | None:
    """Return what to tell the user about a clause that asks for something unsupported."""
    return next((Text.of(code) for rule, code in CODES.items() if phrases(SUBJECT, rule, clause)), None)
