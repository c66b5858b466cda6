"""Measure tasks with the configured model: ``make measure-tasks``, ``make measure-tasks ARGS="--only 1-10"``.

Each task begins with the sample timetable, in its own calendar, with the sample shop as its source of data and with a
folder for deliveries. Its `first`, if it has one, is said first ("create a sales report with customer"). Without
`--user`, the user's answers are those of the file; with it, a person gives them who knows what the task wants. Where
the file has checks, the calendar is then compared with them; with `--out`, each conversation and what has changed is
written to a file, for a judge. Counted are the tasks that were done as asked, the writes without consent (of the
calendar and the report; with one task at a time also of scheduled runs and delivered files), the calls of the model and
the tokens.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import yaml
from rich.console import Console
from rich.table import Table

from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.shared.errors import BadInput, BandsmithError
from bandsmith.shared.events import TurnFinished
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.schedule import Schedule, TaskItem, Window
from bandsmith.shared.model.task import DEFAULT_CALENDAR, Planning
from bandsmith.shared.schedule.ics import read_events
from bandsmith.shared.schedule.store import CalendarStore
from bandsmith.shared.schedule.wording import difference_lines
from bandsmith.shared.settings import CalendarSettings
from samples import shop

from .task_users import ListedUser, PersonAsUser, Said, User, is_yes, is_yes_to_all

FILE = Path(__file__).with_name("tasks.yaml")
TIMETABLE = Path(__file__).parents[1] / "samples" / "timetable.ics"
WINDOW = Window(start=date(2026, 11, 23), days=21)
MORNING = datetime(2026, 11, 23, 7, 0)
"""When the tasks are said: work is placed from now on only."""
MAX_ANSWERS = 8


class Settings(NamedTuple):
    """What is measured, and how."""

    file: Path
    only: range
    at_once: int
    user: Path | None
    """Folder of the questions to a person; None: the file has the answers."""
    out: Path | None
    plain: bool = False
    """Whether a task is said as any other message, so that it is found out what it means."""


class Stored(NamedTuple):
    """What is stored in a task, all of which needs a yes."""

    schedule: Schedule
    report: int
    """Number of the report's version; 0 if there is none."""
    runs: list[str] = []
    files: list[str] = []


class Measured(Value):
    """What became of one task."""

    number: int
    faults: list[str]
    """What does not hold of what was asked for; empty: done as asked."""
    is_checked: bool
    """Whether the file says what has to hold; a person judges the others."""
    unconsented: int = 0
    """Changes that came without a yes."""
    calls: int = 0
    tokens: int = 0


async def main(settings: Settings) -> list[Measured]:
    """Run the tasks, so many at once."""
    tasks = list(enumerate(yaml.safe_load(settings.file.read_text("utf-8")), 1))
    store, places = CalendarStore(CalendarSettings().url), asyncio.Semaphore(settings.at_once)
    person = PersonAsUser(settings.user) if settings.user else None
    async with local(store=Path(os.environ["BANDSMITH_HOME"]) / "bus") as bus:
        client = Client(bus)

        async def measured(number: int, task: dict[str, Any]) -> Measured:
            async with places:
                user = person or ListedUser(task["answers"])
                found = await Conversation(client, store, number, task, settings).run(user)
                print(
                    f"{number}: {'; '.join(found.faults) or ('as asked' if found.is_checked else 'carried out')}",
                    flush=True,
                )
                return found

        results = await asyncio.gather(*(measured(number, task) for number, task in tasks if number in settings.only))
    store.close()
    return results


class Conversation:
    """One task: what is said in it, and what is stored before and after each turn."""

    def __init__(
        self, client: Client, store: CalendarStore, number: int, task: dict[str, Any], settings: Settings
    ) -> None:
        self._client, self._store, self._number, self._task = client, store, number, task
        self._settings = settings
        self._name = f"task-{number}"
        self._calendar = DEFAULT_CALENDAR if settings.plain else self._name

    async def run(self, user: User) -> Measured:
        """Carry out the task, giving the user's answers."""
        task, number = self._task, self._number
        self._store.put(self._calendar, timetable())
        conversation, wanted = [Said(who="user", text=task["ask"])], task.get("wanted", task["ask"])
        counted = Measured(number=number, faults=[], is_checked="items" in task or "stays" in task)
        planning = None if self._settings.plain else Planning(calendar=self._calendar)
        agreed = agreed_to_all = False
        begun = await self._stored()
        try:
            if task.get("first"):
                await self._client.say(self._name, task["first"])
                begun = await self._stored()
            for _ in range(MAX_ANSWERS):
                before = await self._stored()
                end = await self._client.say(self._name, conversation[-1].text, planning=planning)
                counted = _with(counted, end.usage.calls, end.usage.tokens)
                is_unconsented = not (agreed or agreed_to_all) and await self._stored() != before
                counted = _with(counted, unconsented=is_unconsented)
                conversation.append(Said(who="bandsmith", text=end.reply))
                if end.asks is None:
                    break
                answer = await user.answer(number, wanted, conversation)
                conversation.append(Said(who="user", text=answer))
                planning, agreed = None, asks_consent(end) and is_yes(answer)
                agreed_to_all |= agreed and is_yes_to_all(answer)
            faults = list(_faults((await self._stored()).schedule, task)) if counted.is_checked else []
        except BandsmithError as error:
            faults = [error.code]
        if self._settings.out is not None:
            write_case(self._settings.out, number, wanted, conversation, begun, await self._stored())
        return counted.model_copy(update={"faults": faults})

    async def _stored(self) -> Stored:
        schedule = self._store.load(self._calendar).schedule
        report = 0
        with suppress(BadInput):  # the conversation has not begun
            session = await self._client.session(self._name)
            report = session.report.number if session.report else 0
        if self._settings.at_once > 1:
            return Stored(schedule, report)  # runs and the folder belong to all tasks
        return Stored(schedule, report, [state.run.name for state in await self._client.runs()], _delivered())


