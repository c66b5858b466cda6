"""Leads and tails: the words before and after a list of names that say where it belongs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import get_args

from ..sentence_templates import Phrase, matches, phrase_at, phrases
from .item import Side
from .labels import SUBJECT as LABELS
from .labels import cleaned, is_label, split
from .sections import SUBJECT, TAILS, Section
from .summary_lines import stands_below

MIN_TABLE_LABELS = 3
"""Names that make a table of what stands "below" described lines."""
_SIDES = re.compile(r"\bleft\b|\bright\b|左|右")


def side_in(words: str) -> Side:
    """Return the half of the page that a lead or a tail names."""
    found = set(_SIDES.findall(words.casefold()))
    if len(found) != 1:
        return "auto"
    return "left" if found <= {"left", "左"} else "right"


def without_side(label: str) -> tuple[str, Side]:
    """Return the name of a signatory without the side of the page, and that side."""
    start = phrase_at(SUBJECT, "side_start", label)
    end = next((p for p in phrases(SUBJECT, "side_end", label) if p.end == len(label) and p.start > 0), None)
    if start and start.end < len(label):
        return label[start.end :], side_in(label[: start.end])
    return (label[: end.start].strip(), side_in(label[end.start :])) if end else (label, "auto")


def lead_at(words: str, at: int) -> tuple[Section | None, int, bool] | None:
    """Return the section that words open, where the lead ends, and whether it names the table itself."""
    best: tuple[Section | None, Phrase] | None = None
    for section in (*get_args(Section), None):
        phrase = phrase_at(SUBJECT, section or "on", words, at)
        if phrase and phrase.end > at and (best is None or phrase.end > best[1].end):
            best = section, phrase
    if best is None:
        return None
    table = phrase_at(SUBJECT, "table_lead", words, at)
    return best[0], best[1].end, table is not None


def inner_leads(words: str) -> Iterator[tuple[int, Section]]:
    """Yield where sections begin inside a clause."""
    sections: tuple[Section, ...] = ("columns", "header")
    yield from sorted((phrase.start, section) for section in sections for phrase in phrases(SUBJECT, section, words))


def wanted_names(words: str, rule: str = "wants_list") -> list[str]:
    """Return the names behind a word such as 要 or 表格, which opens a list where several names and no more follow."""
    lead = None if phrase_at(LABELS, "noun", words) else phrase_at(SUBJECT, rule, words)
    names = split(words[lead.end :]) if lead else []
    return names if len(names) >= MIN_TABLE_LABELS and all(is_label(cleaned(name)) for name in names) else []


def opens_columns(words: str) -> bool:
    return phrase_at(SUBJECT, "columns", words) is not None


def opens_table_below(lead: str, words: str, following: Sequence[str]) -> bool:
    """Whether what stands "below" the described lines is a table: several names that are no lines of its foot.

    `words` follow the lead in its clause, and `following` are the clauses after that.
    """
    rest = takewhile(lambda clause: is_label(cleaned(clause)) and lead_at(clause, 0) is None, following)
    labels = [cleaned(part) for part in [*split(words), *rest] if part.strip()]
    is_list = len(labels) >= MIN_TABLE_LABELS and not all(map(stands_below, labels))
    return is_list and any(True for _ in matches(SUBJECT, "below_lines", lead.strip(" ,:")))


def at_inner_tails(words: str) -> list[str]:
    """Split a clause behind a tail that a lead follows: "address and date on top and below a table with"."""
    for rule in TAILS:
        for phrase in phrases(SUBJECT, rule, words):
            rest = words[phrase.end :].strip()
            if phrase.start > 0 and rest and lead_at(rest, 0):
                return [words[: phrase.end], *at_inner_tails(rest)]
    return [words]
