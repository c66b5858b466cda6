"""The reply to undo and redo: how many changes were undone, and whether that is as many as were requested."""

from __future__ import annotations

from bandsmith.shared.replies import text

from ..state import Turn


def stepped(turn: Turn) -> str:
    """Return what undo or redo did."""
    back, language = turn.intent == "undo_modification", turn.language
    if not turn.changed:
        return text("turn.reply.no_undo" if back else "turn.reply.no_redo", language)
    done = text("turn.reply.undone" if back else "turn.reply.redone", language, count=turn.changed)
    if turn.changed < turn.steps:
        more = text("turn.reply.undone_all" if back else "turn.reply.redone_all", language)
        done = f"{done} {more}" if language == "en" else f"{done}{more}"
    return done
