"""``bandsmith calendar``: from an iCalendar file to a plan that was confirmed, and back to a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

LESSONS = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//tests//EN
BEGIN:VEVENT
UID:lesson
SUMMARY:Lesson
DTSTART:20261123T080000
DTEND:20261123T100000
RRULE:FREQ=WEEKLY
END:VEVENT
END:VCALENDAR
"""


@pytest.fixture
def calendar(talk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Run ``bandsmith calendar`` with a week of lessons and three pending items."""
    monkeypatch.setenv("BANDSMITH_CALENDARS", f"sqlite:///{tmp_path / 'calendars.db'}")
    (tmp_path / "lessons.ics").write_text(LESSONS)

    def run(*words: str, piped: str = ""):
        return talk("calendar", *words, piped=piped)

    assert run("import", "lessons.ics", "--from", "2026-11-23", "--days", "7").out.startswith("Imported one event")
    assert "3 pending items" in run("add", "Algebra", "--items", "3", "--not-on", "7").out
    return run


def stored(calendar) -> dict:
    return json.loads(calendar("show", "--json").out)


def test_a_plan_is_shown_and_stored_after_a_yes(calendar):
    planned = calendar("plan", piped="y\n")
    assert planned.code == 0
    assert "Place all 3 pending task items" in planned.out and "Algebra 1" in planned.out
    assert {item["status"] for item in stored(calendar)["items"]} == {"suggested"}


def test_a_plan_that_is_declined_changes_nothing(calendar):
    before = stored(calendar)
    assert calendar("plan", piped="n\n").code == 1
    assert stored(calendar) == before


def test_a_change_that_breaks_a_rule_is_refused_with_its_reason(calendar):
    refused = calendar("call", "place", "task_id=algebra-1", "day=1", "slot_start=1", "--yes")
    assert refused.code == 2
    assert refused.err == "Algebra 1 would overlap Lesson on day 1, slot 1.\n"


def test_a_file_that_is_imported_twice_changes_nothing(calendar):
    before = stored(calendar)
    calendar("import", "lessons.ics")
    assert stored(calendar) == before


def test_the_plan_is_exported_and_never_over_a_file(calendar, tmp_path: Path):
    calendar("plan", "--yes")
    assert calendar("export", "plan.ics").out == "Wrote plan.ics.\n"
    assert (tmp_path / "plan.ics").read_bytes().count(b"SUMMARY:Algebra") == 3
    assert calendar("export", "plan.ics").code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "--calendar", "work"], "There is no calendar “work”."),
        (["call", "guess"], "There is no tool guess. The tools are: "),
        (["call", "place", "day=1"], "place does not take these arguments: task_id, slot_start."),
        (["import", "missing.ics"], "missing.ics cannot be opened."),
        (["add", "Later", "--before", "2027-03-01"], "The last day is 2026-11-29."),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(calendar, words: list[str], said: str):
    printed = calendar(*words)
    assert printed.code == 2
    assert said in printed.err
