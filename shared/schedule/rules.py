"""What may stand where in a calendar: every rule, held on a whole calendar.

A change is tried on a copy and refused if the copy breaks a rule that the calendar kept before, so that no tool has
rules of its own. A calendar that came with collisions (two meetings at the same time) may keep them, but not gain any.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from bandsmith.shared.model.schedule import (
    CalendarEvent,
    Entry,
    Position,
    Schedule,
    SharedLimit,
    TaskClass,
    TaskItem,
    Window,
)


class Violation(NamedTuple):
    """A broken rule: the code of its sentence, and what the sentence names."""

    code: str
    values: tuple[tuple[str, object], ...]


def violation(code: str, **values: object) -> Violation:
    return Violation(code, tuple(values.items()))


def violations(schedule: Schedule) -> Iterator[Violation]:
    """Yield every broken rule of a calendar."""
    classes = {task_class.id: task_class for task_class in schedule.classes}
    for event in schedule.events:
        yield from _outside(schedule.window, event, event.at)
    for item in schedule.items:
        if item.at is not None:
            yield from _outside(schedule.window, item, item.at)
            yield from _excluded(schedule.window, classes[item.task_class], item, item.at)
    yield from _overlaps(schedule)
    yield from _hosts(schedule, classes)
    for task_class in schedule.classes:
        yield from _order(schedule, task_class)
    yield from _daily_limits(schedule)


def _outside(window: Window, entry: Entry, at: Position) -> Iterator[Violation]:
    if not 1 <= at.day <= window.days:
        yield violation("day", name=entry.name, day=at.day, days=window.days)
    elif at.slot < 1 or at.slot + entry.duration - 1 > window.slots:
        last = window.slots - entry.duration + 1
        yield violation("slot", name=entry.name, slot=at.slot, last=last, duration=entry.duration)


def _excluded(window: Window, task_class: TaskClass, item: TaskItem, at: Position) -> Iterator[Violation]:
    last = task_class.last_day or window.days
    if not task_class.first_day <= at.day <= last:
        yield violation("class_days", name=item.name, first=task_class.first_day, last=last)
    if window.weekday_of(at.day) in task_class.excluded_weekdays:
        yield violation("weekday", name=item.name, day=at.day)
    slots = set(range(at.slot, at.slot + item.duration))
    if hit := sorted(slots & set(task_class.excluded_slots)):
        yield violation("excluded_slot", name=item.name, slot=hit[0])


def _overlaps(schedule: Schedule) -> Iterator[Violation]:
    """Two entries at the same time, unless one is inside the other on purpose."""
    by_day: dict[int, list[tuple[int, int, Entry]]] = defaultdict(list)
    for entry in schedule.entries:
        if entry.at is not None and not (isinstance(entry, TaskItem) and entry.host):
            by_day[entry.at.day].append((entry.at.slot, entry.at.slot + entry.duration, entry))
    for day, entries in sorted(by_day.items()):
        entries.sort(key=lambda entry: (entry[0], entry[1], entry[2].id))
        for number, (_, end, first) in enumerate(entries):
            for begin, _, second in entries[number + 1 :]:
                if begin >= end:
                    break
                new, standing = (first, second) if isinstance(second, CalendarEvent) else (second, first)
                yield violation("overlap", name=new.name, other=standing.name, day=day, slot=begin)


def _hosts(schedule: Schedule, classes: dict[str, TaskClass]) -> Iterator[Violation]:
    events = {event.id: event for event in schedule.events}
    seen: dict[str, TaskItem] = {}
    for item in schedule.items:
        if not item.host or item.at is None:
            continue
        host = events[item.host]
        if not host.can_embed:
            yield violation("host", name=item.name, other=host.name)
        if not classes[item.task_class].may_be_embedded:
            yield violation("not_embeddable", name=item.name, other=host.name)
        if not is_inside(item.at, item.duration, host):
            yield violation("beyond_host", name=item.name, other=host.name)
        if host.id in seen:
            yield violation("host_taken", name=item.name, other=host.name, guest=seen[host.id].name)
        seen[host.id] = item


def _order(schedule: Schedule, task_class: TaskClass) -> Iterator[Violation]:
    placed = [(item, item.at) for item in schedule.items_of(task_class) if item.at is not None]
    for (before, at), (after, then) in pairwise(placed):
        if (at.day, at.slot + before.duration) > then.order:
            yield violation("order", name=after.name, other=before.name, day=at.day, slot=at.slot + before.duration - 1)


def daily_limits(schedule: Schedule) -> Iterator[tuple[list[TaskClass], int]]:
    """Yield the classes that a limit of slots a day holds for together, and the limit: one class or several."""
    sharing: dict[SharedLimit, list[TaskClass]] = defaultdict(list)
    for task_class in schedule.classes:
        if task_class.max_slots_a_day is not None:
            yield [task_class], task_class.max_slots_a_day
        if task_class.shared_limit is not None:
            sharing[task_class.shared_limit].append(task_class)
    yield from ((classes, limit.slots_a_day) for limit, classes in sharing.items())


def _daily_limits(schedule: Schedule) -> Iterator[Violation]:
    for classes, limit in daily_limits(schedule):
        ids, taken = {task_class.id for task_class in classes}, defaultdict[int, int](int)
        for item in schedule.items:
            if item.task_class in ids and item.at is not None:
                taken[item.at.day] += item.duration
        names = ", ".join(task_class.name for task_class in classes)
        for day, slots in sorted(taken.items()):
            if slots > limit:
                yield violation("daily_limit", name=names, day=day, limit=limit)


def is_inside(at: Position, duration: int, host: CalendarEvent) -> bool:
    """Return whether something that begins at `at` lies within the event."""
    return at.day == host.at.day and host.at.slot <= at.slot and at.slot + duration <= host.at.slot + host.duration
