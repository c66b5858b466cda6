"""What of a calendar is over: work is placed from now on, never before."""

from __future__ import annotations

from datetime import datetime

from bandsmith.shared.model.schedule import Position, Window

BEGINNING = Position(day=1, slot=1)


def local_now() -> datetime:
    """Return the time of this machine, in which calendars are read."""
    return datetime.now()


def first_ahead(window: Window, now: datetime) -> Position:
    """Return the first slot that has not begun; a day after the last one if all of the window is over."""
    day = (now.date() - window.start).days + 1
    if day < 1:
        return BEGINNING
    clocks = (window.clock(slot) for slot in range(1, window.slots + 1))
    begun = sum(clock < now.time() for clock in clocks)
    at = Position(day=day, slot=begun + 1) if begun < window.slots else Position(day=day + 1, slot=1)
    return min(at, Position(day=window.days + 1, slot=1), key=lambda position: position.order)
