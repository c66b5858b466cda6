"""Answer a question about the calendar from what is in it: facts only, and nothing of days that it does not cover."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Entry, Position, Schedule, Window
from bandsmith.shared.replies import listed, text
from bandsmith.shared.schedule.past import first_ahead
from bandsmith.shared.schedule.views import entries_on, taken_slots
from bandsmith.shared.schedule.wording import clock_spans

from ..language.calendar_sentences import CalendarQuestion

PARTS = {"": (time.min, time.max), "morning": (time.min, time(12)), "afternoon": (time(12), time(18)),
         "evening": (time(18), time.max)}  # fmt: skip
"""When each part of a day begins and ends."""


def answer_words(schedule: Schedule, question: CalendarQuestion, now: datetime, language: Language) -> str:
    """Return a line for each day with how full it is, what stands there if that was asked, and the time that is free.

    Hours that are over are not free.
    """
    asked = question.days
    dates = [asked.first + timedelta(days=number) for number in range((asked.last - asked.first).days + 1)]
    days = [day for when in dates if (day := schedule.window.day_of(when)) is not None]
    lines = [line for day in days for line in _day_lines(schedule, day, question, now, language)]
    if len(days) < len(dates):
        window = schedule.window
        bounds = {"first": window.start.isoformat(), "last": window.date_of(window.days).isoformat()}
        lines.append(text("schedule.answer_of_day.outside", language, **bounds))
    return "\n".join(lines)


def _day_lines(
    schedule: Schedule, day: int, question: CalendarQuestion, now: datetime, language: Language
) -> Iterator[str]:
    window, part = schedule.window, question.days.part
    slots = _slots_of(window, part)
    taken = taken_slots(schedule, day)
    values = {
        "weekday": text(f"schedule.weekday.{window.weekday_of(day)}", language),
        "date": window.date_of(day).isoformat(),
        "taken": _hours(window, len(slots & taken)),
        "hours": _hours(window, len(slots)),
    }
    if part:
        part_words = text(f"schedule.part_of_day.{part}", language)
        yield text("schedule.answer_of_day.head_of_part", language, part=part_words, **values)
    else:
        yield text("schedule.answer_of_day.head", language, **values)
    if question.lists_entries:
        entries = [entry for entry in entries_on(schedule, day) if slots & _slots_taken(entry)]
        yield from (_entry_line(window, entry, language) for entry in entries)
        if not entries:
            yield text("schedule.answer_of_day.empty", language)
    ahead = first_ahead(window, now)
    free = {slot for slot in slots - taken if Position(day=day, slot=slot).order >= ahead.order}
    times = listed(clock_spans(window, free), language)
    yield text(f"schedule.answer_of_day.{'free' if times else 'full'}", language, **({"times": times} if times else {}))


def _slots_of(window: Window, part: str) -> set[int]:
    begin, end = PARTS[part]
    return {slot for slot in range(1, window.slots + 1) if begin <= window.clock(slot) < end}


def _slots_taken(entry: Entry) -> set[int]:
    assert entry.at is not None, "only what stands in the calendar is listed"
    return set(range(entry.at.slot, entry.at.slot + entry.duration))


def _entry_line(window: Window, entry: Entry, language: Language) -> str:
    assert entry.at is not None, "only what stands in the calendar is listed"
    begin, end = window.clock(entry.at.slot), window.clock(entry.at.slot + entry.duration)
    values = {"begin": f"{begin:%H:%M}", "end": f"{end:%H:%M}", "name": entry.name}
    return text("schedule.answer_of_day.entry", language, **values)


def _hours(window: Window, slots: int) -> str:
    return f"{slots * window.slot_minutes / 60:g}"
