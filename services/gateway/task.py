"""The gateway's own part of planning work: the question that shows a proposal, and the answer to it."""

from __future__ import annotations

from datetime import datetime

from bandsmith.shared.model.session import Pending
from bandsmith.shared.replies import text

from .facts.task import MAX_WORK_REJECTIONS
from .state import SessionState, Turn

WORK_FACTS = {
    *("text", "language", "intent", "planning", "notes"),
    *("work_objections", "work_change", "work_change_id", "work_shown"),
}
"""What the turn that shows a proposal knows, and the turn that stores or changes it needs."""


def confirm_work(session: SessionState, turn: Turn, _: datetime) -> tuple[SessionState, Turn]:
    """End the turn with the proposal as a question."""
    left = len(turn.work_objections) < MAX_WORK_REJECTIONS
    code = "schedule.task.confirm" if left else "schedule.task.confirm_or_drop"
    return session, turn.model_copy(
        update={
            "asks": Pending(kind="confirmation", text=text(code, turn.language, shown=turn.work_shown)),
            "suspends": turn.model_dump(mode="json", include=WORK_FACTS),
        }
    )


def take_answer(turn: Turn, said: str) -> Turn:
    """Return the turn that showed the proposal as it continues: as it was, or with what the user has against it."""
    if turn.agrees:
        return turn
    news = {"work_objections": [*turn.work_objections, said], "work_change": None, "work_change_id": ""}
    return turn.model_copy(update=news)
