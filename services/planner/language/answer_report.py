"""An answer about data that becomes a report: "make that a report".

What users say is in ``templates/*/answer_report.toml``.
"""

from __future__ import annotations

import asyncio

from bandsmith.shared.actor import Store
from bandsmith.shared.events import ClassifyIntent
from bandsmith.shared.model.request import ReportRequest

from .change.clauses import without_politeness
from .sentence_templates import matches

SUBJECT = "answer_report"
RULES = frozenset({"makes_report"})
MAX_SENTENCE_CHARS = 160


async def read_answer_report(command: ClassifyIntent, store: Store) -> tuple[ReportRequest, bytes | None] | None:
    """Return the report of the rows that the turn before answered with, and the query that gave them as a binding file.

    None for any other sentence.
    """
    if command.answered_rows is None or len(command.text) > MAX_SENTENCE_CHARS:
        return None
    if not any(True for _ in matches(SUBJECT, "makes_report", without_politeness(command.text))):
        return None
    from .answer_spec import report_of_answer  # noqa: PLC0415 - slow to import, and needed by few turns

    rows = await store.get(command.answered_rows)
    schema = await store.get(command.answered_database) if command.answered_database else None
    return await asyncio.to_thread(report_of_answer, rows, schema, command)
