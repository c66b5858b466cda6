"""``place_work``: new pieces of work, placed at once."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import (
    MAX_SLOTS,
    Position,
    Schedule,
    SharedLimit,
    TaskClass,
    TaskItem,
    pending_items,
)
from bandsmith.shared.model.task import WorkWanted
from bandsmith.shared.replies import listed, text
from bandsmith.shared.schedule.new_classes import days_between, new_class_id
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.wording import fact_words

from ..base import Tool, ToolResult


class PlaceWork(Tool):
    """Add new pieces of work and place them legally, in order and spread well. The program works out the positions.

    One entry for each subject; "items" is how many pieces, "slots" how many slots each takes (a block is 2). "before" a
    date means that the day before it is "not_after". Weekdays are 1 (Monday) to 7 (Sunday). "max_slots_a_day" of a
    subject limits that one; "max_slots_a_day_together" limits all of this work as a whole. What is pending already
    stays so: place_all places that.
    """

    name = "place_work"
    domain = "schedule"
    pack = "mutation"
    writes = True
    may_repeat = True

    work: list[WorkWanted] = Field(min_length=1, max_length=20)
    max_slots_a_day_together: int | None = Field(default=None, ge=1, le=MAX_SLOTS)

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        from bandsmith.shared.schedule.placement import place_all  # noqa: PLC0415 - slow to import

        wanted, new = _with_work(schedule, self, self._since)
        placement = place_all(wanted, only={item.task_class for item in new}, since=self._since)
        if placement.schedule is None:
            raise ChangeRefused.of("no_room", slots=placement.missing_slots)
        return ToolResult(fact_words(placement.schedule, [item.id for item in new], language), placement.schedule)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        names = listed([f"{work.name} ({work.items})" for work in self.work], language)
        placed = text("schedule.change.place_work", language, names=names)
        if self.max_slots_a_day_together is None:
            return placed
        limit = text("schedule.change.limit_together", language, slots=self.max_slots_a_day_together)
        return f"{placed}\n{limit}"


def _with_work(schedule: Schedule, call: PlaceWork, since: Position) -> tuple[Schedule, list[TaskItem]]:
    """Return the calendar with the pieces of work as pending items, and these. Raises ``ChangeRefused``."""
    classes, items = list(schedule.classes), list[TaskItem]()
    shared = None
    if call.max_slots_a_day_together is not None:
        shared = SharedLimit(id=new_class_id(call.work[0].name, classes), slots_a_day=call.max_slots_a_day_together)
    for wanted in call.work:
        first, last = days_between(schedule, wanted.not_before, wanted.not_after)
        if first > last:
            raise ChangeRefused.of("outside", name=wanted.name)
        if last < since.day:
            raise ChangeRefused.of("over", name=wanted.name)
        task_class = TaskClass(
            id=new_class_id(wanted.name, classes),
            name=wanted.name,
            strategy=wanted.strategy,
            first_day=first,
            last_day=last,
            excluded_slots=wanted.excluded_slots,
            excluded_weekdays=wanted.excluded_weekdays,
            max_slots_a_day=wanted.max_slots_a_day,
            shared_limit=shared,
            intensity="high" if wanted.is_demanding else None,
        )
        classes.append(task_class)
        items += pending_items(task_class, wanted.items, wanted.slots)
    known = Schedule(window=schedule.window, events=schedule.events, classes=classes, items=[*schedule.items, *items])
    return known, items
