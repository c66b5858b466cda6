"""Measure tasks with the configured model: ``make measure-tasks``, ``make measure-tasks ARGS="--only 1-10"``.

Each task begins with the sample timetable. The user's answers are those of the file; the calendar is then held against
what the task asked for. Counted are the tasks that were done as asked, the writes without consent, the calls
of the model and the tokens.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from datetime import date, time
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.table import Table

from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.events import TurnFinished
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.schedule import Schedule, TaskItem, Window
from bandsmith.shared.model.task import Planning
from bandsmith.shared.schedule.ics import read_events
from bandsmith.shared.schedule.store import CalendarStore
from bandsmith.shared.settings import CalendarSettings

FILE = Path(__file__).with_name("tasks.yaml")
TIMETABLE = Path(__file__).parents[1] / "samples" / "timetable.ics"
WINDOW = Window(start=date(2026, 11, 23), days=21)
MAX_ANSWERS = 8


class Measured(Value):
    """What became of one task."""

    number: int
    faults: list[str]
    """What does not hold of what was asked for; empty: done as asked."""
    unconsented: int
    """Changes of the calendar that came without a yes."""
    calls: int
    tokens: int


async def main(only: range) -> list[Measured]:
    """Run the tasks one after another."""
    tasks = yaml.safe_load(FILE.read_text("utf-8"))
    store = CalendarStore(CalendarSettings().url)
    measured = []
    async with local(store=Path(os.environ["BANDSMITH_HOME"]) / "bus") as bus:
        client = Client(bus)
        for number, task in enumerate(tasks, 1):
            if number in only:
                store.put("main", timetable())
                measured.append(await run(client, store, number, task))
                print(f"{number}: {'; '.join(measured[-1].faults) or 'as asked'}", flush=True)
    store.close()
    return measured


async def run(client: Client, store: CalendarStore, number: int, task: dict[str, Any]) -> Measured:
    """Carry out one task, giving the user's answers."""
    said, session = list(task["answers"]), f"task-{number}"
    calls = tokens = unconsented = 0
    planning: Planning | None = Planning()
    text, agreed = task["ask"], False
    for _ in range(MAX_ANSWERS):
        before = store.load("main").schedule
        try:
            end: TurnFinished = await client.say(session, text, planning=planning)
        except BandsmithError as error:
            return Measured(number=number, faults=[error.code], unconsented=unconsented, calls=calls, tokens=tokens)
        calls, tokens = calls + end.usage.calls, tokens + end.usage.tokens
        unconsented += store.load("main").schedule != before and not agreed
        if end.asks is None:
            break
        text, planning = said.pop(0) if len(said) > 1 else said[0], None
        agreed = end.asks.call is not None and text in ("yes", "是", "好的")
    faults = list(_faults(store.load("main").schedule, task))
    return Measured(number=number, faults=faults, unconsented=unconsented, calls=calls, tokens=tokens)


def _faults(after: Schedule, task: dict[str, Any]) -> Iterator[str]:
    """Yield what does not hold of what a task asked for."""
    if task.get("stays"):
        if after != timetable():
            yield "something was stored"
        return
    for name, (count, slots) in task["items"].items():
        found = [item for item in after.items if name.casefold() in item.name.casefold() and item.at is not None]
        if [item.duration for item in found] != [slots] * count:
            yield f"{name}: {len(found)} pieces"
        for item in found:
            yield from _breaches(after.window, item, task)
        days = [item.at.day for item in found if item.at]
        if "a_day" in task and any(days.count(day) > task["a_day"] for day in days):
            yield f"{name}: too many a day"


def _breaches(window: Window, item: TaskItem, task: dict[str, Any]) -> Iterator[str]:
    assert item.at is not None
    when = window.date_of(item.at.day)
    if window.weekday_of(item.at.day) in task.get("not_on", ()):
        yield f"{item.name}: on a weekday that was left out"
    if "before" in task and when >= task["before"]:
        yield f"{item.name}: too late"
    if "from" in task and when < task["from"]:
        yield f"{item.name}: too early"
    if "after" in task and window.clock(item.at.slot) < time.fromisoformat(task["after"]):
        yield f"{item.name}: too early in the day"


def timetable() -> Schedule:
    return Schedule(window=WINDOW, events=read_events(TIMETABLE.read_bytes(), WINDOW).events)


def table(measured: list[Measured]) -> Table:
    """Return what was counted."""
    shown = Table("tasks", "as asked", "writes without consent", "calls a task", "tokens a task")
    count = max(1, len(measured))
    shown.add_row(
        str(len(measured)),
        f"{sum(not one.faults for one in measured) / count:.2f}",
        str(sum(one.unconsented for one in measured)),
        f"{sum(one.calls for one in measured) / count:.1f}",
        f"{sum(one.tokens for one in measured) / count:,.0f}",
    )
    return shown


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", default="1-40", help="the first and the last task, as 1-10")
    first, last = map(int, arguments.parse_args().only.split("-"))
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"BANDSMITH_HOME": home, "BANDSMITH_CALENDARS": f"sqlite:///{home}/calendars.db"}
        results = asyncio.run(main(range(first, last + 1)))
    Console().print(table(results))
    sys.exit(any(one.unconsented for one in results))