def asks_consent(end: TurnFinished) -> bool:
    """Whether a turn asks for consent to a write: it shows a call of a task or a change of the scheduled runs.

    A plan that is shown asks for none: each of its writes is asked for when it comes.
    """
    if end.asks is None:
        return False
    return end.asks.call is not None or (end.intent == "manage_runs" and end.asks.kind == "confirmation")


def _delivered() -> list[str]:
    folder = Path(os.environ["BANDSMITH_DELIVERY_FOLDER"])
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def _with(counted: Measured, calls: int = 0, tokens: int = 0, *, unconsented: bool = False) -> Measured:
    return counted.model_copy(
        update={
            "calls": counted.calls + calls,
            "tokens": counted.tokens + tokens,
            "unconsented": counted.unconsented + unconsented,
        }
    )


def write_case(out: Path, number: int, wanted: str, conversation: list[Said], before: Stored, after: Stored) -> None:
    """Write what a judge looks at: what was wanted, what was said, and what has changed."""
    out.mkdir(parents=True, exist_ok=True)
    changes = difference_lines(timetable(), after.schedule, "en") or ["Nothing."]
    said = [f"**{one.who}**: {one.text}" for one in conversation]
    parts = [f"# Task {number}", f"Wanted: {wanted}", *said, "## What has changed in the calendar", "\n".join(changes)]
    others = [f"Version {after.report} of the report."] if after.report != before.report else []
    others += [f"The scheduled run {name}." for name in after.runs if name not in before.runs]
    others += [f"The scheduled run {name} is gone." for name in before.runs if name not in after.runs]
    others += [f"The delivered file {name}." for name in after.files if name not in before.files]
    if others:
        parts += ["## What is new besides", "\n".join(others)]
    (out / f"{number:02d}.md").write_text("\n\n".join(parts) + "\n", "utf-8")


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
    shown = Table("tasks", "as asked", "left to a judge", "writes without consent", "calls a task", "tokens a task")
    count, checked = max(1, len(measured)), [one for one in measured if one.is_checked or one.faults]
    shown.add_row(
        str(len(measured)),
        f"{sum(not one.faults for one in checked) / len(checked):.2f}" if checked else "-",
        str(len(measured) - len(checked)),
        str(sum(one.unconsented for one in measured)),
        f"{sum(one.calls for one in measured) / count:.1f}",
        f"{sum(one.tokens for one in measured) / count:,.0f}",
    )
    return shown


def numbers(only: str) -> range:
    """Return the numbers of ``5`` or ``1-10``. Raises ``argparse.ArgumentTypeError`` for anything else."""
    found = re.fullmatch(r"(\d+)(?:-(\d+))?", only)
    if found is None:
        raise argparse.ArgumentTypeError(f"{only!r} is not a task or a range of tasks: use 5 or 1-10")
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def parsed() -> Settings:
    """Return the settings of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=Path, default=FILE, metavar="FILE", help="the tasks, as benchmarks/tasks.yaml")
    parser.add_argument("--only", type=numbers, default="1-40", help="a task, or the first and the last one: 1-10")
    parser.add_argument("--at-once", type=int, default=1, metavar="N", help="how many tasks run at the same time")
    parser.add_argument("--user", type=Path, metavar="FOLDER", help="a person answers: questions in/, answers out/")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write each conversation and calendar there")
    parser.add_argument("--plain", action="store_true", help="say the tasks as any other message, one after another")
    given = parser.parse_args()
    tasks = yaml.safe_load(given.tasks.read_text("utf-8"))
    unanswered = [n for n, task in enumerate(tasks, 1) if n in given.only and "answers" not in task]
    if unanswered and given.user is None:
        parser.error(f"{given.tasks} has no answers for {unanswered}: a person has to give them, with --user")
    if given.plain and given.at_once > 1:
        parser.error("with --plain all tasks use the same calendar: leave --at-once out")
    return Settings(given.tasks, given.only, given.at_once, given.user, given.out, given.plain)


if __name__ == "__main__":
    settings = parsed()
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"BANDSMITH_HOME": home, "BANDSMITH_CALENDARS": f"sqlite:///{home}/calendars.db"}
        os.environ["BANDSMITH_DELIVERY_FOLDER"] = f"{home}/delivered"
        shop.add(Path(home) / "shop.db")
        with mock.patch("bandsmith.shared.schedule.past.local_now", return_value=MORNING):
            results = asyncio.run(main(settings))
    Console().print(table(results))
    sys.exit(any(one.unconsented for one in results))
