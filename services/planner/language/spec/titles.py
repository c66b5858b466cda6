"""Titles: what a request calls the report. What users say is in ``templates/*/spec_title.toml``."""

from __future__ import annotations

import re

from bandsmith.shared.language import Language

from ..sentence_templates import matches, phrase_at, skip

SUBJECT = "spec_title"
RULES = frozenset({"lead", "about", "name", "plain", "joining", "name_start", "paper", "contents", "groups"})
_UNCAPITALIZED = frozenset({"and", "of", "the", "for", "by", "per", "with", "in", "on", "to", "a", "an"})
"""Words that a title writes small, except at its beginning."""


def report_name(text: str, language: Language) -> str | None:
    """Return the words that name the report, as a title; None where it is only called a report."""
    return _chinese(text) if language == "zh" else _english(text)


def _english(text: str) -> str | None:
    for sentence in re.split(r"[.\n;!?]", text):
        request = skip(SUBJECT, "lead", sentence.strip(), "en")
        if about := phrase_at(SUBJECT, "about", request, language="en"):
            return _title_case(f"{about.slots['about']} report")
        if (name := phrase_at(SUBJECT, "name", request, language="en")) and _is_name(words := request[: name.end]):
            return _title_case(words)
    return None


def _chinese(text: str) -> str | None:
    for clause in re.split(r"[,。:;\n!?]", text):
        request = skip(SUBJECT, "paper", skip(SUBJECT, "lead", clause.strip(), "zh", until="name_start"), "zh")
        for rule in ("contents", "groups"):
            if leading := phrase_at(SUBJECT, rule, request, language="zh"):
                request = request[leading.end :]
        if (name := phrase_at(SUBJECT, "name", request, language="zh")) and _is_name(words := request[: name.end]):
            return words
    return None


def _is_name(words: str) -> bool:
    """Whether words say more than that it is a report, and do not go on with a sentence."""
    joining = any(True for word in words.split() for _ in matches(SUBJECT, "joining", word))
    return not joining and not any(matches(SUBJECT, "plain", words))


def _title_case(text: str) -> str:
    return " ".join(
        word if n and word.casefold() in _UNCAPITALIZED else word[:1].upper() + word[1:]
        for n, word in enumerate(text.split())
    )
