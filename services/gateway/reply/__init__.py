"""What the user is told at the end of a turn, in the turn's language: one file for each flow."""

from __future__ import annotations

from bandsmith.shared.events import TurnFailed, TurnFinished
from bandsmith.shared.replies import text

from ..state import Turn
from . import report


def finished(turn: Turn) -> TurnFinished:
    best = turn.best
    return TurnFinished(
        status="done" if best is None or best.verdict.passed else "unfinished",
        intent=turn.intent,
        reply=_reply(turn),
        files=report.files(turn),
        version=report.version(turn),
        passed=best.verdict.passed if best else None,
        likeness=best.verdict.likeness if best else None,
        corrections=turn.corrections,
        findings=best.verdict.findings if best else [],
        notes=turn.notes,
        asks=turn.asks,
        usage=turn.usage,
    )


def failed(turn: Turn) -> TurnFailed:
    assert turn.mishap is not None, "a turn fails by a stage that failed, or by an event without a route"
    return TurnFailed(code=turn.mishap.code, message=turn.mishap.message, message_zh=turn.mishap.message_zh)


def _reply(turn: Turn) -> str:
    if turn.asks:
        return turn.asks.text
    reply = report.reply(turn)
    if reply is not None:
        return reply
    match turn.intent:
        case "undo_modification":
            done = "turn.reply.undone" if turn.template else "turn.reply.undone_to_nothing"
            return text(done if turn.changed else "turn.reply.no_undo", turn.language)
        case "redo_modification":
            return text("turn.reply.redone" if turn.changed else "turn.reply.no_redo", turn.language)
        case "reset_session":
            return text("turn.reply.reset", turn.language)
    if turn.answer:
        sources = [text("turn.reply.sources", turn.language, titles="; ".join(turn.sources))] if turn.sources else []
        return "\n\n".join([turn.answer, *sources])
    return turn.summary or text("turn.reply.nothing", turn.language)
