"""The replies at the end of a turn, in the turn's language: one file for each flow."""

from __future__ import annotations

from bandsmith.shared.events import TurnFailed, TurnFinished
from bandsmith.shared.markdown_text import unlinked
from bandsmith.shared.replies import text

from ..state import Turn
from . import data, query, report, runs, task, upload
from .steps import stepped

REQUESTED = frozenset({"ReadChange", "ModifyTemplate", "DeliverFiles", "ExportReport"})
"""Commands without whose success a part of the request was not done, although the turn goes on."""


def finished(turn: Turn) -> TurnFinished:
    best = turn.best
    return TurnFinished(
        status="done" if best is None or best.verdict.passed else "unfinished",
        complete=_is_complete(turn),
        retryable=turn.mishap is not None and turn.mishap.retryable,
        intent=turn.intent,
        reply=unlinked(_reply(turn)) if turn.intent == "plan_work" else _reply(turn),
        files=turn.work_files or query.files(turn) or data.files(turn) or report.files(turn),
        version=report.version(turn),
        passed=best.verdict.passed and best.verdict.grade != "start_over" if best else None,
        likeness=best.verdict.likeness if best else None,
        grade=best.verdict.grade if best else None,
        corrections=turn.corrections,
        findings=best.verdict.findings if best else [],
        notes=list(dict.fromkeys([*turn.notes, *data.notes(turn)])),
        asks=turn.asks or turn.leaves,
        usage=turn.usage,
    )


def failed(turn: Turn) -> TurnFailed:
    assert turn.mishap is not None, "a turn fails by a stage that failed, or by an event without a route"
    return TurnFailed.of(turn.mishap)


def _is_complete(turn: Turn) -> bool:
    """Whether everything that was asked was done."""
    is_partly_done = turn.left_out or turn.undone or turn.not_as_asked
    is_partly_done = is_partly_done or report.not_exported(turn) or report.missing_texts(turn)
    if turn.is_refused or turn.asks or is_partly_done or not _is_usable(turn):
        return False
    if turn.delivery and turn.without_value:
        return False
    if turn.must_show and turn.looks_the_same:
        return False
    if turn.mishap and turn.mishap.command in REQUESTED:
        return False
    match turn.intent:
        case "fill_report":
            return bool(turn.filled)
        case "modify_report" if turn.given_edits:
            return turn.has_template
        case "ask_data":
            return query.is_complete(turn)
        case "plan_work":
            return task.is_complete(turn)
        case "manage_runs":
            return runs.is_complete(turn)
        case "undo_modification" | "redo_modification":
            return turn.changed >= turn.steps
        case "restore_version":
            return turn.template is not None and turn.saved is not None and (turn.is_new or _is_current(turn))
        case "unknown":
            return (
                turn.agrees is False or not turn.answer or upload.came(turn)
            )  # what was not understood is answered with a hint
    return turn.intent not in report.EXPORTS or bool(report.files(turn))


def _is_usable(turn: Turn) -> bool:
    """Whether the report passed, and a new one is not better started over."""
    if turn.best is None:
        return True
    verdict = turn.best.verdict
    return verdict.passed and not (turn.intent == "initial_generation" and verdict.grade == "start_over")


def _reply(turn: Turn) -> str:
    left, missing = report.not_exported(turn), [*report.missing_texts(turn), *report.missing_shapes(turn)]
    reply = _reply_to_request(turn)
    return report.joined(turn, [*left, reply, *missing]) if left or missing else reply


def _reply_to_request(turn: Turn) -> str:
    if turn.is_refused:
        is_late = turn.given_answer is None or turn.asks is None or turn.asks.id != turn.given_answer.question
        return text("turn.reply.late" if is_late else "turn.reply.no_arguments", turn.language)
    if turn.asks:
        return turn.asks.text
    if turn.agrees is False and turn.intent != "plan_work":
        return text("turn.reply.declined", turn.language)
    reply = report.reply(turn) or data.reply(turn) or query.reply(turn) or task.reply(turn) or runs.reply(turn)
    if reply is not None:
        return reply
    match turn.intent:
        case "undo_modification" | "redo_modification":
            return report.joined(turn, [*turn.undone, stepped(turn)])
        case "restore_version":
            code = "turn.reply.already_current" if _is_current(turn) else "turn.reply.no_version"
            return report.joined(turn, [*turn.undone, text(code, turn.language, number=turn.version)])
        case "reset_session":
            return text("turn.reply.reset", turn.language)
        case "fill_report" if turn.has_template and turn.data_file is None:
            return text("planner.reply.attach_data", turn.language)
    if turn.answer:
        sources = [text("turn.reply.sources", turn.language, titles="; ".join(turn.sources))] if turn.sources else []
        return "\n\n".join([turn.answer, *sources])
    return turn.summary or text("turn.reply.nothing", turn.language)


def _is_current(turn: Turn) -> bool:
    """Whether the version to restore is already the report."""
    restored = turn.restored
    return restored is not None and turn.saved is not None and restored.template == turn.saved.template
