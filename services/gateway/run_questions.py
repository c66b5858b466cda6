"""The gateway's questions about scheduled runs, and the turn that goes on after the answer."""

from __future__ import annotations

from datetime import datetime

from bandsmith.shared.language import language_of
from bandsmith.shared.model.session import Pending

from .state import SessionState, Turn

RUN_FACTS = {
    *("text", "attachments", "language", "intent"),
    *("known_runs", "run_request", "run_step", "run_zone", "run_begins", "saved", "session_bindings"),
}
"""What the turn that asks knows, and the turn that goes on needs: also the report as it was shown."""
OWN_FACTS = {"text", "attachments", "language", "saved", "session_bindings"}
"""What a turn that goes on to something else has from its own beginning."""


def forget_run(session: SessionState, turn: Turn, _: datetime) -> tuple[SessionState, Turn]:
    """Go on with what was said as a request of its own, without the run that it could have corrected."""
    facts = {name: Turn.model_fields[name].get_default(call_default_factory=True) for name in RUN_FACTS - OWN_FACTS}
    said = {"text": turn.said, "said": "", "attachments": [], "language": language_of(turn.said)}
    now = {"saved": session.report, "session_bindings": session.bindings}
    return session, turn.model_copy(update=facts | said | now)


def ask_about_run(session: SessionState, turn: Turn, now: datetime) -> tuple[SessionState, Turn]:
    """End the turn with a question: what is missing, or whether the change is right."""
    pending = Pending(
        kind="confirmation" if turn.run_step == "confirm" else "question",
        text=turn.run_words,
        id=f"{turn.id}-run",
        asked=now,
    )
    return session, turn.model_copy(
        update={"asks": pending, "suspends": turn.model_dump(mode="json", include=RUN_FACTS)}
    )
