"""Answer a question about the user's own report from its template, its data and its verdict, without a model.

What users ask is in files of ``language/templates``; each of their rules has a function here, which returns the
answer or None where the words name nothing in the report: ``own_report.toml`` has questions about the report as such,
``row_questions.toml`` those about its rows, ``printed_questions.toml`` what any question may look like that asks for a
value. The last one is read only where the sentence is known to be a question.
"""

from __future__ import annotations

from collections.abc import Callable

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import ClassifyIntent

from ..language.questions import SUBJECT, contracted, questions_in
from ..language.request_clauses import without_politeness
from ..language.sentence_templates import Slots, matches
from . import (
    printed_dates,
    printed_questions,
    row_checks,
    row_existence,
    row_pairs,
    row_questions,
    row_ranks,
    row_values,
)
from .appearance import fonts, looks, where, width
from .contents import columns, contents, extreme, fields, more_rows, order, pages, paper, passed, rows, totals, varies
from .history import all_changes, last_change
from .origins import computed, correct
from .report import OwnReport, load
from .row_values import unknown_row
from .told_before import answer_behind

__all__ = ["PHRASES", "RULES", "OwnReport", "answer", "is_answered", "load", "unknown"]

Rule = Callable[[OwnReport, Slots], str | None]

RULES: dict[str, tuple[Rule, ...]] = {
    SUBJECT: (
        fonts, width, contents, columns, fields, totals, order, paper, more_rows, pages, rows, extreme,
        all_changes, last_change, correct, computed, varies, passed, looks,
    ),
    row_questions.SUBJECT: (
        *row_pairs.RULES, *row_ranks.RULES, *printed_dates.RULES[:2], *row_questions.RULES, *row_values.RULES,
        *row_checks.RULES,
    ),
    printed_questions.SUBJECT: (
        row_ranks.average_per, row_questions.aggregate, row_pairs.in_price, where, *printed_questions.RULES[:-3],
        *row_existence.RULES, printed_dates.done_by, *printed_questions.RULES[-3:],
    ),
}  # fmt: skip
"""The rules of each file, in the order in which they are tried."""
PHRASES = {printed_questions.SUBJECT: printed_questions.PHRASES}
"""Sentences of the files that are words on a page."""


def answer(report: OwnReport, question: str) -> str | None:
    """Return the answer to a question about the report; None where it asks something else."""
    answers = [_answer(report, sentence) for sentence in questions_in(question)]
    if None not in answers:
        return "\n".join(dict.fromkeys(filter(None, answers))) or None
    whole = without_politeness(question) if len(answers) > 1 else ""
    found = _answer(report, whole) if whole else None
    return found or answer_behind(report, question, lambda asked: _answer(report, contracted(asked)))


async def is_answered(command: ClassifyIntent, store: Store) -> bool:
    """Whether a message asks what the open report answers, so that no model has to say what is wanted."""
    try:
        report = await load(store, command)
    except BadInput:
        return False
    return report is not None and answer(report, command.text) is not None


def _answer(report: OwnReport, sentence: str) -> str | None:
    for subject, rules in RULES.items():
        for rule in rules:
            for slots in matches(subject, rule.__name__, sentence):
                found = rule(report, slots)
                if found is not None and not slots.left_over:
                    return found
    return None


def unknown(report: OwnReport, question: str) -> str | None:
    """Return which words of a question name no row of the report, where all others were read."""
    return next((found for one in questions_in(question) if (found := unknown_row(report, one))), None)
