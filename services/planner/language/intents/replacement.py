"""Whether a sentence says that a new report is to take the place of the current one.

``templates/*/replacement.toml`` says how.
"""

from __future__ import annotations

from ..sentence_templates import phrase_at, phrases
from .normal_form import normalized

SUBJECT = "replacement"
RULES = frozenset({"replaces", "lead"})
_MARKS = " ,，:：。"


def without_replacement(text: str) -> str:
    """Return a sentence without the words that only say that the new report takes the place of the current one."""
    text = text.strip()
    lead = phrase_at(SUBJECT, "lead", text)
    return (text[lead.end :].lstrip(_MARKS) if lead else "") or text


def names_replacement(text: str) -> bool:
    """Return whether the user asks for a new report in the place of the one there is, in words that mean nothing else.

    A sentence that only describes a new report does not: ``a new report with customer and amount``.
    """
    return bool(phrases(SUBJECT, "replaces", normalized(text).plain))
