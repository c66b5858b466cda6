"""Titles: what a request calls the report. What users say is in ``templates/*/spec_title.toml``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.language import Language

from ..sentence_templates import matches, phrase_at, phrases
from .catalogue import names_standard
from .labels import is_label

SUBJECT = "spec_title"
RULES = frozenset(
    {
        "request",
        "name",
        "plain",
        "purpose",
        "named_purpose",
        "no_name",
        "no_request",
        "of_purpose",
        "asks",
        "about",
        "form",
        "blank_form",
        "payment",
        "question",
        "greeting",
        "reason",
        "something_for",
        "introduction",
        "wants",
        "demand",
        "teller",
        "joint",
        "asks_within",
        "counted",
        "about_report",
        "orders",
    }
)
MAX_NAME_WORDS, MAX_NAME_CHARACTERS = 8, 16
_UNCAPITALIZED = frozenset({"and", "of", "the", "for", "by", "per", "with", "in", "on", "to", "a", "an"})
"""Words that a title writes small, except at its beginning."""


def name_in(words: str, has_more: bool) -> str | None:
    """Return what the words call the report: empty where only "a report", None where they name none.

    With `has_more`, a colon or a list follows the words.
    """
    request, asked_for = without_request(words)
    rest = without_purpose(asked_for)
    if not rest or any(matches(SUBJECT, "plain", rest)):
        if any(matches(SUBJECT, "named_purpose", asked_for)):
            return titled(asked_for)
        return "" if request or rest else None
    is_name = any(True for _ in matches(SUBJECT, "name", rest)) or names_standard(rest)
    if not _is_short(rest) or "、" in rest or phrases(SUBJECT, "no_name", rest):
        return None
    asked = words[: len(words) - len(rest)] if request else ""
    if is_name or ((has_more or phrases(SUBJECT, "asks", asked)) and is_label(rest)):
        about = phrases(SUBJECT, "about", asked) and not any(True for _ in matches(SUBJECT, "name", rest))
        return f"{titled(rest)} Report" if about else titled(rest)
    return None


def is_request(words: str) -> bool:
    """Whether words begin by asking for a report."""
    return without_request(words)[0]


def is_demand(words: str) -> bool:
    """Whether words begin by saying that a report is wanted: "I need a proper list", 帮我做个表."""
    return phrase_at(SUBJECT, "demand", words) is not None


def request_end(words: str) -> int:
    """Return where the first words end that ask for a report, such as "we run a kennel and need"."""
    phrase = phrase_at(SUBJECT, "request", words)
    return phrase.end if phrase else 0


def is_question(words: str) -> bool:
    """Whether words ask for an answer: they begin or end as a question does, and request nothing."""
    words = words.strip(" .。!！?？")
    asks = any(phrase.start == 0 or phrase.end == len(words) for phrase in phrases(SUBJECT, "question", words))
    return asks and not is_request(words)


def names_report(words: str) -> bool:
    """Whether words are what a report is called, such as 入库单, and no company's name."""
    return any(True for _ in matches(SUBJECT, "name", words)) or names_standard(words, whole=True)


def is_form(name: str | None) -> bool:
    """Whether a name is that of a paper for one case, which has lines and no table."""
    return bool(name) and any(True for _ in matches(SUBJECT, "form", name or ""))


def is_blank_form(name: str | None) -> bool:
    """Whether a name is that of a form to be filled in by hand."""
    return bool(name) and any(True for _ in matches(SUBJECT, "blank_form", name or ""))


def without_purpose(words: str) -> str:
    """Return words without its audience: "for our bakery", 小饭馆用的."""
    for phrase in phrases(SUBJECT, "purpose", words):
        if phrase.end == len(words) and phrase.start > 0:
            return words[: phrase.start].strip()
    lead = phrase_at(SUBJECT, "of_purpose", words)
    return words[lead.end :].strip() if lead and lead.end < len(words) else words


def without_request(words: str) -> tuple[bool, str]:
    """Return whether words begin with a request, and what follows it."""
    start = 0
    while (phrase := phrase_at(SUBJECT, "request", words, start)) is not None and phrase.end > start:
        if (begun := _noun_begun_in(words, start, phrase.end)) is not None:
            return begun > 0, words[begun:].strip()  # 要货单 is no request for a 货单
        rest = words[phrase.end :].strip(" ,")
        if phrase.end != len(words) and names_standard(words[start:], whole=True):
            break  # 出库单 is no request for a 库单, and a "to do list" none to do a list
        start = len(words) - len(rest)
    return start > 0, words[start:].strip()


def _noun_begun_in(words: str, start: int, end: int) -> int | None:
    """Return where a noun begins with a word of a request and goes on behind it, as 要货 does; None where none does."""
    nouns = ((at, phrase_at(SUBJECT, "no_request", words, at)) for at in range(start, end))
    return next((at for at, noun in nouns if noun is not None and noun.end > end), None)


def _is_short(text: str) -> bool:
    return len(text.split()) <= MAX_NAME_WORDS and sum(is_cjk(char) for char in text) <= MAX_NAME_CHARACTERS


def titled(text: str) -> str:
    if any(is_cjk(char) for char in text):
        return text
    return " ".join(
        word if n and word.casefold() in _UNCAPITALIZED else word[:1].upper() + word[1:]
        for n, word in enumerate(re.split(r"\s+", text))
    )


def described_title(labels: Sequence[str], groups: Sequence[str], language: Language) -> str:
    """Return the title of a report that the request does not name: its amount and groups, or its few columns."""
    amounts = [label for label in labels if meaning(label).kind == "money" and meaning(label).adds_up]
    if language == "zh":
        if groups:
            return f"{'、'.join(groups)}汇总表"
        return f"{'、'.join(labels)}一览表" if 1 <= len(labels) <= 3 else "报表"
    if groups:
        return f"{amounts[0] if len(amounts) == 1 else 'Report'} by {' and '.join(groups)}"
    return f"{', '.join(labels[:-1])} and {labels[-1]}" if 2 <= len(labels) <= 3 else "Report"
