"""Metrics and traces of a turn, recorded when it is over."""

from __future__ import annotations

from datetime import UTC, datetime

from bandsmith.shared.events import Envelope, TurnFailed, TurnFinished
from bandsmith.shared.model.session_parts import Intent
from bandsmith.shared.telemetry import metrics, traces

from .state import SessionState

ENDS: dict[str, type[TurnFinished | TurnFailed]] = {kind.kind(): kind for kind in (TurnFinished, TurnFailed)}


def note_ends(before: SessionState, after: SessionState) -> None:
    """Record the turns that ended between two states of a session. Call once, after writing the second."""
    known = {envelope.id for envelope in before.events}
    for envelope in after.events:
        if envelope.kind in ENDS and envelope.id not in known:
            turns = [state.turn for state in (after, before) if state.turn and state.turn.id == envelope.turn]
            note_end(envelope, turns[0].intent if turns else "unknown", turns[-1].began if turns else envelope.time)


def note_end(envelope: Envelope, intent: Intent, began: datetime) -> None:
    """Record the end of a turn."""
    event, now = ENDS[envelope.kind].model_validate(envelope.payload), datetime.now(UTC)
    failed = isinstance(event, TurnFailed)
    outcome = event.status if isinstance(event, TurnFinished) else event.code
    metrics.turn_ended(intent, "failed" if failed else outcome, max(0.0, (now - began).total_seconds()))
    traces.turn_ended(envelope, intent, outcome, began, now, failed=failed)
