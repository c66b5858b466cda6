"""What a user is told about scheduled runs: a line for each, and what a change did."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from bandsmith.shared.language import Language
from bandsmith.shared.model.run_request import RunAction, RunView
from bandsmith.shared.replies import listed, text

from .times import zone_of

CHANGED: dict[RunAction, str] = {
    "add": "runs.added",
    "pause": "runs.paused",
    "resume": "runs.resumed",
    "cancel": "runs.removed",
    "now": "runs.talk.started",
}


def changed_words(do: RunAction, run: RunView, language: Language) -> str:
    """Return what was done with a run."""
    due = local_time(run.next_due, run.zone) if run.next_due else ""
    return text(CHANGED[do], language, name=run.name, due=due)


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


def shown_place(place: str) -> str:
    """Return a place that files go to, with ``~`` for the home folder."""
    path, home = Path(place), Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if home in path.parents else place


def local_time(moment: datetime, zone: str) -> str:
    return f"{moment.astimezone(zone_of(zone)):%Y-%m-%d %H:%M}"
