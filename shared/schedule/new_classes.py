"""What a new class of task items gets from the program: its id, and its days for the dates that were said."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from bandsmith.shared.model.schedule import Schedule, TaskClass


def days_between(schedule: Schedule, not_before: date | None, not_after: date | None) -> tuple[int, int]:
    """Return the first and the last day between two dates; the first is later than the last if there are none."""

    def number(day: date) -> int:
        return (day - schedule.window.start).days + 1

    first = number(not_before) if not_before else 1
    last = number(not_after) if not_after else schedule.window.days
    return max(1, first), min(schedule.window.days, last)


def new_class_id(name: str, classes: Iterable[TaskClass]) -> str:
    """Return an id that no class has; the same name in the same calendar always gets the same one."""
    stem = "-".join("".join(c if c.isalnum() else " " for c in name.casefold()).split())[:30] or "work"
    taken = {task_class.id for task_class in classes}
    return next(found for found in (stem, *(f"{stem}-{n}" for n in range(2, 10_000))) if found not in taken)
