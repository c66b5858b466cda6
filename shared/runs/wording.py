"""What a user is told about scheduled runs: a line for each, and what a change did."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

from bandsmith.shared.errors import BadInput
from bandsmith.shared.language import Language
from bandsmith.shared.model.run import Times
from bandsmith.shared.model.run_request import RunAction, RunEdit, RunView
from bandsmith.shared.replies import listed, text

from .times import begins_after, checked, first_dues, zone_of

MAX_SHOWN_TIMES = 3

CHANGED: dict[RunAction, str] = {
    "add": "runs.added",
    "pause": "runs.paused",
    "resume": "runs.resumed",
    "cancel": "runs.removed",
    "now": "runs.talk.started",
    "change": "runs.talk.changed",
}


def changed_words(do: RunAction, run: RunView, language: Language) -> str:
    """Return what was done with a run."""
    due = local_time(run.next_due, run.zone) if run.next_due else ""
    code = "runs.talk.added_paused" if do == "add" and run.paused else CHANGED[do]
    return text(code, language, name=run.name, due=due)


def run_line(run: RunView, language: Language) -> str:
    """Return a run in one line: when it is due, where its files go, and how it ended."""
    if run.running:
        state = text("runs.states.running", language)
    elif run.paused:
        state = text("runs.states.paused", language)
    elif run.next_due:
        state = text("runs.talk.next", language, due=local_time(run.next_due, run.zone), zone=run.zone)
    else:
        state = text("runs.states.over", language)
    last = text("runs.talk.last", language, outcome=text(f"runs.states.{run.last}", language)) if run.last else ""
    places = listed([shown_place(place) for place in run.places], language)
    return text("runs.talk.line", language, name=run.name, state=state, places=places, last=last)


def edit_lines(edit: RunEdit, zone: str, now: datetime, language: Language) -> list[str]:
    """Return what would be different in a run, a line each. Raises ``BadInput`` for times that never come."""
    lines = []
    if edit.rule:
        times = checked(Times(rule=edit.rule, zone=zone, begins=begins_after(now, zone), excluded=edit.excluded))
        due = first_dues(times, now, MAX_SHOWN_TIMES)
        if not due:
            raise BadInput.of("runs.never", code="run")
        moments = listed([local_time(moment, zone) for moment in due], language)
        lines.append(text("runs.talk.due", language, times=moments, zone=zone))
    if edit.excluded:
        lines.append(excluded_words(edit.excluded, language))
    if edit.period:
        lines.append(text("runs.talk.rows", language, period=edit.period))
    if edit.formats:
        formats = listed([form.upper() for form in edit.formats], language)
        lines.append(text("runs.talk.formats", language, formats=formats))
    if places := [one for one in (shown_place(edit.folder), *edit.mail) if one]:
        lines.append(text("runs.talk.delivers", language, places=listed(places, language)))
    if edit.tell:
        lines.append(text("runs.talk.tells", language, addresses=listed(edit.tell, language)))
    return lines


def excluded_words(days: Sequence[date], language: Language) -> str:
    return text("runs.talk.excluded", language, days=listed([day.isoformat() for day in days], language))


def shown_place(place: str) -> str:
    """Return a place that files go to, with ``~`` for the home folder."""
    if not place:
        return ""
    path, home = Path(place), Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if home in path.parents else place


def local_time(moment: datetime, zone: str) -> str:
    return f"{moment.astimezone(zone_of(zone)):%Y-%m-%d %H:%M}"
