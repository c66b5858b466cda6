"""The changes of positions in a calendar: place, move, swap and unplace. Each returns a new calendar or refuses.

A change is made on a copy without asking what is allowed; ``rules.violations`` then says what the copy breaks. Only
what depends on the kind of an entry is looked at first: a lock, and whether an item is pending.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bandsmith.shared.model.schedule import CalendarEvent, Entry, Position, Schedule, TaskItem

from .refusals import ChangeRefused
from .rules import is_inside, violations


class EntryMove(NamedTuple):
    """An entry and where it is to begin."""

    entry: str
    day: int
    slot: int


def place(schedule: Schedule, item_id: str, day: int, slot: int) -> Schedule:
    """Place a pending item. It becomes ``suggested``. Raises ``ChangeRefused``."""
    item = find_entry(schedule, item_id)
    if isinstance(item, CalendarEvent):
        raise ChangeRefused.of("not_an_item", name=item.name)
    if item.at is not None:
        raise ChangeRefused.of("placed_already", name=item.name, day=item.at.day, slot=item.at.slot)
    at = Position(day=day, slot=slot)
    placed = item.model_copy(update={"status": "suggested", "at": at, "host": _host_at(schedule, item, at)})
    return accepted(schedule, schedule.replacing(placed))


def move(schedule: Schedule, entry_id: str, day: int, slot: int) -> Schedule:
    """Move an event or a placed item; what is inside an event moves with it. Raises ``ChangeRefused``."""
    return batch_move(schedule, [EntryMove(entry_id, day, slot)])


def batch_move(schedule: Schedule, moves: Sequence[EntryMove]) -> Schedule:
    """Move several entries at once, so that they may exchange positions; all or none. Raises ``ChangeRefused``."""
    if len({entry for entry, _, _ in moves}) < len(moves):
        raise ChangeRefused.of("twice")
    draft = schedule
    # Events go first: an item is put inside the event that is there after all events were moved.
    for entry_id, day, slot in sorted(moves, key=lambda wanted: schedule.event(wanted.entry) is None):
        draft = _moved(draft, _movable(schedule, entry_id), Position(day=day, slot=slot))
    return accepted(schedule, draft)


def swap(schedule: Schedule, first_id: str, second_id: str) -> Schedule:
    """Exchange two placed entries of the same length. Raises ``ChangeRefused``."""
    first, second = _movable(schedule, first_id), _movable(schedule, second_id)
    if first.id == second.id:
        raise ChangeRefused.of("same", name=first.name)
    if first.duration != second.duration:
        raise ChangeRefused.of("lengths", name=first.name, other=second.name)
    assert first.at is not None and second.at is not None
    return batch_move(schedule, [EntryMove(first.id, *second.at.order), EntryMove(second.id, *first.at.order)])


def unplace(schedule: Schedule, item_id: str) -> Schedule:
    """Take a placed item out of the calendar; it is pending again. Raises ``ChangeRefused``."""
    item = _movable(schedule, item_id)
    if isinstance(item, CalendarEvent):
        raise ChangeRefused.of("not_an_item", name=item.name)
    return schedule.replacing(item.model_copy(update={"status": "pending", "at": None, "host": ""}))


def find_entry(schedule: Schedule, entry_id: str) -> Entry:
    """Return the event or task item of that id. Raises ``ChangeRefused``."""
    found = schedule.item(entry_id) or schedule.event(entry_id)
    if found is None:
        raise ChangeRefused.of("unknown", id=entry_id)
    return found


def _movable(schedule: Schedule, entry_id: str) -> Entry:
    """Return an entry that stands in the calendar and is not locked, neither itself nor by its host."""
    entry = find_entry(schedule, entry_id)
    if entry.at is None:
        raise ChangeRefused.of("pending", name=entry.name)
    hold_unlocked(schedule, entry)
    return entry


def hold_unlocked(schedule: Schedule, entry: Entry) -> None:
    """Hold that an entry is not locked, neither itself nor by its host. Raises ``ChangeRefused``."""
    host = schedule.event(entry.host) if isinstance(entry, TaskItem) else None
    lock = next((one for one in (entry, host) if one is not None and one.is_locked), None)
    if lock is not None:
        raise ChangeRefused.of("locked", name=lock.name)


def _moved(schedule: Schedule, entry: Entry, at: Position) -> Schedule:
    if isinstance(entry, TaskItem):
        host = _host_at(schedule.replacing(_without_host(entry)), entry, at)
        return schedule.replacing(entry.model_copy(update={"at": at, "host": host}))
    changed: list[Entry] = [entry.model_copy(update={"at": at})]
    guest = schedule.guest_of(entry)
    if guest is not None and guest.at is not None:
        inside = Position(day=at.day, slot=guest.at.slot + at.slot - entry.at.slot)
        changed.append(guest.model_copy(update={"at": inside}))
    return schedule.replacing(*changed)


def _without_host(item: TaskItem) -> TaskItem:
    return item.model_copy(update={"host": ""})


def _host_at(schedule: Schedule, item: TaskItem, at: Position) -> str:
    """Return the id of the event that can take the item in at this position; empty where there is none."""
    inside = (event.id for event in schedule.events if event.can_embed and is_inside(at, item.duration, event))
    return next(inside, "")


def accepted(before: Schedule, after: Schedule) -> Schedule:
    """Return the changed calendar if it breaks no rule that it kept before. Raises ``ChangeRefused``."""
    broken = list(violations(after))
    if broken:
        known = set(violations(before))
        news = next((found for found in broken if found not in known), None)
        if news is not None:
            raise ChangeRefused.of(news.code, **dict(news.values))
    return after
