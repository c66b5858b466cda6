"""Draw a calendar as an SVG: a column for each day, events grey, pieces of work coloured by their class."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from bandsmith.shared.model.schedule import Entry, Position, Schedule, TaskItem

DAY_WIDTH, SLOT_HEIGHT, LEFT, TOP, GAP = 92, 22, 46, 64, 34
DAYS_PER_WEEK = 7
COLOURS = ("#2f6f9f", "#b5651d", "#4f7f3f", "#8a4f8f", "#a03f4f", "#3f8f8f")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
FONT = "font-family='Helvetica, Arial, sans-serif'"


def picture(schedule: Schedule, title: str) -> str:
    """Return a calendar as an SVG document, one week below the other."""
    window = schedule.window
    weeks = -(-window.days // DAYS_PER_WEEK)
    height = TOP + weeks * (window.slots * SLOT_HEIGHT + GAP)
    width = LEFT + DAYS_PER_WEEK * DAY_WIDTH + 12
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}'>",
        f"<rect width='{width}' height='{height}' fill='white'/>",
        f"<text x='{LEFT}' y='26' {FONT} font-size='16' font-weight='bold' fill='#222'>{escape(title)}</text>",
        *(part for day in range(1, window.days + 1) for part in _day(schedule, day)),
        *(part for entry in schedule.entries if entry.at for part in _entry(schedule, entry, entry.at)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _corner(schedule: Schedule, day: int) -> tuple[int, int]:
    """Return the left and the upper edge of a day's column."""
    week, column = divmod(day - 1, DAYS_PER_WEEK)
    return LEFT + column * DAY_WIDTH, TOP + week * (schedule.window.slots * SLOT_HEIGHT + GAP)


def _day(schedule: Schedule, day: int) -> Iterator[str]:
    window, (x, y) = schedule.window, _corner(schedule, day)
    when = window.date_of(day)
    label = f"{WEEKDAYS[when.weekday()]} {when.day}.{when.month}."
    yield f"<text x='{x + 4}' y='{y - 7}' {FONT} font-size='11' fill='#555'>{label}</text>"
    fill = "#f6f3ee" if when.isoweekday() == DAYS_PER_WEEK else "#fcfcfc"
    for slot in range(window.slots):
        top = y + slot * SLOT_HEIGHT
        yield (
            f"<rect x='{x}' y='{top}' width='{DAY_WIDTH}' height='{SLOT_HEIGHT}' fill='{fill}' stroke='#e4e4e4' "
            "stroke-width='0.5'/>"
        )
        if x == LEFT and slot % 2 == 0:
            clock = window.clock(slot + 1).strftime("%H:%M")
            yield f"<text x='{x - 6}' y='{top + 10}' {FONT} font-size='9' fill='#888' text-anchor='end'>{clock}</text>"


def _entry(schedule: Schedule, entry: Entry, at: Position) -> Iterator[str]:
    x, y = _corner(schedule, at.day)
    top, height = y + (at.slot - 1) * SLOT_HEIGHT, entry.duration * SLOT_HEIGHT
    fill = "#b9bec4"
    if isinstance(entry, TaskItem):
        number = [task_class.id for task_class in schedule.classes].index(entry.task_class)
        fill = COLOURS[number % len(COLOURS)]
    ink = "white" if isinstance(entry, TaskItem) else "#222"
    yield f"<rect x='{x + 2}' y='{top + 1}' width='{DAY_WIDTH - 4}' height='{height - 2}' rx='3' fill='{fill}'/>"
    for line, words in enumerate(_lines(entry.name)[: entry.duration]):
        yield (
            f"<text x='{x + 7}' y='{top + 14 + 13 * line}' {FONT} font-size='10.5' fill='{ink}'>{escape(words)}</text>"
        )


def _lines(name: str, chars: int = 15) -> list[str]:
    """Return a name in lines of at most so many characters."""
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + len(word) >= chars:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [line[:chars] for line in lines]
