"""Where an entry of a calendar may begin: positions that were tried and break no rule."""

from __future__ import annotations

from collections.abc import Iterator

from bandsmith.shared.model.schedule import Entry, Position, Schedule, TaskItem

from .changes import move, place
from .past import BEGINNING
from .refusals import ChangeRefused
from .views import free_runs, open_hosts

MAX_TRIED = 400
"""How many positions are tried for one question: each costs a look at the whole calendar."""


def legal_positions(
    schedule: Schedule, entry: Entry, first_day: int, last_day: int, since: Position = BEGINNING
) -> Iterator[Position]:
    """Yield where the entry may be placed or moved on these days and not before `since`, the earliest first."""
    tried = 0
    for day in range(max(1, first_day), min(last_day, schedule.window.days) + 1):
        for slot in _begins(schedule, entry, day):
            if (day, slot) < since.order or entry.at == Position(day=day, slot=slot):
                continue
            tried += 1
            if tried > MAX_TRIED:
                return
            try:
                (place if entry.at is None else move)(schedule, entry.id, day, slot)
            except ChangeRefused:
                continue
            yield Position(day=day, slot=slot)


def _begins(schedule: Schedule, entry: Entry, day: int) -> list[int]:
    """Return the slots of a day from which on there is room, also inside events that can hold an item.

    An entry that is to be moved makes room itself, and what is inside of it moves with it.
    """
    schedule = _without(schedule, entry)
    runs = [(run.slot, run.last) for run in free_runs(schedule, day)]
    if isinstance(entry, TaskItem):
        runs += [(host.at.slot, host.at.slot + host.duration - 1) for host in open_hosts(schedule, day)]
    return sorted({slot for first, last in runs for slot in range(first, last - entry.duration + 2)})


def _without(schedule: Schedule, entry: Entry) -> Schedule:
    """Return the calendar as it is while an entry is moved."""
    if entry.at is None:
        return schedule
    gone = {entry.id} | {item.id for item in schedule.items if item.host == entry.id}
    return schedule.model_copy(
        update={
            "events": [event for event in schedule.events if event.id not in gone],
            "items": [item for item in schedule.items if item.id not in gone],
        }
    )
