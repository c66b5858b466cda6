"""Calendars that tests are tried on: a small one with names, and generated ones."""

from __future__ import annotations

import random
from datetime import date
from typing import Any

from bandsmith.shared.model.schedule import CalendarEvent, Level, Position, Schedule, TaskClass, TaskItem, Window

MONDAY = date(2026, 11, 23)
SETTLED: dict[str, Any] = {"status": "existing"}


def event(name: str, day: int, slot: int, duration: int = 2, **more: bool) -> CalendarEvent:
    return CalendarEvent(id=name.lower(), name=name, at=Position(day=day, slot=slot), duration=duration, **more)


def item(name: str, number: int, task_class: str = "algebra", duration: int = 2, **more: object) -> TaskItem:
    return TaskItem.model_validate(
        {"id": name.lower(), "name": name, "task_class": task_class, "number": number, "duration": duration} | more
    )


def revision() -> Schedule:
    """A week: a locked lecture, a shift that takes one task in, and two classes of two pending items each."""
    return Schedule(
        window=Window(start=MONDAY, days=7),
        events=[event("Lecture", 1, 1, is_locked=True), event("Shift", 2, 3, 4, can_embed=True)],
        classes=[
            TaskClass(id="algebra", name="Algebra", excluded_weekdays=[7], may_be_embedded=True),
            TaskClass(id="mechanics", name="Mechanics", excluded_slots=[11, 12]),
        ],
        items=[item("A1", 1), item("A2", 2), item("M1", 1, "mechanics"), item("M2", 2, "mechanics")],
    )


def demanding_day(days: int = 5) -> Schedule:
    """A day with two demanding items in a row, in a window that is otherwise empty."""
    classes = [
        TaskClass(id=name, name=name, subject_type="sums", difficulty="high", intensity="high")
        for name in ("algebra", "mechanics")
    ]
    items = [
        item("A1", 1, at={"day": 1, "slot": 1}, **SETTLED),
        item("M1", 1, "mechanics", at={"day": 1, "slot": 3}, **SETTLED),
    ]
    return Schedule(window=Window(start=MONDAY, days=days), classes=classes, items=items)


def generated(seed: int, *, days: int = 14, events: int = 12, items: int = 40) -> Schedule:
    """A calendar with events that do not overlap, some locked or open to a task, and pending items of five classes."""
    chance = random.Random(seed)
    blocks = [(day, slot) for day in range(1, days + 1) for slot in (1, 3, 5, 7, 9, 11)]
    levels: tuple[Level, ...] = ("low", "medium", "high")
    return Schedule(
        window=Window(start=MONDAY, days=days),
        events=[
            CalendarEvent(
                id=f"e{number}",
                name=f"Event {number}",
                at=Position(day=day, slot=slot),
                duration=2,
                is_locked=chance.random() < 0.4,
                can_embed=chance.random() < 0.3,
            )
            for number, (day, slot) in enumerate(chance.sample(blocks, events))
        ],
        classes=[
            TaskClass(
                id=f"c{number}",
                name=f"Class {number}",
                strategy=chance.choice(("steady", "rapid")),
                excluded_weekdays=chance.sample(range(1, 8), chance.randint(0, 2)),
                excluded_slots=chance.choice(([], [12], [1, 2])),
                max_slots_a_day=chance.choice((None, 4)),
                may_be_embedded=chance.random() < 0.5,
                subject_type=chance.choice(("reading", "sums")),
                difficulty="medium",
                intensity=chance.choice(levels),
            )
            for number in range(5)
        ],
        items=[
            TaskItem(
                id=f"t{number}",
                name=f"Task {number}",
                task_class=f"c{number % 5}",
                number=number // 5 + 1,
                duration=chance.choice((1, 1, 2)),
            )
            for number in range(items)
        ],
    )
