"""``upsert_task_class``: create a class of work, or change one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import (
    MAX_SLOTS,
    Level,
    Schedule,
    SharedLimit,
    Strategy,
    TaskClass,
    TaskItem,
    pending_items,
)
from bandsmith.shared.model.task import MAX_WORK_ITEMS
from bandsmith.shared.replies import Text, text
from bandsmith.shared.schedule.new_classes import days_between, new_class_id
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.rules import violations
from bandsmith.shared.schedule.wording import fact_words, setting_words

from ..base import Tool, ToolResult


class UpsertTaskClass(Tool):
    """Create a task class, or change the one with this id; what is left out stays.

    "items" is how many pieces it has in all. Weekdays are 1 (Monday) to 7 (Sunday).
    "max_slots_a_day_together" limits as a whole: this class, those with the ids "together_with", and those that share
    such a limit with it already.
    """

    name = "upsert_task_class"
    domain = "taskclass"
    writes = True
    may_repeat = True

    id: str | None = None
    title: str | None = Field(default=None, min_length=1, max_length=120)
    items: int | None = Field(default=None, ge=1, le=MAX_WORK_ITEMS)
    slots: int | None = Field(default=None, ge=1, le=MAX_SLOTS, description="Of each new piece.")
    strategy: Strategy | None = None
    not_before: date | None = None
    not_after: date | None = None
    excluded_weekdays: list[int] | None = Field(default=None, max_length=7)
    excluded_slots: list[int] | None = Field(default=None, max_length=MAX_SLOTS)
    max_slots_a_day: int | None = Field(default=None, ge=1, le=MAX_SLOTS)
    max_slots_a_day_together: int | None = Field(default=None, ge=1, le=MAX_SLOTS)
    together_with: list[str] | None = Field(default=None, max_length=50)
    may_be_embedded: bool | None = None
    subject_type: str | None = Field(default=None, max_length=60)
    difficulty: Level | None = None
    intensity: Level | None = None

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        before = self._known(schedule)
        task_class = self._changed(schedule, before)
        items = self._items(schedule, task_class)
        others = [item for item in schedule.items if item.task_class != task_class.id]
        classes = [self._limited(one, task_class) for one in schedule.classes if one.id != task_class.id]
        changed = schedule.model_copy(update={"classes": [*classes, task_class], "items": [*others, *items]})
        issues = [issue.in_language(language) for issue in _issues(schedule, changed, task_class)]
        if issues:
            raise ChangeRefused(Text.of("schedule.taskclass.not_ok", issues="; ".join(issues)))
        stated = fact_words(changed, [item.id for item in items], language)
        ok = text("schedule.taskclass.ok", language, name=task_class.name, id=task_class.id)
        return ToolResult(f"{ok}\n{stated}", changed)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        known = self._known(schedule)
        code = "change" if known else "create"
        name = self.title or (known.name if known else "")
        return text(f"schedule.taskclass.{code}", language, name=name, settings=self._settings(schedule, language))

    def _known(self, schedule: Schedule) -> TaskClass | None:
        """Return the class that is changed; None for a new one. Raises ``ChangeRefused``."""
        if self.id is None:
            if not self.title:
                raise ChangeRefused(Text.of("schedule.taskclass.no_title"))
            return None
        found = next((one for one in schedule.classes if one.id == self.id), None)
        if found is None:
            ids = ", ".join(one.id for one in schedule.classes)
            raise ChangeRefused(Text.of("schedule.taskclass.unknown", id=self.id, ids=ids or "-"))
        return found

    def _changed(self, schedule: Schedule, known: TaskClass | None) -> TaskClass:
        task_class = known or TaskClass(id=new_class_id(self.title or "", schedule.classes), name=self.title or "")
        first, last = days_between(schedule, self.not_before, self.not_after)
        news = {
            "name": self.title,
            "first_day": first if self.not_before else None,
            "last_day": last if self.not_after else None,
            **self.model_dump(include=_SAME),
        }
        if self.max_slots_a_day_together is not None:
            self._hold_known(schedule)
            shared_id = known.shared_limit.id if known and known.shared_limit else task_class.id
            news["shared_limit"] = SharedLimit(id=shared_id, slots_a_day=self.max_slots_a_day_together)
        return task_class.model_copy(update={name: value for name, value in news.items() if value is not None})

    def _hold_known(self, schedule: Schedule) -> None:
        """Hold that the classes which are to share a limit exist. Raises ``ChangeRefused``."""
        ids = [one.id for one in schedule.classes]
        for other in self.together_with or ():
            if other not in ids:
                raise ChangeRefused(Text.of("schedule.taskclass.unknown", id=other, ids=", ".join(ids) or "-"))

    def _limited(self, other: TaskClass, task_class: TaskClass) -> TaskClass:
        """Return another class, with the limit that it shares with the changed one."""
        limit = task_class.shared_limit
        if self.max_slots_a_day_together is None or limit is None:
            return other
        has_it = other.shared_limit is not None and other.shared_limit.id == limit.id
        is_named = other.id in (self.together_with or ())
        return other.model_copy(update={"shared_limit": limit}) if has_it or is_named else other

    def _items(self, schedule: Schedule, task_class: TaskClass) -> list[TaskItem]:
        """Return the pieces of the class: the placed ones, and as many pending ones as are requested."""
        known = schedule.items_of(task_class)
        slots = self.slots or (known[-1].duration if known else 2)
        placed = [item.number for item in known if item.at is not None]
        if self.items is not None and self.items < max(placed, default=0):
            raise ChangeRefused(Text.of("schedule.taskclass.placed", count=len(placed), name=task_class.name))
        wanted = pending_items(task_class, self.items or max(len(known), 1), slots)
        kept = [item for item in known if item.at is not None or item.number <= len(wanted)]
        numbers, taken = {item.number for item in kept}, {entry.id for entry in schedule.entries}
        new = [_with_free_id(item, taken) for item in wanted if item.number not in numbers]
        return sorted([*kept, *new], key=lambda item: item.number)

    def _settings(self, schedule: Schedule, language: Language) -> str:
        given = self.model_dump(exclude={"id", "title"}, exclude_none=True)
        return "\n".join(
            text(
                "schedule.taskclass.setting",
                language,
                label=text(f"schedule.taskclass.of.{name}", language),
                value=setting_words(schedule, name, value, language),
            )
            for name, value in given.items()
        )


def _with_free_id(item: TaskItem, taken: set[str]) -> TaskItem:
    """Return a new piece whose id no other entry has: pieces that were split have changed their numbers."""
    ids = (item.id, *(f"{item.id}.{n}" for n in range(1, MAX_WORK_ITEMS + 1)))
    free = next(one for one in ids if one not in taken)
    taken.add(free)
    return item.model_copy(update={"id": free})


_SAME = {
    *("strategy", "excluded_weekdays", "excluded_slots", "max_slots_a_day", "may_be_embedded"),
    *("subject_type", "difficulty", "intensity"),
}
"""Arguments that a class has under the same name."""


def _issues(before: Schedule, after: Schedule, task_class: TaskClass) -> Iterator[Text]:
    """Yield what makes the class impossible: days that do not exist, pieces that fit nowhere, rules that it breaks."""
    window = after.window
    first, last = task_class.first_day, task_class.last_day or window.days
    days = [day for day in range(max(1, first), min(last, window.days) + 1)
            if window.weekday_of(day) not in task_class.excluded_weekdays]  # fmt: skip
    slots = window.slots - len(set(task_class.excluded_slots) & set(range(1, window.slots + 1)))
    longest = max((item.duration for item in after.items_of(task_class)), default=0)
    if not days:
        yield Text.of("schedule.taskclass.no_days")
    elif longest > min(slots, task_class.max_slots_a_day or slots):
        yield Text.of("schedule.taskclass.too_long", slots=longest)
    elif (needed := sum(item.duration for item in after.items_of(task_class))) > len(days) * slots:
        yield Text.of("schedule.taskclass.too_many", slots=needed, available=len(days) * slots)
    known = set(violations(before))
    broken = (one for one in violations(after) if one not in known)
    yield from (Text.of(f"schedule.refused.{one.code}", **dict(one.values)) for one in broken)
