"""Rough placement: 200 pieces of work in four weeks with 40 fixed events, beside a first-fit placement of the same.

Legality is checked by the rules that hold for every change. What ``steady`` is for is measured by two figures: how far
an item begins from where an even spread would put it, and how uneven the loads of the days are.
"""

from __future__ import annotations

import random
import time
from datetime import date
from itertools import islice
from statistics import fmean, median, pstdev

from bandsmith.shared.model.schedule import (
    CalendarEvent,
    Position,
    Schedule,
    TaskClass,
    TaskItem,
    Window,
    pending_items,
)
from bandsmith.shared.schedule.changes import place
from bandsmith.shared.schedule.placement import place_all
from bandsmith.shared.schedule.positions import legal_positions
from bandsmith.shared.schedule.rules import violations
from bandsmith.shared.schedule.views import pending

from .results import Result

MONDAY = date(2026, 11, 23)
TARGET_S = 2.0


async def measure(items: int = 200, events: int = 40, days: int = 28, rounds: int = 5) -> list[Result]:
    """Return the seconds of a placement, and its spread beside that of first-fit."""
    seconds, processor = list[float](), list[float]()
    spreads, first_spreads = list[tuple[float, float]](), list[tuple[float, float]]()
    for seed in range(rounds):
        wanted = calendar(seed, items, events, days)
        began, worked = time.perf_counter(), time.process_time()
        placed = place_all(wanted).schedule
        seconds.append(time.perf_counter() - began)
        processor.append(time.process_time() - worked)
        assert placed is not None and not list(violations(placed)), "not everything was placed legally"
        spreads.append(spread(placed))
        first_spreads.append(spread(first_fit(wanted)))
    distance, unevenness = (fmean(found) for found in zip(*spreads, strict=True))
    first_distance, first_unevenness = (fmean(found) for found in zip(*first_spreads, strict=True))
    what = f"{items} items, {events} fixed events, {days} days"
    return [
        Result(
            f"placing {what}", f"{max(seconds):.2f} s", f"at most {TARGET_S:.0f} s", f"slowest of {rounds}, all legal; "
            f"median {median(seconds):.2f} s, {median(processor):.2f} s of processor time",
        ),
        Result(
            "distance from an even spread / first-fit", f"{distance / first_distance:.2f}", "below 1",
            f"{distance:.1f} / {first_distance:.1f} days an item",
        ),
        Result(
            "unevenness of the days / first-fit", f"{unevenness / first_unevenness:.2f}", "below 1",
            f"standard deviation of {unevenness:.1f} / {first_unevenness:.1f} slots a day",
        ),
    ]  # fmt: skip


def calendar(seed: int, items: int, events: int, days: int) -> Schedule:
    """Return a calendar with fixed events, and pending items of ten steady classes."""
    chance = random.Random(seed)
    blocks = [(day, slot) for day in range(1, days + 1) for slot in (1, 3, 5, 7, 9, 11)]
    fixed = [
        CalendarEvent(
            id=f"e{number}", name=f"Event {number}", at=Position(day=day, slot=slot), duration=2, is_locked=True
        )
        for number, (day, slot) in enumerate(chance.sample(blocks, events))
    ]
    count = min(10, items)
    classes = [TaskClass(id=f"c{number}", name=f"Class {number}", max_slots_a_day=4) for number in range(count)]
    work: list[TaskItem] = [item for one in classes for item in pending_items(one, items // count, 1)]
    return Schedule(window=Window(start=MONDAY, days=days), events=fixed, classes=classes, items=work)


def first_fit(schedule: Schedule) -> Schedule:
    """Return the calendar with each item at the first position that the rules allow."""
    for item in sorted(pending(schedule), key=lambda item: (item.number, item.task_class)):
        for at in islice(legal_positions(schedule, item, 1, schedule.window.days), 1):
            schedule = place(schedule, item.id, at.day, at.slot)
    return schedule


def spread(schedule: Schedule) -> tuple[float, float]:
    """Return the mean distance of an item from an even spread in days, and the deviation of the days' loads."""
    days, distances = schedule.window.days, list[float]()
    loads = dict.fromkeys(range(1, days + 1), 0)
    for task_class in schedule.classes:
        items = schedule.items_of(task_class)
        for number, item in enumerate(items):
            assert item.at is not None
            distances.append(abs(item.at.day - (1 + (2 * number + 1) * days // (2 * len(items)))))
            loads[item.at.day] += item.duration
    return fmean(distances), pstdev(loads.values())
