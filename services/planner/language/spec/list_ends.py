"""Read where a list of names ends: the words behind it say where on the page it stands, or what each row is about."""

from __future__ import annotations

from collections.abc import Sequence

from ..sentence_templates import Phrase, phrases
from .brackets import VALUE_IN_BRACKETS
from .labels import split
from .sections import SUBJECT, TAILS, Section

COMMANDS = frozenset({"totals", "averages", "sort", "group"})
"""Sections that ask for something to be done with the columns that they name."""


def list_end(words: str, section: Section | None, is_form: bool) -> tuple[Section | None, str, str | None]:
    """Return the section of a list by its end, the list without that end, and a value in brackets after it.

    `section` is the one that a lead opened, which stays where the end names none.
    """
    brackets = VALUE_IN_BRACKETS.search(words)
    for text, value in [(words, None), *([(words[: brackets.start()], brackets[1])] if brackets else [])]:
        tails = [(tail, named) for rule, named in TAILS.items() if (tail := phrase_at_end(rule, text))]
        for tail, named in sorted(tails, key=lambda found: found[0].start):  # “summed up below” ends in “below”
            if not (named == "signatures" and _is_a_name(text, text[: tail.start], section, is_form)):
                is_kept = (section in COMMANDS and named != "signatures") or section == "signatures"
                return section if is_kept else named, text[: tail.start].strip(" ,"), value
    return section, words, None


def phrase_at_end(rule: str, words: str) -> Phrase | None:
    """Return the phrase of a rule with which a list ends; None where nothing stands before it."""
    return next((p for p in phrases(SUBJECT, rule, words) if p.end == len(words) and p.start > 0), None)


def without_each_row(words: str, columns: Sequence[str]) -> str:
    """Return words without "for each employee", where a column says that the rows are employees."""
    row = phrase_at_end("each_row", words)
    is_row = row is not None and any(label.casefold().startswith(row.slots["noun"].casefold()) for label in columns)
    return words[: row.start].strip() if row and is_row else words


def _is_a_name(words: str, before: str, section: Section | None, is_form: bool) -> bool:
    """Whether a word for signatures is one of several names: 姓名、电话、签名, or 事由、家长签字 of a form."""
    if section not in (None, "columns"):
        return False
    return (is_form and len(split(words)) > 1) or before.rstrip().endswith(("、", ",", "和", "及", "与"))
