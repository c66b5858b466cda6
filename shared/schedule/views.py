"""What can be read of a calendar: runs of free slots, events that can take an item in, loads of days."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bandsmith.shared.model.schedule import CalendarEvent, Entry, Schedule, TaskItem


class FreeRun(NamedTuple):
    """Slots of a day that follow each other and are free."""

    day: int
    slot: int
    length: int

    @property
    def last(self) -> int:
        return self.slot + self.length - 1


def entries_on(schedule: Schedule, day: int) -> list[Entry]:
    """Return what is planned on a day, in the order of its slots; an event before the item inside of it."""
    found = [entry for entry in schedule.entries if entry.at and entry.at.day == day]
    return sorted(found, key=lambda entry: (entry.at.slot if entry.at else 0, isinstance(entry, TaskItem)))


def taken_slots(schedule: Schedule, day: int) -> set[int]:
    """Return the slots of a day on which something stands."""
    return {
        slot
        for entry in entries_on(schedule, day)
        if entry.at is not None
        for slot in range(entry.at.slot, entry.at.slot + entry.duration)
    }


def free_runs(schedule: Schedule, day: int) -> Iterator[FreeRun]:
    """Yield the longest runs of free slots of a day."""
    taken = taken_slots(schedule, day)
    begin = 1
    for slot in range(1, schedule.window.slots + 2):
        if slot in taken or slot > schedule.window.slots:
            if slot > begin:
                yield FreeRun(day, begin, slot - begin)
            begin = slot + 1


def open_hosts(schedule: Schedule, day: int) -> list[CalendarEvent]:
    """Return the events of a day that can still take an item in."""
    guests = {item.host for item in schedule.items}
    return [event for event in schedule.events if event.can_embed and event.at.day == day and event.id not in guests]


def pending(schedule: Schedule) -> list[TaskItem]:
    return [item for item in schedule.items if item.at is None]
