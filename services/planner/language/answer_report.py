"""A sentence that asks for a report of the answer before: "make that a report".

What users say is in ``templates/*/answer_report.toml``.
"""

from __future__ import annotations

from bandsmith.shared.events import ClassifyIntent

from .request_clauses import without_politeness
from .sentence_templates import matches

SUBJECT = "answer_report"
RULES = frozenset({"makes_report"})
MAX_SENTENCE_CHARS = 160


def asks_for_answer_as_report(command: ClassifyIntent) -> bool:
    """Whether a turn after an answer about data asks for its rows as a report, and for nothing else."""
    if command.answered_rows is None or len(command.text) > MAX_SENTENCE_CHARS:
        return False
    return any(True for _ in matches(SUBJECT, "makes_report", without_politeness(command.text)))
