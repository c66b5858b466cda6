"""iCalendar files: read into events of a planning window, and written from a calendar.

An event takes every slot that it touches. What lies outside the window's slots is cut off or left out and counted,
never moved; an event of a whole day is left out too, since it would leave no slot free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, takewhile
from typing import NamedTuple

import icalendar
from dateutil.rrule import rruleset, rrulestr

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.schedule import MAX_ENTRIES, CalendarEvent, Position, Schedule, Window

MAX_FILE_BYTES = 5_000_000
MAX_NAME_CHARS = 200


class ReadEvents(NamedTuple):
    events: list[CalendarEvent]
    whole_days: int
    """Events of whole days, which were left out."""
    outside: int
    """Events outside the window's days or slots, which were left out."""


class _Occurrence(NamedTuple):
    uid: str
    name: str
    begin: datetime
    end: datetime


def read_events(content: bytes, window: Window, *, lock: bool = True, can_embed: bool = False) -> ReadEvents:
    """Return the events of an iCalendar file that fall into the window. Raises ``BadInput``."""
    if len(content) > MAX_FILE_BYTES:
        raise BadInput.of("schedule.file_large", code="calendar")
    found, whole_days, outside = list[CalendarEvent](), 0, 0
    try:
        components = icalendar.Calendar.from_ical(content).events
        replaced = _replaced(components)
        for component in components:
            if str(component.get("STATUS", "")).upper() == "CANCELLED":
                continue
            if not isinstance(component.start, datetime):
                whole_days += 1
                continue
            for occurrence in islice(_occurrences(component, replaced, window), MAX_ENTRIES + 1):
                event = _event(occurrence, window)
                if event is None:
                    outside += 1
                else:
                    found.append(event.model_copy(update={"is_locked": lock, "can_embed": can_embed}))
    except (ValueError, IndexError, KeyError, AttributeError, TypeError, icalendar.InvalidCalendar):
        raise BadInput.of("schedule.file_unreadable", code="calendar") from None
    if len(found) > MAX_ENTRIES:
        raise BadInput.of("schedule.file_large", code="calendar")
    unique = {event.id: event for event in found}
    return ReadEvents(sorted(unique.values(), key=lambda event: event.at.order), whole_days, outside)


def write_calendar(schedule: Schedule, name: str) -> bytes:
    """Return events and placed task items as an iCalendar file, in local time without a zone."""
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//Bandsmith//calendar//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", name)
    for entry in schedule.entries:
        if entry.at is None:
            continue
        written = icalendar.Event()
        day = schedule.window.date_of(entry.at.day)
        begin = datetime.combine(day, schedule.window.clock(entry.at.slot))
        written.add("uid", f"{entry.id}@bandsmith")
        written.add("dtstamp", datetime.now(UTC))
        written.add("summary", entry.name)
        written.add("dtstart", begin)
        written.add("dtend", begin + timedelta(minutes=entry.duration * schedule.window.slot_minutes))
        calendar.add_component(written)
    return bytes(calendar.to_ical())


def _replaced(components: Iterable[icalendar.Event]) -> set[tuple[str, datetime]]:
    """Return the occurrences of recurring events that a component of their own stands for: the UID and the moment."""
    named = ((str(component.get("UID", "")), component.RECURRENCE_ID) for component in components)
    return {(uid, _local(moment)) for uid, moment in named if moment is not None}


def _occurrences(
    component: icalendar.Event, replaced: set[tuple[str, datetime]], window: Window
) -> Iterator[_Occurrence]:
    """Yield the occurrences of an event that begin in the window, in local time."""
    begin, end = _local(component.start), _local(component.end)
    name = str(component.get("SUMMARY", ""))[:MAX_NAME_CHARS] or "-"
    uid = str(component.get("UID", name))
    first, last = (datetime.combine(window.date_of(day), time()) for day in (1, window.days + 1))
    moments: Iterable[datetime] = [begin]
    recurs = component.RECURRENCE_ID is None and bool(component.rrules or component.rdates)
    if recurs:
        moments = takewhile(lambda moment: moment < last, _recurrence(component, begin).xafter(first, inc=True))
    for moment in moments:
        if first <= moment < last and not (recurs and (uid, moment) in replaced):
            yield _Occurrence(uid, name, moment, moment + (end - begin))


def _recurrence(component: icalendar.Event, begin: datetime) -> rruleset:
    """Return the moments at which an event recurs. Raises ``ValueError`` for one that recurs within a day."""
    rules = rruleset()
    rules.rdate(begin)
    for rule in component.rrules:
        if rule.get("FREQ", [""])[0] not in ("DAILY", "WEEKLY", "MONTHLY", "YEARLY"):
            raise ValueError
        rules.rrule(rrulestr(_without_zone(rule.to_ical().decode()), dtstart=begin))
    for added, _ in component.rdates:
        rules.rdate(_local(added))
    for excluded in component.exdates:
        rules.exdate(_local(excluded))
    return rules


def _without_zone(rule: str) -> str:
    """Return a rule whose UNTIL is local time, as the beginning is."""
    parts = [part.removesuffix("Z") if part.upper().startswith("UNTIL=") else part for part in rule.split(";")]
    return ";".join(parts)


def _local(moment: date) -> datetime:
    """Return a moment as local time without a zone; a date as its midnight."""
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time())
    return moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment


def _event(occurrence: _Occurrence, window: Window) -> CalendarEvent | None:
    """Return the occurrence as an event on the slots that it touches; None: it touches none."""
    day = window.day_of(occurrence.begin.date())
    if day is None:
        return None
    opening = datetime.combine(occurrence.begin.date(), window.first_slot)
    minutes = [(moment - opening).total_seconds() / 60 for moment in (occurrence.begin, occurrence.end)]
    first = max(0, int(minutes[0] // window.slot_minutes))
    last = min(window.slots, int(-(-minutes[1] // window.slot_minutes)))
    if first >= last:
        return None
    return CalendarEvent(
        id=f"{occurrence.uid[:60]}@{occurrence.begin:%m%d%H%M}",
        name=occurrence.name,
        at=Position(day=day, slot=first + 1),
        duration=last - first,
    )
