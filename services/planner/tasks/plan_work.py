"""Plan the work that a message asks for: a model reads what is wanted, the program works out where it is placed.

A model never sees a position and never computes a date that it was not shown: it names pieces of work with their
limits, as dates and weekdays, and the solver finds the places. So nothing it says can make the calendar illegal.
"""

from __future__ import annotations

import uuid
from datetime import date

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import PlanWork, WorkPlanned
from bandsmith.shared.language import Language
from bandsmith.shared.llm import Model, ask, model_required
from bandsmith.shared.llm.answers import WorkAnswer
from bandsmith.shared.model.schedule import Schedule, TaskClass, pending_items
from bandsmith.shared.model.task import WorkWanted
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.difference import Difference
from bandsmith.shared.schedule.placement import place_all
from bandsmith.shared.schedule.views import pending
from bandsmith.shared.schedule.wording import overview, placed_lines

MAX_CALENDAR_CHARS = 12_000


async def plan_work(store: Store, command: PlanWork, schedule: Schedule, model: Model | None) -> WorkPlanned:
    """Return a proposal, or what to say instead of one.

    Raises ``BadInput`` without a model, ``TerminalError`` if the model gives no answer.
    """
    if model is None or not command.allowance.calls:
        raise BadInput.of("schedule.task.no_model", code="model")
    window, language = schedule.window, command.language
    values = {
        "window": f"{window.start:%Y-%m-%d %A} to {window.date_of(window.days):%Y-%m-%d %A}, "
        f"{window.slots} slots of {window.slot_minutes} minutes a day from {window.first_slot:%H:%M}",
        "calendar": overview(schedule, "en")[:MAX_CALENDAR_CHARS],
        "objections": "\n".join(command.work_objections),
        "request": command.text,
        "language": "Chinese" if language == "zh" else "English",
    }
    with model_required():
        answer, usage = await ask(model, "plan_work", values, WorkAnswer, allowance=command.allowance)
    if not answer.work:
        return WorkPlanned(work_reply=answer.reply, usage=usage)
    wanted = _with_work(schedule, answer.work)
    if isinstance(wanted, str):
        return WorkPlanned(work_reply=text("schedule.task.outside", language, name=wanted), usage=usage)
    placement = place_all(wanted)
    if placement.schedule is None:
        reply = text("schedule.refused.no_room", language, slots=placement.missing_slots)
        return WorkPlanned(work_reply=reply, usage=usage)
    change = Difference.between(schedule, placement.schedule)
    return WorkPlanned(
        work_change=await store.put(change.model_dump_json().encode(), "application/json"),
        work_change_id=uuid.uuid4().hex,
        work_shown=_shown(schedule, placement.schedule, language),
        usage=usage,
    )


def _with_work(schedule: Schedule, work: list[WorkWanted]) -> Schedule | str:
    """Return the calendar with the pieces of work as pending items; the name of one that fits no day of the window."""
    classes, items = list(schedule.classes), list(schedule.items)
    for wanted in work:
        first, last = _days(schedule, wanted)
        if first > last:
            return wanted.name
        task_class = TaskClass(
            id=uuid.uuid4().hex[:8],
            name=wanted.name,
            strategy=wanted.strategy,
            first_day=first,
            last_day=last,
            excluded_slots=wanted.excluded_slots,
            excluded_weekdays=wanted.excluded_weekdays,
            max_slots_a_day=wanted.max_slots_a_day,
            intensity="high" if wanted.is_demanding else None,
        )
        classes.append(task_class)
        items += pending_items(task_class, wanted.items, wanted.slots)
    return Schedule(window=schedule.window, events=schedule.events, classes=classes, items=items)


def _days(schedule: Schedule, wanted: WorkWanted) -> tuple[int, int]:
    """Return the first and the last day on which the work may be placed."""

    def number(day: date) -> int:
        return (day - schedule.window.start).days + 1

    first = number(wanted.not_before) if wanted.not_before else 1
    last = number(wanted.not_after) if wanted.not_after else schedule.window.days
    return max(1, first), min(schedule.window.days, last)


def _shown(before: Schedule, after: Schedule, language: Language) -> str:
    """Return every item that the proposal places, by day, as a person reads it."""
    was_placed = {item.id for item in before.items if item.at is not None}
    new = [item for item in after.items if item.id not in was_placed]
    lines = placed_lines(after, new, language)
    left = len(pending(after))
    return "\n".join([*lines, *([text("schedule.fact.pending", language, count=left)] if left else [])])
