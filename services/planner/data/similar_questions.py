"""Verified questions that resemble a question: their queries show a model how this source is asked."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.model.source import SourceSchema

from .recall import STOP, tables_in, words_of
from .verified import VerifiedQuestion

VERIFIED = "Verified: "
"""How their lines begin."""
MAX_SHOWN = 3
MIN_SHARED = 0.5
"""Share of the question's words that a verified question has to have."""


def similar_questions(question: str, known: Sequence[VerifiedQuestion], schema: SourceSchema) -> list[str]:
    """Return the verified questions that share most words, with their queries, as lines for a model.

    Queries of tables that are limited, or have sensitive columns, may contain values that a model must not see.
    """
    asked = set(words_of(question)) - STOP
    scored = [(len(asked & set(words_of(one.question))) / max(1, len(asked)), one) for one in known]
    best = sorted((found for found in scored if found[0] >= MIN_SHARED), key=lambda found: -found[0])
    open_ones = [one for _, one in best if _is_open(one, schema)][:MAX_SHOWN]
    return [f"{VERIFIED}{one.question} {' '.join(one.query.split())}" for one in open_ones]


def _is_open(known: VerifiedQuestion, schema: SourceSchema) -> bool:
    tables = [schema.table(name) for name in tables_in(known.query, schema.dialect)]
    return all(
        not table.is_limited and not any(column.is_sensitive or column.is_masked for column in table.columns)
        for table in tables
        if table is not None
    )
