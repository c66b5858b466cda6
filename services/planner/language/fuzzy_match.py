"""How well the words of a request fit the words of a report, out of 100."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rapidfuzz import fuzz

from bandsmith.shared.fields.vocabulary import COLUMN_TERMS

from .template_view import TableColumn


def similarity(words: str, text: str) -> float:
    """Return how alike two wordings are, blanks and marks aside."""
    return fuzz.ratio(normal(words), normal(text))


@lru_cache(maxsize=4096)
def normal(text: str) -> str:
    """Return a wording without case, marks, and blanks between Chinese characters."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("_", " ")
    text = re.sub(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])", "", text)
    return re.sub(r"[\s:;*.,、。_()\[\]“”\"'《》]+", " ", text).strip()


def _singular(text: str) -> str:
    text = re.sub(r"ies\b", "y", text)
    return re.sub(r"(?<=[a-z]{3})(?<!s)s\b", "", text)


def term_of(text: str) -> str:
    """Return the business term that a wording stands for, or an empty string."""
    wording = normal(text)
    return COLUMN_TERMS.get(wording) or COLUMN_TERMS.get(_singular(wording), "")


def fit(said: str, there: str) -> float:
    """Return how well the words of a request fit those of a report; both are normalised."""
    if not said or not there:
        return 0.0
    if said == there or _singular(said) == _singular(there):
        return 100.0
    shorter, longer = sorted((said, there), key=len)
    if len(shorter) >= 2 and re.search(rf"(?<![a-z0-9]){re.escape(shorter)}(?![a-z0-9])", longer):
        share = len(shorter) / len(longer)
        if share >= (0.5 if said == shorter else 0.6):
            return 88.0 + 4 * share
    if len(said) >= 5 and len(there) >= 5:
        return fuzz.ratio(said, there) * 0.98
    return 0.0


def column_fit(words: str, column: TableColumn) -> float:
    """Return how well words fit a column, by its label, its field or its business term."""
    said, label, name = normal(words), normal(column.label), column.field.replace("_", " ").casefold()
    term = term_of(words)
    fits = [fit(said, label), 99.0 if said == name or _singular(said) == name else 0.0]
    if term and term in (column.field, term_of(column.label)):
        fits.append(95.0)
    last = name.split(" ")[-1]
    if last != name and last in (_singular(said), term):
        fits.append(90.0)
    return max(fits)
