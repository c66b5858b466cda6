"""Requests that change a report. What users say is in ``templates/*/spec_change.toml``."""

from __future__ import annotations

from ..sentence_templates import phrase_at, phrases

SUBJECT = "spec_change"
RULES = frozenset({"change", "report", "no_report", "beside"})


def is_change(text: str) -> bool:
    """Whether a request asks for a change of an existing report, and names no report that it could describe."""
    return phrase_at(SUBJECT, "change", text) is not None and not _names_report(text)


def is_beside(text: str) -> bool:
    """Whether a request says that it is about another report than the one that is there."""
    return bool(phrases(SUBJECT, "beside", text))


def _names_report(text: str) -> bool:
    others = {phrase.start for phrase in phrases(SUBJECT, "no_report", text)}
    return any(phrase.start not in others for phrase in phrases(SUBJECT, "report", text))
