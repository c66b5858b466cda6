"""Requests that rules did not read or cannot carry out, and what the user may say or do instead."""

from __future__ import annotations

import re

from bandsmith.shared.replies import Text

from ..quotations import quotation_pattern
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
_NO_REQUEST = re.compile(rf"{quotation_pattern(1, 200)}|\b[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*[-/]\d[A-Za-z0-9/-]*")
"""What is quoted, and codes: “JN-QR-027” asks for no QR code."""


def suggestion(clause: str) -> Text | None:
    """Return what to tell the user about a clause that asks for something unsupported."""
    words = _NO_REQUEST.sub(" ", clause)
    return next((Text.of(code) for rule, code in CODES.items() if phrases(SUBJECT, rule, words)), None)
