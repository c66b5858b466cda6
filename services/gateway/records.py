"""The records of past turns, from which clients show the conversation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bandsmith.shared.events import TurnFailed, TurnFinished
from bandsmith.shared.model.session_parts import TurnRecord

from .reply.report import EXPORTS
from .state import Turn

MAX_RECORDS = 50
MAX_TEXT_CHARS = 2000
"""Longer requests and replies are cut."""
RESULTS = EXPORTS | {"fill_report", "ask_data"}
"""Intents of turns whose files are what was asked for; those of other turns belong to a version."""


def recorded(
    records: Sequence[TurnRecord], turn: Turn, end: TurnFinished | TurnFailed, reply: str, now: datetime
) -> list[TurnRecord]:
    """Return the records with that of a turn that is over."""
    record = TurnRecord(
        turn=turn.id,
        text=(turn.said or turn.text)[:MAX_TEXT_CHARS],
        files=[] if turn.said else [document.name for document in turn.attachments],
        reply=reply[:MAX_TEXT_CHARS],
        time=now,
    )
    match end:
        case TurnFinished():
            results = end.files if end.intent in RESULTS else {}
            news = {"notes": end.notes, "version": end.version, "query": turn.query, "results": results}
            record = record.model_copy(update=news)
        case TurnFailed():
            record = record.model_copy(update={"failed": end.code})
    return [*records, record][-MAX_RECORDS:]
