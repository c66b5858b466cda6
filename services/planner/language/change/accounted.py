"""What of a request rules did not read although a model accounts for it: reasons, and what its edits do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bandsmith.shared.language import letters_of


def without_quoted(clauses: Iterable[str], quotes: Sequence[str]) -> list[str]:
    """Return the clauses without those whose words stand in a model's quotations of the request.

    A quotation of more than the clause counts, and so do several that make it up together.
    """
    known = [letters_of(quote) for quote in quotes]
    return [clause for clause in clauses if not _is_quoted(letters_of(clause), known)]


def _is_quoted(clause: str, known: Sequence[str]) -> bool:
    if any(clause in quote for quote in known):
        return True
    for quote in sorted(filter(None, known), key=len, reverse=True):
        clause = clause.replace(quote, "")
    return not clause
