"""Work that a task plans in a calendar: what the user wants of it, and the pieces of work that a model names."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from .base import Value
from .schedule import MAX_SLOTS, Strategy

MAX_WORK_ITEMS = 200
DEFAULT_CALENDAR = "main"


class Planning(Value):
    """How a message about work is meant."""

    calendar: str = Field(default=DEFAULT_CALENDAR, max_length=80)
    """Name of the calendar that is planned in."""


class WorkWanted(Value):
    """Pieces of work of one kind, as a user's words ask for them. The program works out where they are placed."""

    name: str = Field(min_length=1, max_length=120)
    items: int = Field(default=1, ge=1, le=MAX_WORK_ITEMS)
    slots: int = Field(default=2, ge=1, le=MAX_SLOTS)
    """How many slots each takes."""
    strategy: Strategy = "steady"
    not_before: date | None = None
    not_after: date | None = None
    excluded_weekdays: list[int] = Field(default=[], max_length=7)
    """1 for Monday to 7 for Sunday."""
    excluded_slots: list[int] = Field(default=[], max_length=MAX_SLOTS)
    max_slots_a_day: int | None = Field(default=None, ge=1, le=MAX_SLOTS)
    is_demanding: bool = False
