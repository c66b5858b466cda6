"""The gateway's own part of a task: its questions to the user, the answers to them, and how it ends."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from bandsmith.shared.language import language_of
from bandsmith.shared.model.session_parts import Pending
from bandsmith.shared.model.task import Answer, TaskEntry, TaskProgress, ToolCall
from bandsmith.shared.replies import message_in, text
from bandsmith.shared.tools.context import REFINING_PACKS

from .state import SessionState, Turn

WORK_FACTS = {
    *("text", "language", "intent", "planning", "notes", "spent"),
    *("work", "work_log", "work_waits", "work_packs", "work_tools", "work_servers", "work_draft"),
    "work_before",
    *("work_reply", "work_call", "work_result", "work_whole", "work_change", "work_change_id", "work_shown"),
    *("work_memory", "work_memory_next", "work_may_repeat", "work_is_granted"),
    *("work_errand", "work_files", "work_bindings", "work_parts"),
}
"""What the turn that asks knows, and the turn that continues needs. What the caps were charged is part of it, because
they count for a whole task."""

Step = tuple[SessionState, Turn]
ENDED = ("done", "aborted", "exhausted")
"""The phases of a task that is over."""


def confirm_plan(session: SessionState, turn: Turn, now: datetime) -> Step:
    """End the turn with the plan as a question."""
    assert turn.work is not None
    steps = "\n".join(f"{number}. {step.content}" for number, step in enumerate(turn.work.steps, 1))
    parts = [turn.work_words, text("schedule.task.confirm_plan", turn.language, steps=steps)]
    return session, _asking(turn, "plan", "\n\n".join(filter(None, parts)), now)


def confirm_call(session: SessionState, turn: Turn, now: datetime) -> Step:
    """End the turn with what a call would change as a question."""
    code = "confirm_foreign" if turn.is_foreign_call else "confirm_errand" if turn.is_errand else "confirm_call"
    code = "confirm_several" if turn.has_parts else code
    parts = [turn.work_words, text(f"schedule.task.{code}", turn.language, shown=turn.work_shown)]
    if turn.work_may_repeat and not (turn.is_foreign_call or turn.is_errand) and _has_stored(turn):
        parts.append(text("schedule.task.or_all", turn.language))
    return session, _asking(turn, "call", "\n\n".join(filter(None, parts)), now)


def _has_stored(turn: Turn) -> bool:
    """Whether the user has agreed to a change before: from the second on, agreeing to all of them is offered."""
    return any(entry.outcome == "stored" for entry in turn.work_log)


def ask_question(session: SessionState, turn: Turn, now: datetime) -> Step:
    """End the turn with a question of the model, or with one of the program where planning had no result."""
    question = turn.work_words or text("schedule.task.say_more", turn.language)
    return session, _asking(turn, "question", question, now)


def _asking(turn: Turn, waits: Literal["plan", "call", "question"], question: str, now: datetime) -> Turn:
    """Return the turn with its question, and with what the next turn needs to continue."""
    phase = "interrupted" if waits == "question" else "waiting_confirm"
    progress = (turn.work or TaskProgress()).model_copy(update={"phase": phase})
    asking = turn.model_copy(update={"work": progress, "work_waits": waits})
    pending = Pending(
        kind="question" if waits == "question" else "confirmation",
        text=question,
        id=f"{turn.id}-{waits}",
        call=turn.work_call if waits == "call" else None,
        asked=now,
    )
    return asking.model_copy(update={"asks": pending, "suspends": asking.model_dump(mode="json", include=WORK_FACTS)})


def refuse_answer(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Leave the open question as it is: the answer was to another one, or does not fit it."""
    return session, turn.model_copy(update={"asks": turn.pending, "suspends": turn.suspended, "is_refused": True})


def leaves_task_waiting(turn: Turn) -> Turn:
    """Return a turn that did something else while a task waits: its question stays open unless another one is asked."""
    waits = (turn.suspended or {}).get("intent") == "plan_work" and turn.pending is not None
    goes_on = turn.intent == "plan_work" and turn.work_action != "answered"
    if not waits or goes_on or turn.is_refused:
        return turn
    code = "given_up" if turn.asks else "still_waits"
    notes = [*turn.notes, text(f"schedule.task.{code}", turn.language)]
    return turn.model_copy(
        update={"notes": notes} if turn.asks else {"notes": notes, "suspends": turn.suspended, "leaves": turn.pending}
    )


