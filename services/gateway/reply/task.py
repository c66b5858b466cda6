"""What is said at the end of a turn that planned work in a calendar."""

from __future__ import annotations

from bandsmith.shared.replies import text

from ..state import Turn


def reply(turn: Turn) -> str | None:
    """The reply of a turn that planned work; None for any other turn."""
    if turn.intent != "plan_work":
        return None
    if turn.work_refusal:
        return text("schedule.task.refused", turn.language, problem=turn.work_refusal)
    if turn.work_change is not None:
        return text("schedule.task.stored", turn.language, shown=turn.work_shown)
    return turn.work_reply


def is_complete(turn: Turn) -> bool:
    return turn.work_change is not None and not turn.work_refusal
