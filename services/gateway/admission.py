"""Admission: turns that cannot begin are refused with a sentence that says what to do."""

from __future__ import annotations

from collections import Counter

from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import StartTurn
from bandsmith.shared.events.turn import MAX_NAME_CHARS, MAX_TEXT_CHARS
from bandsmith.shared.message_refusals import empty_message, invalid_name, long_message
from bandsmith.shared.model.document import DATA, MAX_DOCUMENT_BYTES, MEDIA, TABLES, TEMPLATES, TEXTS

from .state import SessionState

MAX_ATTACHMENTS = 8
MAX_WAITING_TURNS = 8
"""How many turns of a session may wait for the one under way."""


def refusal(session: SessionState, start: StartTurn) -> BadInput | None:
    """Return why this turn cannot begin, or None."""
    kinds = Counter(document.kind for document in start.attachments)
    if not (start.text.strip() or start.attachments or _needs_no_words(start)):
        return empty_message()
    if start.edits and start.attachments:
        return BadInput.of("turn.refused.edits")
    if start.action and (start.attachments or start.edits):
        return BadInput.of("turn.refused.action")
    if (start.asking or start.planning) and start.attachments:
        return BadInput.of("turn.refused.no_file")
    if len(start.text) > MAX_TEXT_CHARS:
        return long_message()
    if len(start.name) > MAX_NAME_CHARS:
        return invalid_name()
    if kinds[None] or any(document.content.size > MAX_DOCUMENT_BYTES for document in start.attachments):
        suffixes = ", ".join(suffix[1:] for suffix in (*MEDIA, *TEMPLATES, *TEXTS, *DATA))
        return BadInput.of("turn.refused.suffix", suffixes=suffixes, limit=MAX_DOCUMENT_BYTES // 1024 // 1024)
    tables = sum(document.is_table for document in start.attachments)
    is_of_source = start.filling is not None and start.filling.source is not None
    if start.filling is not None and tables != (0 if is_of_source else 1):
        return BadInput.of("turn.refused.table", suffixes=", ".join(suffix[1:] for suffix in TABLES))
    if kinds["page"] > 1 or kinds["template"] > 1 or len(start.attachments) > MAX_ATTACHMENTS:
        return BadInput.of("turn.refused.attachments", limit=MAX_ATTACHMENTS)
    if len(session.waiting) >= MAX_WAITING_TURNS:
        return BadInput.of("turn.refused.busy")
    return None


def _needs_no_words(start: StartTurn) -> bool:
    """Whether the turn says what it is for without words, such as by a decision on a question."""
    decides = start.answer is not None and not start.answer.is_in_words
    return bool(start.edits or start.action or start.filling or decides)
