"""How what stands in a calendar is named to people and models: facts, never advice."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import CalendarEvent, Entry, Schedule, TaskItem
from bandsmith.shared.replies import listed, text

from .changes import Move, find_entry
from .views import free_runs, open_hosts, pending, taken_slots


def slot_range(slot: int, length: int) -> str:
    """Return ``3`` or ``3-4``."""
    return str(slot) if length == 1 else f"{slot}-{slot + length - 1}"


def position_words(schedule: Schedule, day: int, slot: int, duration: int, language: Language) -> str:
    """Return a position by its day, date and clock time."""
    window = schedule.window
    if not 1 <= day <= window.days:
        return text("schedule.position.outside", language, day=day)
    values = {
        "day": day,
        "date": window.date_of(day).isoformat(),
        "weekday": text(f"schedule.weekday.{window.weekday_of(day)}", language),
        "slots": slot_range(slot, duration),
        "begin": window.clock(slot).strftime("%H:%M"),
        "end": window.clock(slot + duration).strftime("%H:%M"),
    }
    return text("schedule.position.inside", language, **values)


def entry_line(schedule: Schedule, entry: Entry, language: Language) -> str:
    """Return an event or a task item in one line, with its id."""
    where = (
        position_words(schedule, entry.at.day, entry.at.slot, entry.duration, language)
        if entry.at
        else text("schedule.entry.pending", language, duration=entry.duration)
    )
    return text("schedule.entry.line", language, id=entry.id, name=entry.name, where=where) + _kind(
        schedule, entry, language
    )


def overview(schedule: Schedule, language: Language) -> str:
    """Return a line for each day, with its free slots, and one for what is pending."""
    lines = [_day(schedule, day, language) for day in range(1, schedule.window.days + 1)]
    waiting = pending(schedule)
    slots = sum(item.duration for item in waiting)
    return "\n".join([*lines, text("schedule.overview.pending", language, count=len(waiting), slots=slots)])


def placed_lines(schedule: Schedule, items: Sequence[TaskItem], language: Language) -> list[str]:
    """Return where placed items stand, in the order of time."""
    placed = sorted(((item.at, item) for item in items if item.at is not None), key=lambda pair: pair[0].order)
    return [
        text(
            "schedule.entry.placed",
            language,
            name=item.name,
            where=position_words(schedule, at.day, at.slot, item.duration, language),
        )
        for at, item in placed
    ]


def change_words(schedule: Schedule, moves: Sequence[Move], language: Language, *, is_swap: bool = False) -> str:
    """Return what moves would do, as a person would say it."""
    if is_swap:
        names = [find_entry(schedule, move.entry).name for move in moves]
        return text("schedule.change.swap", language, name=names[0], other=names[1])
    return listed([_move_words(schedule, move, language) for move in moves], language)


def fact_words(schedule: Schedule, ids: Sequence[str], language: Language) -> str:
    """Return what stands where now, how full those days are, and how much is pending."""
    entries = [find_entry(schedule, entry_id) for entry_id in ids]
    lines = [entry_line(schedule, entry, language) for entry in entries]
    for day in sorted({entry.at.day for entry in entries if entry.at}):
        taken = len(taken_slots(schedule, day))
        lines.append(text("schedule.fact.day", language, day=day, taken=taken, slots=schedule.window.slots))
    lines.append(text("schedule.fact.pending", language, count=len(pending(schedule))))
    return "\n".join(lines)


def _move_words(schedule: Schedule, move: Move, language: Language) -> str:
    entry = find_entry(schedule, move.entry)
    where = position_words(schedule, move.day, move.slot, entry.duration, language)
    code = "place" if entry.at is None else "move"
    return text(f"schedule.change.{code}", language, name=entry.name, where=where)


def _kind(schedule: Schedule, entry: Entry, language: Language) -> str:
    if isinstance(entry, CalendarEvent):
        codes = [code for code, holds in (("locked", entry.is_locked), ("can_embed", entry.can_embed)) if holds]
        return "".join(text(f"schedule.entry.{code}", language) for code in codes)
    host = schedule.event(entry.host)
    return text("schedule.entry.inside", language, name=host.name) if host else ""


def _day(schedule: Schedule, day: int, language: Language) -> str:
    free = [slot_range(run.slot, run.length) for run in free_runs(schedule, day)]
    hosts = [f"{event.id} {slot_range(event.at.slot, event.duration)}" for event in open_hosts(schedule, day)]
    values = {
        "day": day,
        "date": schedule.window.date_of(day).isoformat(),
        "weekday": text(f"schedule.weekday.{schedule.window.weekday_of(day)}", language),
        "taken": len(taken_slots(schedule, day)),
        "free": ", ".join(free) or "-",
    }
    line = text("schedule.overview.day", language, **values)
    return line + (text("schedule.overview.hosts", language, hosts=", ".join(hosts)) if hosts else "")
