"""``bandsmith calendar``: calendars that task items are placed in, from iCalendar files and back."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bandsmith.shared.errors import BadInput
from bandsmith.shared.files import write_whole
from bandsmith.shared.model.schedule import Entry, Schedule, Strategy, TaskClass, TaskItem, Window, pending_items
from bandsmith.shared.schedule import past
from bandsmith.shared.schedule.difference import Difference
from bandsmith.shared.schedule.ics import read_events, write_calendar
from bandsmith.shared.schedule.past import first_ahead
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.store import CalendarStore, StoredCalendar
from bandsmith.shared.schedule.views import entries_on, pending, taken_slots
from bandsmith.shared.settings import CalendarSettings
from bandsmith.shared.tools import TOOLS, Tool
from bandsmith.shared.tools.schedule.place_all import PlaceAll

from ..locale import user_language
from .messages import message, quiet_log

app = typer.Typer(rich_markup_mode="markdown")
DEFAULT_NAME = "main"
DEFAULT_DAYS = 28

Name = Annotated[str, typer.Option("--calendar", "-c", metavar="NAME", help="Which calendar.")]
ALONE = {name: tool for name, tool in TOOLS.items() if tool.pack != "queue"}
"""The tools that need nothing from an earlier call."""
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Store the change without asking.")]

IMPORT_EXAMPLES = """
**Examples**

    bandsmith calendar import timetable.ics
    bandsmith calendar import work.ics --calendar work --from 2026-12-01 --days 14
    bandsmith calendar import shifts.ics --open --begin 06:00 --minutes 30 --slots 24
"""
LIST_EXAMPLES = """
**Examples**

    bandsmith calendar list
    bandsmith calendar list --json
"""
SHOW_EXAMPLES = """
**Examples**

    bandsmith calendar show
    bandsmith calendar show --calendar work --json
"""
ADD_EXAMPLES = """
**Examples**

    bandsmith calendar add "Linear algebra" --items 6 --slots 2 --not-on 7
    bandsmith calendar add Mechanics --items 4 --before 2026-12-12 --rapid --at-most 4
"""
PLAN_EXAMPLES = """
**Examples**

    bandsmith calendar plan
    bandsmith calendar plan --calendar work --yes
"""
CALL_EXAMPLES = """
**Examples**

    bandsmith calendar call get_overview
    bandsmith calendar call find_free duration=2 day=3
    bandsmith calendar call move task_id=mechanics-2 new_day=4 new_slot_start=5
"""
EXPORT_EXAMPLES = """
**Examples**

    bandsmith calendar export plan.ics
    bandsmith calendar export work.ics --calendar work
"""
REMOVE_EXAMPLES = """
**Examples**

    bandsmith calendar remove --calendar work
