"""The difference between two calendars, and how it is applied to a calendar that has changed since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bandsmith.shared.model.base import Value
from bandsmith.shared.model.schedule import CalendarEvent, Schedule, TaskClass, TaskItem

from .refusals import ChangeRefused
from .rules import violations

Part = CalendarEvent | TaskClass | TaskItem


class PartChange(Value):
    """An event, class or task item before and after; None: it did not exist, or does not any more."""

    before: Part | None
    after: Part | None

    @property
    def id(self) -> str:
        entry = self.after or self.before
        assert entry is not None
        return entry.id


class Difference(Value):
    """What a task changed. An empty one changes nothing."""

    classes: list[PartChange] = []
    events: list[PartChange] = []
    items: list[PartChange] = []

    def __bool__(self) -> bool:
        return bool(self.classes or self.events or self.items)

    @classmethod
    def between(cls, before: Schedule, after: Schedule) -> Difference:
        return cls(
            classes=_changes(before.classes, after.classes),
            events=_changes(before.events, after.events),
            items=_changes(before.items, after.items),
        )

    def applied_to(self, schedule: Schedule) -> Schedule:
        """Return the calendar with the changes made in it.

        Raises ``ChangeRefused`` if one of the same entries has changed since, or if the result breaks a rule.
        """
        changed = Schedule(
            window=schedule.window,
            classes=_applied(self.classes, schedule.classes),
            events=_applied(self.events, schedule.events),
            items=_applied(self.items, schedule.items),
        )
        known = set(violations(schedule))
        for found in violations(changed):
            if found not in known:
                raise ChangeRefused.of(found.code, **dict(found.values))
        return changed


def _changes(before: Sequence[Part], after: Sequence[Part]) -> list[PartChange]:
    old, new = ({entry.id: entry for entry in entries} for entries in (before, after))
    ids = [*old, *(entry for entry in new if entry not in old)]
    return [PartChange(before=old.get(i), after=new.get(i)) for i in ids if old.get(i) != new.get(i)]


def _applied(changes: Sequence[PartChange], entries: Sequence[Part]) -> list[Any]:
    """Return the entries with the changes made. Raises ``ChangeRefused`` where one is not as it was before."""
    current: dict[str, Part] = {entry.id: entry for entry in entries}
    for change in changes:
        if current.get(change.id) != change.before:
            name = (change.before or change.after or current[change.id]).name
            raise ChangeRefused.of("changed_meanwhile", name=name)
        if change.after is None:
            del current[change.id]
        else:
            current[change.id] = change.after
    return list(current.values())