def take_answer(turn: Turn, said: str) -> Turn:
    """Return the turn that asked as it continues after the answer."""
    progress = turn.work or TaskProgress()
    is_in_words = turn.agrees is None and bool(said.strip())
    news: dict[str, Any] = {"said": said, "language": language_of(said) if is_in_words else turn.language}
    if turn.drops:
        ended = {"phase": "aborted", "reason": text("schedule.task.dropped", turn.language)}
        return turn.model_copy(update=news | {"work": progress.model_copy(update=ended)})
    confirmed = progress.is_confirmed or (turn.work_waits == "plan" and turn.agrees is True)
    progress = progress.model_copy(
        update={"is_confirmed": confirmed, "phase": "executing" if confirmed else "planning"}
    )
    may_grant = turn.work_waits == "call" and turn.work_may_repeat and not (turn.is_errand or turn.is_foreign_call)
    grants = may_grant and turn.agrees is True and _says_all(turn)
    if turn.work_waits == "plan" and confirmed and progress.refining == "global_reopt":
        news |= {"work_packs": sorted({*turn.work_packs, *REFINING_PACKS})}
    news |= {"work": progress, "work_log": _log(turn, said), "work_is_granted": turn.work_is_granted or grants}
    if turn.is_edited:
        assert turn.work_call is not None and turn.given_answer is not None and turn.given_answer.arguments is not None
        edited = ToolCall(id=turn.work_call.id, name=turn.work_call.name, arguments=turn.given_answer.arguments)
        news |= {"work_call": edited}
    turn = turn.model_copy(update=news)
    return with_objection(turn) if turn.objects_to_errand else turn


def with_objection(turn: Turn) -> Turn:
    """Return the turn whose errand goes on with what the user says instead of with a yes."""
    assert turn.work_errand is not None and turn.work_errand.turn is not None
    open_question = turn.work_errand.turn.answer
    assert open_question is not None
    words = Answer(question=open_question.question)
    beside = turn.work_errand.turn.model_copy(update={"text": turn.said, "answer": words})
    return turn.model_copy(update={"work_errand": turn.work_errand.model_copy(update={"turn": beside})})


def _says_all(turn: Turn) -> bool:
    return turn.agrees_to_all or (turn.given_answer is not None and turn.given_answer.to_all)


def end_task(session: SessionState, turn: Turn, _: datetime) -> Step:
    """Give a task that is over before it is done its phase, and the reason that the user is told."""
    progress = turn.work or TaskProgress()
    if progress.phase in ENDED:
        return session, turn
    reason = _reason(turn)
    phase = "aborted" if reason else "exhausted"
    reason = reason or text("schedule.task.exhausted", turn.language)
    ended = progress.model_copy(update={"phase": phase, "reason": reason})
    return session, turn.model_copy(update={"work": ended, "work_log": [*turn.work_log, *_left_undone(turn)]})


def _left_undone(turn: Turn) -> list[TaskEntry]:
    """Return the parts of a call that are not tried any more, where the log does not tell of them yet."""
    is_told = bool(turn.work_log) and turn.work_log[-1].outcome in ("refused", "skipped")
    return turn.skipped if turn.work_stage == "making" and not is_told else []


def _reason(turn: Turn) -> str:
    """Return why a task cannot go on; empty if its rounds are used up."""
    if turn.work_action == "unusable":
        return text("schedule.task.bad_replies", turn.language)
    if turn.mishap is not None:
        message = message_in(turn.mishap, turn.language)
        return text("schedule.task.failed", turn.language, message=message.rstrip(".。"))
    return ""


def _log(turn: Turn, said: str) -> list[TaskEntry]:
    """Return the log with what the user answered. A call that was accepted joins it once it is stored."""
    if turn.is_edited or (turn.work_waits == "call" and turn.agrees is True):
        return turn.work_log
    if turn.work_waits == "plan" and turn.agrees is True:
        return [entry for entry in turn.work_log if entry.kind == "user"]  # the confirmed plan replaces its drafts
    is_declined = turn.work_waits == "call" and not turn.model_copy(update={"said": said}).objects_to_errand
    log = turn.with_call("declined", "") if is_declined else turn.work_log
    return [*log, TaskEntry(kind="user", text=said)] if said.strip() else log
