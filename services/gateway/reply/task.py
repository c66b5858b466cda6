"""The reply at the end of a turn that carried out a task: the model's summary, and the program's own list.

The list says what was stored, refused and declined, whatever the summary says, and comes first where there is such.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bandsmith.shared.model.task import FOREIGN, TaskEntry
from bandsmith.shared.replies import text

from ..state import Turn
from ..task import ENDED


def reply(turn: Turn) -> str | None:
    """The reply of a turn of a task, or of one that asked about the calendar meanwhile; None for any other turn."""
    if turn.calendar_words:
        return turn.calendar_words
    if turn.intent != "plan_work":
        return None
    if turn.work_action == "answered":
        return turn.work_words
    if turn.work is None or (not turn.work.is_confirmed and turn.work.phase not in ENDED):
        unusable = turn.work_action == "unusable"
        return turn.work_words or text(f"schedule.task.{'unusable' if unusable else 'nothing'}", turn.language)
    if _only_looked_up(turn):
        return turn.work_summary or "\n\n".join(entry.result for entry in turn.work_log if entry.outcome == "read")
    parts = [turn.work_summary or _outcome(turn), "\n".join(_facts(turn))]
    return "\n\n".join(reversed(parts) if _has_written(turn) else parts)


def _only_looked_up(turn: Turn) -> bool:
    """Whether the task was a question: nothing was to be changed, and its one step is done."""
    assert turn.work is not None
    is_read = any(entry.outcome == "read" for entry in turn.work_log)
    return turn.work.phase == "done" and len(turn.work.steps) == 1 and is_read and not _has_written(turn)


def _has_written(turn: Turn) -> bool:
    """Whether something was changed, or was to be: then the list comes first, since a summary may claim more."""
    return any(entry.outcome in ("stored", "carried_out", "declined", "refused") for entry in turn.work_log)


def is_complete(turn: Turn) -> bool:
    if turn.work_action == "answered":
        return True
    return turn.work is not None and turn.work.phase == "done" and not turn.work.undone


def _outcome(turn: Turn) -> str:
    """Return how the task ended."""
    assert turn.work is not None
    if turn.work.phase == "done":
        return text("schedule.task.finished", turn.language)
    return text("schedule.task.ended", turn.language, reason=turn.work.reason.rstrip(".。"))


def _facts(turn: Turn) -> Iterator[str]:
    """Yield each step, done or not, and each change, as the program knows them."""
    assert turn.work is not None
    language = turn.language
    for number, step in enumerate(turn.work.steps):
        code = "step_done" if number < turn.work.at and number not in turn.work.undone else "step_open"
        yield text(f"schedule.task.{code}", language, step=step.content)
    replaced = dict(_replaced(turn.work_log))
    yield from (text("schedule.task.changed", language, said=said) for said in replaced.values())
    yield ""
    stored = [entry for entry in turn.work_log if entry.outcome == "stored"]
    if stored:
        yield text("schedule.task.stored", language)
        yield from (f"\n{entry.shown}" for entry in stored)
    called = [entry for entry in turn.work_log if entry.outcome == "carried_out" and entry.call]
    foreign = [entry for entry in called if entry.call and entry.call.name.startswith(FOREIGN)]
    errands = [entry for entry in called if entry not in foreign]
    if foreign:
        yield text("schedule.task.carried_out", language)
        yield from (f"\n{entry.shown}" for entry in foreign)
    if errands:
        yield ""
        yield text("schedule.task.done_besides", language)
        yield from (f"\n{entry.result}" for entry in errands)
    if not stored and not called:
        yield text("schedule.task.nothing_stored", language)
    for number, entry in enumerate(turn.work_log):
        if entry.outcome == "declined" and entry.call and number not in replaced:
            yield text("schedule.task.declined", language, tool=", ".join(entry.call.tools))
        elif entry.outcome == "refused":
            yield text("schedule.task.refused", language, problem=entry.result)
        elif entry.outcome == "skipped" and entry.call:
            yield text("schedule.task.skipped", language, tool=", ".join(entry.call.tools))


def _replaced(log: Sequence[TaskEntry]) -> Iterator[tuple[int, str]]:
    """Yield the calls that the user changed, with their words: another call of the same tools was accepted later."""
    for number, entry in enumerate(log):
        later = log[number + 1 :]
        if entry.outcome != "declined" or not entry.call or not later or later[0].kind != "user":
            continue
        if any(
            one.call and one.call.tools == entry.call.tools and one.outcome in ("stored", "carried_out")
            for one in later
        ):
            yield number, later[0].text
