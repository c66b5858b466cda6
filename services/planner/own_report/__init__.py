"""Answer a question about the user's own report from its template, its data and its verdict, without a model.

What users ask is in ``language/templates/*/own_report.toml``; each of its rules has a function here, which returns the
answer or None where the words name nothing in the report.
"""

from __future__ import annotations

from collections.abc import Callable

from ..language.questions import SUBJECT, questions_in
from ..language.sentence_templates import Slots, matches
from .appearance import fonts, looks, width
from .contents import columns, contents, extreme, fields, more_rows, order, pages, paper, passed, rows, totals, varies
from .history import all_changes, last_change
from .origins import computed, correct
from .report import OwnReport, load

__all__ = ["RULES", "OwnReport", "answer", "load"]

RULES: tuple[Callable[[OwnReport, Slots], str | None], ...] = (
    fonts, width, contents, columns, fields, totals, order, paper, more_rows, pages, rows, extreme, all_changes,
    last_change, correct, computed, varies, passed, looks,
)  # fmt: skip


def answer(report: OwnReport, question: str) -> str | None:
    """Return the answer to a question about the report; None where it asks something else."""
    answers: list[str] = []
    for sentence in questions_in(question):
        found = _answer(report, sentence)
        if found is None:
            return None
        answers += [found] if found not in answers else []
    return "\n".join(answers) or None


def _answer(report: OwnReport, sentence: str) -> str | None:
    for rule in RULES:
        for slots in matches(SUBJECT, rule.__name__, sentence):
            found = rule(report, slots)
            if found is not None and not slots.left_over:
                return found
    return None