"""


@app.command("import", epilog=IMPORT_EXAMPLES)
def import_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An iCalendar file (.ics).")],
    name: Name = DEFAULT_NAME,
    start: Annotated[
        datetime | None,
        typer.Option("--from", formats=["%Y-%m-%d"], help="First day that is planned; by default today."),
    ] = None,
    days: Annotated[int, typer.Option(help="How many days are planned.")] = DEFAULT_DAYS,
    slots: Annotated[int, typer.Option(help="How many slots a day has.")] = 12,
    begin: Annotated[datetime, typer.Option(formats=["%H:%M"], help="Time at which slot 1 begins.")] = datetime(
        1, 1, 1, 8
    ),
    minutes: Annotated[int, typer.Option(help="Minutes a slot takes.")] = 60,
    movable: Annotated[bool, typer.Option("--movable", help="The events may be moved.")] = False,
    open_to_items: Annotated[bool, typer.Option("--open", help="Each event can hold one task item.")] = False,
) -> None:
    """Import the events of a file. If the calendar exists, they are added to it, and its days stay as they are."""
    quiet_log()
    with _store() as store:
        exists = name in store.names()
        window = store.load(name).schedule.window if exists else _window(start, days, slots, begin.time(), minutes)
        read = read_events(_content(file), window, lock=not movable, can_embed=open_to_items)
        known = store.load(name).schedule if exists else Schedule(window=window)
        events = {event.id: event for event in (*known.events, *read.events)}
        store.put(name, known.model_copy(update={"events": list(events.values())}))
    print(message("schedule.imported", count=len(read.events), name=name))
    if read.whole_days or read.outside:
        print(message("schedule.left_out", whole_days=read.whole_days, outside=read.outside))


@app.command("list", epilog=LIST_EXAMPLES)
def list_command(as_json: AsJson = False) -> None:
    """List the calendars."""
    with _store() as store:
        names = store.names()
    if as_json:
        print(json.dumps({"calendars": names}, ensure_ascii=False))
    else:
        print("\n".join(names) or message("schedule.no_calendar"))


@app.command(epilog=SHOW_EXAMPLES)
def show(name: Name = DEFAULT_NAME, as_json: AsJson = False) -> None:
    """Show a calendar: what is planned on each day, and what is still to be placed."""
    with _store() as store:
        schedule = store.load(name).schedule
    if as_json:
        print(schedule.model_dump_json())
    else:
        _print(schedule)


@app.command(epilog=ADD_EXAMPLES)
def add(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What the task items are about.")],
    items: Annotated[int, typer.Option(min=1, max=500, help="How many task items.")] = 1,
    slots: Annotated[int, typer.Option(min=1, max=12, help="How many slots each takes.")] = 2,
    rapid: Annotated[bool, typer.Option("--rapid", help="As early as possible, not spread evenly.")] = False,
    not_on: Annotated[list[int] | None, typer.Option(metavar="1-7", help="A weekday left out; 7 is Sunday.")] = None,
    before: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="The day by which all have to be done.")
    ] = None,
    at_most: Annotated[int | None, typer.Option(help="Maximum number of its slots a day.")] = None,
    embed: Annotated[bool, typer.Option("--embed", help="They may be placed inside events that can hold one.")] = False,
    name: Name = DEFAULT_NAME,
) -> None:
    """Add task items of one kind. They are pending until they are placed."""
    with _store() as store:
        stored = store.load(name)
        strategy: Strategy = "rapid" if rapid else "steady"
        last_day = _day_before(stored.schedule.window, before.date()) if before else None
        task_class = TaskClass(
            id=_id_of(title, stored.schedule),
            name=title,
            strategy=strategy,
            last_day=last_day,
            excluded_weekdays=not_on or [],
            max_slots_a_day=at_most,
            may_be_embedded=embed,
        )
        after = stored.schedule.model_copy(
            update={
                "classes": [*stored.schedule.classes, task_class],
                "items": [*stored.schedule.items, *pending_items(task_class, items, slots)],
            }
        )
        _commit(store, name, stored, after)
    print(message("schedule.added", count=items, name=title))


@app.command(epilog=PLAN_EXAMPLES)
def plan(name: Name = DEFAULT_NAME, yes: Yes = False) -> None:
    """Place every pending task item, show the result, and store it after a yes."""
    _run(name, PlaceAll(), yes)


@app.command(epilog=CALL_EXAMPLES)
def call(
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="Name of a tool; `list` prints all.")],
    values: Annotated[list[str] | None, typer.Argument(metavar="[NAME=VALUE]...", help="Its arguments.")] = None,
    name: Name = DEFAULT_NAME,
    yes: Yes = False,
) -> None:
    """Call a tool of the calendar. One that changes it shows what it would do and asks first."""
    if tool == "list":
        for known, kind in ALONE.items():
            print(f"{known}({', '.join(kind.model_fields)})  {(kind.__doc__ or '').splitlines()[0]}")
        return
    if tool not in ALONE:
        raise BadInput.of("schedule.unknown_tool", code="tool", name=tool, names=", ".join(ALONE))
    try:
        called = ALONE[tool].model_validate(dict(_argument(value) for value in values or []))
    except ValidationError as error:
        names = ", ".join(str(problem["loc"][0]) for problem in error.errors() if problem["loc"])
        raise BadInput.of("schedule.arguments", code="tool", name=tool, names=names) from None
    _run(name, called, yes)


@app.command(epilog=EXPORT_EXAMPLES)
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The iCalendar file to write.")],
    name: Name = DEFAULT_NAME,
) -> None:
    """Write the events and placed task items of a calendar as an iCalendar file."""
    with _store() as store:
        content = write_calendar(store.load(name).schedule, name)
    if file.exists():
        raise BadInput.of("schedule.file_exists", code="output", name=file.name)
    write_whole(file, content)
    print(message("schedule.exported", name=file.name))


@app.command(epilog=REMOVE_EXAMPLES)
def remove(name: Name = DEFAULT_NAME) -> None:
    """Delete a calendar with everything in it."""
    with _store() as store:
        store.remove(name)
    print(message("schedule.removed", name=name))


# --- parts -----------------------------------------------------------------------------------------------------------


@contextmanager
def _store() -> Iterator[CalendarStore]:
    store = CalendarStore(CalendarSettings().url)
    try:
        yield store
    except ChangeRefused as refused:
        raise BadInput(refused.reason.en, message_zh=refused.reason.zh, code="refused") from None
    finally:
        store.close()


def _run(name: str, tool: Tool, yes: bool) -> None:
    """Run a tool on a stored calendar. What one that writes would change is shown first, and stored after a yes."""
    with _store() as store:
        stored = store.load(name)
        tool = tool.from_now_on(first_ahead(stored.schedule.window, past.local_now()))
        result = tool.run(stored.schedule, user_language())
        if not tool.writes:
            print(result.text)
            return
        print(tool.confirmation(stored.schedule, user_language()))
        _print(result.schedule, only_changed_from=stored.schedule)
        if not yes and not typer.confirm(message("schedule.confirm")):
            print(message("schedule.unchanged"))
            raise typer.Exit(1)
        _commit(store, name, stored, result.schedule)
    print(message("schedule.stored"))


def _commit(store: CalendarStore, name: str, before: StoredCalendar, after: Schedule) -> None:
    store.commit(name, Difference.between(before.schedule, after), key=uuid.uuid4().hex)


def _print(schedule: Schedule, only_changed_from: Schedule | None = None) -> None:
    """Print each day on which something is planned or has changed."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("day", "date", "entries"):
        table.add_column(message(f"schedule.columns.{heading}"), overflow="fold")
    for day in range(1, schedule.window.days + 1):
        entries = entries_on(schedule, day)
        if only_changed_from is not None and entries == entries_on(only_changed_from, day):
            continue
        if entries:
            weekday = message(f"schedule.weekday.{schedule.window.weekday_of(day)}")
            lines = "\n".join(_line(schedule, entry) for entry in entries)
            taken = f"{len(taken_slots(schedule, day))}/{schedule.window.slots}"
            table.add_row(f"{day}", f"{schedule.window.date_of(day)} {weekday}\n[dim]{taken}[/dim]", lines)
    console = Console()
    console.print(table)
    waiting = pending(schedule)
    slots = sum(item.duration for item in waiting)
    if waiting:
        console.print(message("schedule.overview.pending", count=len(waiting), slots=slots))


