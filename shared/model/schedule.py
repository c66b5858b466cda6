"""A calendar that a task works on: what is in it, what is still to be placed, and how time is counted.

Days are numbered 1 to ``window.days`` from the window's first date, slots 1 to ``window.slots`` within a day. Only the
program maps them to dates and clock times; models and tools use the numbers.
"""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Literal, Self

from pydantic import Field, model_validator

from .base import Value

MAX_DAYS = 366
MAX_SLOTS = 48
MAX_ENTRIES = 5000
"""How many events, and how many task items, a calendar may hold."""

Status = Literal["pending", "suggested", "existing"]
Strategy = Literal["steady", "rapid"]
Level = Literal["low", "medium", "high"]


class Window(Value):
    """The days that are planned, and the slots of each."""

    start: date
    """Date of day 1."""
    days: int = Field(ge=1, le=MAX_DAYS)
    slots: int = Field(default=12, ge=1, le=MAX_SLOTS)
    first_slot: time = time(8, 0)
    """When slot 1 of a day begins."""
    slot_minutes: int = Field(default=60, ge=5, le=240)

    def date_of(self, day: int) -> date:
        return self.start + timedelta(days=day - 1)

    def weekday_of(self, day: int) -> int:
        """Return 1 for Monday to 7 for Sunday."""
        return self.date_of(day).isoweekday()

    def day_of(self, when: date) -> int | None:
        """Return the day's number; None: the date is outside the window."""
        day = (when - self.start).days + 1
        return day if 1 <= day <= self.days else None

    def clock(self, slot: int) -> time:
        """Return when a slot begins; ``slots + 1`` gives when the day ends."""
        minutes = self.first_slot.hour * 60 + self.first_slot.minute + (slot - 1) * self.slot_minutes
        return time(minutes // 60 % 24, minutes % 60)


class Position(Value):
    """Where something begins."""

    day: int
    slot: int

    @property
    def order(self) -> tuple[int, int]:
        return self.day, self.slot


class CalendarEvent(Value):
    """Something that is already in the calendar: a lesson, a meeting, a shift."""

    id: str
    name: str
    at: Position
    duration: int = Field(ge=1, le=MAX_SLOTS)
    """In slots."""
    is_locked: bool = False
    """Whether it may not be moved."""
    can_embed: bool = False
    """Whether it can hold one task item."""


class SharedLimit(Value):
    """A limit of slots a day for several task classes together: those that have the same one."""

    id: str
    slots_a_day: int = Field(ge=1, le=MAX_SLOTS)


class TaskClass(Value):
    """Task items of one kind, which keep their order."""

    id: str
    name: str
    strategy: Strategy = "steady"
    """``steady`` spreads the items evenly over the window, ``rapid`` places them as early as possible."""
    first_day: int = 1
    last_day: int | None = None
    """The last day on which an item may be placed; None: the window's last."""
    excluded_slots: list[int] = []
    excluded_weekdays: list[int] = []
    """1 for Monday to 7 for Sunday."""
    max_slots_a_day: int | None = None
    shared_limit: SharedLimit | None = None
    may_be_embedded: bool = False
    subject_type: str = ""
    difficulty: Level | None = None
    intensity: Level | None = None
    """How demanding its items are."""


class TaskItem(Value):
    """One piece of work of a task class."""

    id: str
    name: str
    task_class: str
    """Id of its class."""
    number: int
    """Its position in the order of the class, from 1."""
    duration: int = Field(ge=1, le=MAX_SLOTS)
    """In slots."""
    status: Status = "pending"
    at: Position | None = None
    """None: it is pending."""
    host: str = ""
    """Id of the event that it is placed inside."""
    is_locked: bool = False
    """Whether it may not be moved."""

    @model_validator(mode="after")
    def _has_a_position_unless_pending(self) -> Self:
        if (self.status == "pending") != (self.at is None) or (self.host and self.at is None):
            raise ValueError("a pending item has no position, and any other has one")
        return self


def pending_items(task_class: TaskClass, count: int, slots: int) -> list[TaskItem]:
    """Return so many new items of a class, in order, each so many slots long."""
    return [
        TaskItem(
            id=f"{task_class.id}-{number}",
            name=task_class.name if count == 1 else f"{task_class.name} {number}",
            task_class=task_class.id,
            number=number,
            duration=slots,
        )
        for number in range(1, count + 1)
    ]


Entry = CalendarEvent | TaskItem
"""What can be in a calendar."""


class Schedule(Value):
    """The whole calendar of a planning window."""

    window: Window
    events: list[CalendarEvent] = Field(default=[], max_length=MAX_ENTRIES)
    classes: list[TaskClass] = []
    items: list[TaskItem] = Field(default=[], max_length=MAX_ENTRIES)

    @model_validator(mode="after")
    def _ids_are_unique_and_known(self) -> Self:
        ids = [entry.id for entry in self.entries]
        classes = [task_class.id for task_class in self.classes]
        hosts = {event.id for event in self.events}
        if len(set(ids)) < len(ids) or len(set(classes)) < len(classes):
            raise ValueError("an id is used twice")
        if any(item.task_class not in classes or (item.host and item.host not in hosts) for item in self.items):
            raise ValueError("a task item refers to a class or an event that does not exist")
        return self

    @property
    def entries(self) -> list[Entry]:
        return [*self.events, *self.items]

    def event(self, entry_id: str) -> CalendarEvent | None:
        return next((event for event in self.events if event.id == entry_id), None)

    def item(self, entry_id: str) -> TaskItem | None:
        return next((item for item in self.items if item.id == entry_id), None)

    def class_of(self, item: TaskItem) -> TaskClass:
        return next(task_class for task_class in self.classes if task_class.id == item.task_class)

    def guest_of(self, event: CalendarEvent) -> TaskItem | None:
        """Return the task item that is placed inside the event."""
        return next((item for item in self.items if item.host == event.id), None)

    def items_of(self, task_class: TaskClass) -> list[TaskItem]:
        """Return the items of a class in their order."""
        return sorted((item for item in self.items if item.task_class == task_class.id), key=lambda item: item.number)

    def replacing(self, *entries: CalendarEvent | TaskItem) -> Schedule:
        """Return the calendar with these entries in the places of those with the same ids."""
        new = {entry.id: entry for entry in entries}
        return self.model_copy(
            update={
                "events": [new.get(event.id, event) for event in self.events],
                "items": [new.get(item.id, item) for item in self.items],
            }
        )
