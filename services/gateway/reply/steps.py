"""The reply to undo and redo: which changes were undone, and whether these are as many as were requested."""

from __future__ import annotations

from bandsmith.shared.replies import text
from bandsmith.shared.shortening import shortened

from ..state import Turn

MAX_SHOWN_CHARS = 80


def stepped(turn: Turn) -> str:
    """Return what undo or redo did."""
    back, language = turn.intent == "undo_modification", turn.language
    if not turn.changed:
        return text("turn.reply.no_undo" if back else "turn.reply.no_redo", language)
    requests = ", ".join(text("turn.reply.request", language, request=_beginning(one)) for one in turn.stepped if one)
    code = "undone" if back else "redone"
    done = text(
        f"turn.reply.{code}_named" if requests else f"turn.reply.{code}",
        language,
        count=turn.changed,
        requests=requests,
    )
    if turn.changed < turn.steps:
        more = text("turn.reply.undone_all" if back else "turn.reply.redone_all", language)
        done = f"{done} {more}" if language == "en" else f"{done}{more}"
    return done


def _beginning(request: str) -> str:
    return shortened(" ".join(request.split()), MAX_SHOWN_CHARS)
