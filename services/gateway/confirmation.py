"""Requests that wait for the user's confirmation: the question, and the turn that continues after a yes."""

from __future__ import annotations

from datetime import datetime

from bandsmith.shared.model.session_parts import Pending
from bandsmith.shared.replies import text

from .analysis import take_approval
from .binding import take_review
from .run_questions import take_run_answer
from .state import SessionState, Turn
from .task import take_answer

SUSPENDED_FACTS = {
    *(
        "text",
        "attachments",
        "language",
        "intent",
        "spec",
        "wording",
        "layout",
        "form",
        "overlay",
        "total_rows",
        "remarks",
    ),
    *("template", "data", "author", "notes"),
}
"""What the turn that asks has learned, and the turn that continues it needs."""

Step = tuple[SessionState, Turn]


def ask_user(session: SessionState, turn: Turn, _: datetime) -> Step:
    """End the turn with a question, and keep what it knows for the turn that answers it."""
    if turn.intent == "reset_session":
        question = text("turn.reply.confirm_reset", turn.language)
    else:
        assert turn.saved is not None, "only a report that exists can be replaced"
        question = text("turn.reply.confirm_replacement", turn.language, number=turn.saved.number)
    return session, turn.model_copy(
        update={
            "asks": Pending(kind="confirmation", text=question, id=f"{turn.id}-confirmation"),
            "suspends": turn.model_dump(mode="json", include=SUSPENDED_FACTS),
        }
    )


def resume_turn(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Continue the turn that asked, now that it is confirmed."""
    facts = turn.model_dump() | (turn.suspended or {}) | {"said": turn.text}
    resumed = Turn.model_validate(facts)
    if resumed.intent == "manage_runs":
        return session, take_run_answer(resumed, turn)
    if resumed.intent == "plan_work":
        return session, take_answer(resumed, turn.text)
    if resumed.works:
        return session, take_review(resumed, turn.text)
    return session, take_approval(resumed, turn.text) if resumed.plan else resumed
