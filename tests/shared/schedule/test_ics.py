"""iCalendar files: which slots an event takes, what is left out, and that any file ends in events or a sentence."""

from __future__ import annotations

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.schedule import Window
from bandsmith.shared.schedule.changes import place
from bandsmith.shared.schedule.ics import read_events, write_calendar

from .calendars import MONDAY, revision

WINDOW = Window(start=MONDAY, days=14)


def ics(*lines: str) -> bytes:
    head, tail = "BEGIN:VCALENDAR VERSION:2.0 PRODID:tests BEGIN:VEVENT UID:1", "END:VEVENT END:VCALENDAR"
    return "\r\n".join([*head.split(), *lines, *tail.split(), ""]).encode()


def slots(content: bytes) -> list[tuple[int, int, int]]:
    return [(event.at.day, event.at.slot, event.duration) for event in read_events(content, WINDOW).events]


def test_an_event_takes_every_slot_that_it_touches():
    assert slots(ics("SUMMARY:Talk", "DTSTART:20261124T143000", "DTEND:20261124T160500")) == [(2, 7, 3)]


def test_an_event_that_begins_before_the_first_slot_is_cut():
    assert slots(ics("DTSTART:20261124T070000", "DURATION:PT2H")) == [(2, 1, 1)]


def test_a_recurring_event_is_read_without_its_exceptions():
    lesson = ics(
        "DTSTART:20261116T080000",
        "DTEND:20261116T100000",
        "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231T000000Z",
        "EXDATE:20261125T080000",
    )
    assert [day for day, _, _ in slots(lesson)] == [1, 8, 10]


def test_an_occurrence_that_was_moved_stands_where_it_was_moved_to():
    # Given a lesson each Monday, of which the second was moved to Tuesday afternoon, and one that was added
    weekly = ["DTSTART:20261123T080000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY", "RDATE:20261127T080000"]
    moved = ["RECURRENCE-ID:20261130T080000", "DTSTART:20261201T140000", "DURATION:PT1H"]
    lesson = ics(*weekly, "END:VEVENT", "BEGIN:VEVENT", "UID:1", *moved)

    assert [(day, slot) for day, slot, _ in slots(lesson)] == [(1, 1), (5, 1), (9, 7)]


def test_a_cancelled_event_leaves_its_slots_free():
    weekly = ["DTSTART:20261123T080000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY"]
    cancelled = ["RECURRENCE-ID:20261130T080000", "DTSTART:20261130T080000", "DURATION:PT1H", "STATUS:CANCELLED"]

    assert slots(ics(*weekly, "END:VEVENT", "BEGIN:VEVENT", "UID:1", *cancelled)) == [(1, 1, 1)]


def test_whole_days_and_what_is_outside_are_counted():
    assert read_events(ics("DTSTART;VALUE=DATE:20261124"), WINDOW).whole_days == 1
    assert read_events(ics("DTSTART:20261124T230000", "DURATION:PT1H"), WINDOW).outside == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a calendar",
        b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n",
        b"\xff\xfe\x00",
        ics("DTSTART:20261124T080000", "RRULE:FREQ=SECONDLY"),
        ics("DTSTART:tomorrow"),
        ics("SUMMARY:no begin"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(content: bytes):
    with pytest.raises(BadInput, match="not a calendar that can be read"):
        read_events(content, WINDOW)


def test_a_file_that_is_too_large_is_refused():
    with pytest.raises(BadInput, match="too large"):
        read_events(b"x" * 5_000_001, WINDOW)


@given(st.lists(st.sampled_from([b"BEGIN:VEVENT", b"END:VEVENT", b"DTSTART:20261124T08", b"RRULE:FREQ=DAILY", b":;="])))
def test_any_file_ends_in_events_or_a_sentence(lines: list[bytes]):
    try:
        read_events(b"BEGIN:VCALENDAR\r\n" + b"\r\n".join(lines) + b"\r\nEND:VCALENDAR", WINDOW)
    except BadInput as refused:
        assert refused.message


def test_what_is_written_is_read_by_another_program():
    written = icalendar.Calendar.from_ical(write_calendar(place(revision(), "a1", 1, 3), "main"))
    found = {str(event["SUMMARY"]): (event.start, event.end) for event in written.events}
    assert {name: f"{begin:%m-%d %H:%M}-{end:%H:%M}" for name, (begin, end) in found.items()} == {
        "Lecture": "11-23 08:00-10:00",
        "Shift": "11-24 10:00-14:00",
        "A1": "11-23 10:00-12:00",
    }