def _line(schedule: Schedule, entry: Entry) -> str:
    assert entry.at is not None
    begin, end = (schedule.window.clock(slot) for slot in (entry.at.slot, entry.at.slot + entry.duration))
    style = "cyan" if isinstance(entry, TaskItem) else "default"
    return f"{begin:%H:%M}-{end:%H:%M}  [{style}]{escape(entry.name)}[/{style}]"


def _window(start: datetime | None, days: int, slots: int, begin: time, minutes: int) -> Window:
    first = start.date() if start else datetime.now().astimezone().date()
    try:
        return Window(start=first, days=days, slots=slots, first_slot=begin, slot_minutes=minutes)
    except ValidationError:
        raise BadInput.of("schedule.window", code="window") from None


def _day_before(window: Window, when: date) -> int:
    """Return the last day before a date. Raises ``BadInput`` if that is not in the window."""
    day = (when - window.start).days
    if not 1 <= day <= window.days:
        raise BadInput.of("schedule.before", code="window", last=window.date_of(window.days).isoformat())
    return day


def _id_of(title: str, schedule: Schedule) -> str:
    """Return a short id for a class that no other has."""
    stem = "-".join("".join(c if c.isalnum() else " " for c in title.casefold()).split())[:30] or "class"
    taken = {task_class.id for task_class in schedule.classes}
    return next(found for found in (stem, *(f"{stem}-{n}" for n in range(2, 10_000))) if found not in taken)


def _argument(words: str) -> tuple[str, object]:
    name, _, value = words.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        raise BadInput.of("schedule.no_file", code="calendar", name=file.name) from None
