"""What is said at the end of a turn about scheduled runs."""

from __future__ import annotations

from bandsmith.shared.replies import text
from bandsmith.shared.runs.wording import changed_words

from ..state import Turn


def reply(turn: Turn) -> str | None:
    """The reply of a turn about scheduled runs; None for any other turn."""
    if turn.intent != "manage_runs":
        return None
    if turn.run_refusal:
        return turn.run_refusal
    if turn.run_request is None or not turn.changed_runs:
        return turn.run_words or text("turn.reply.declined", turn.language)
    done = [changed_words(turn.run_request.do, view, turn.language) for view in turn.changed_runs]
    if turn.run_request.do == "add" and not turn.owner:
        done.append(text("runs.keep_running", turn.language))
    return "\n".join(done)


def is_complete(turn: Turn) -> bool:
    """Whether what was wanted was done, or what was asked was told."""
    if turn.run_request is None or turn.run_refusal:
        return False
    return bool(turn.changed_runs) or turn.run_request.do == "list"
