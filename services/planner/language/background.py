"""Clauses of a request that only tell something: who said what, how people work, what happened.

Such a clause is passed over, and the reply quotes it. It has to tell of people or of a time, or go on with a clause
that does; and nothing in it may be a request: no word that asks, none for a look or a part of a report, no number, no
quotation, and no name of anything in the report. All else that no rule reads is named as unread.

What users say is in ``templates/*/background.toml``.
"""

from __future__ import annotations

import re

from bandsmith.shared.fonts import is_cjk

from .sentence_templates import matches, phrases
from .template_view import TemplateView

SUBJECT = "background"
RULES = frozenset({"told", "asks", "harmless"})
MIN_LABEL_CHARS = 2
_DIGIT_OR_QUOTATION = re.compile(r"[\d\ue000-\ue0ff]")
_COLONS = " :：*-"


def tells(clause: str, view: TemplateView, goes_on: bool) -> bool:
    """Whether a clause tells something and asks for nothing.

    `goes_on` says that the one before it did, in the same sentence. A Chinese clause then needs no subject; an English
    one without a subject is an order.
    """
    if _DIGIT_OR_QUOTATION.search(clause) or _may_ask(clause) or _names_something(clause, view):
        return False
    return (goes_on and any(map(is_cjk, clause))) or _is_told(clause)


def _is_told(clause: str) -> bool:
    if any(map(is_cjk, clause)):
        return bool(phrases(SUBJECT, "told", clause))
    return any(True for _ in matches(SUBJECT, "told", clause))


def _may_ask(clause: str) -> bool:
    """Whether a clause has a word that may ask for something, in a sense that is not harmless."""
    harmless = [(phrase.start, phrase.end) for phrase in phrases(SUBJECT, "harmless", clause)]
    return any(
        not any(start <= phrase.start and phrase.end <= end for start, end in harmless)
        for phrase in phrases(SUBJECT, "asks", clause)
    )


def _names_something(clause: str, view: TemplateView) -> bool:
    """Whether a clause has the words of a text or a column of the report."""
    words = clause.casefold()
    labels = {piece.words for piece in view.texts} | {column.label for column in view.columns}
    return any(_has(words, label.casefold().strip(_COLONS)) for label in labels)


def _has(words: str, label: str) -> bool:
    if len(label) < MIN_LABEL_CHARS:
        return False
    if label.isascii():
        return re.search(rf"(?<![a-z0-9]){re.escape(label)}(?:s|es)?(?![a-z0-9])", words) is not None
    return label in words
