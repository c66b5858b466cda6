"""The rhythm of each day: how its task items follow each other. Shown to a model or a person; nothing is judged."""

from __future__ import annotations

from typing import NamedTuple

from bandsmith.shared.model.schedule import Schedule

from .health import measure


class DayRhythm(NamedTuple):
    day: int
    items: int
    slots: int
    """Taken by task items."""
    switches: int
    longest_block: int
    demanding_pairs: int
    strain: int


def rhythm(schedule: Schedule) -> list[DayRhythm]:
    """Return the rhythm of each day that has task items, in the order of days."""
    found = []
    for day in sorted({item.at.day for item in schedule.items if item.at is not None}):
        items = [item for item in schedule.items if item.at is not None and item.at.day == day]
        health = measure(schedule.model_copy(update={"items": items}))
        taken = sum(item.duration for item in items)
        found.append(
            DayRhythm(
                day, len(items), taken, health.switches, health.longest_block, health.demanding_pairs, health.strain
            )
        )
    return found
