"""Describe what is in a calendar to people and models: facts, never advice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import CalendarEvent, Entry, Position, Schedule, Window
from bandsmith.shared.replies import listed, text

from .changes import EntryMove, find_entry
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
        "count": duration,
        "slots": slot_range(slot, duration),
        "begin": window.clock(slot).strftime("%H:%M"),
        "end": window.clock(slot + duration).strftime("%H:%M"),
    }
    return text("schedule.position.inside", language, **values)


def clock_spans(window: Window, slots: Iterable[int]) -> list[str]:
    """Return the clock times of slots, with adjacent slots merged."""
    known = set(slots)
    firsts = sorted(slot for slot in known if slot - 1 not in known)
    lasts = sorted(slot for slot in known if slot + 1 not in known)
    spans = zip(firsts, lasts, strict=True)
    return [f"{window.clock(first):%H:%M}-{window.clock(last + 1):%H:%M}" for first, last in spans]


def setting_words(schedule: Schedule, name: str, value: object, language: Language) -> str:
    """Return a setting of a class as a person says it: weekdays and clock times instead of numbers."""
    window = schedule.window
    match name, value:
        case "excluded_weekdays", list():
            shown = [text(f"schedule.weekday.{day}", language) if 1 <= day <= 7 else str(day) for day in value]
        case "excluded_slots", list():
            shown = clock_spans(window, value)
        case "together_with", list():
            shown = [one.name for one in schedule.classes if one.id in value]
        case "strategy" | "difficulty" | "intensity", str():
            shown = [text(f"schedule.{'strategy' if name == 'strategy' else 'level'}.{value}", language)]
        case _, bool():
            shown = [text(f"schedule.answer.{'yes' if value else 'no'}", language)]
        case _:
            shown = [str(value)]
    return listed(shown, language) if shown else text("schedule.answer.none", language)


def entry_line(schedule: Schedule, entry: Entry, language: Language) -> str:
    """Return an event or a task item in one line, with its id."""
    where = (
        position_words(schedule, entry.at.day, entry.at.slot, entry.duration, language)
        if entry.at
        else text("schedule.entry.pending", language, count=entry.duration)
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


def difference_lines(before: Schedule, after: Schedule, language: Language) -> list[str]:
    """Return a line for each entry that has changed, by time; what is taken out or deleted comes last."""
    known = {entry.id: entry for entry in before.entries}
    kept = {entry.id for entry in after.entries}
    changed = [entry for entry in after.entries if _shown(known.get(entry.id)) != _shown(entry)]
    changed.sort(key=lambda entry: (entry.at is None, entry.at.order if entry.at else (0, 0)))
    lines = [_change_line(before, after, known.get(entry.id), entry, language) for entry in changed]
    return lines + [_deleted_line(before, entry, language) for entry in before.entries if entry.id not in kept]


def _deleted_line(before: Schedule, entry: Entry, language: Language) -> str:
    """Return what is deleted and where it stood: entries of one name are told apart by that alone."""
    where = _where(before, entry, entry.at, language) + _kind(before, entry, language)
    return text("schedule.entry.deleted", language, name=entry.name, where=where)


def _change_line(before: Schedule, after: Schedule, known: Entry | None, entry: Entry, language: Language) -> str:
    """Return where an entry stands and what it is, and where it stood if that was elsewhere."""
    where = _where(after, entry, entry.at, language) + _kind(after, entry, language) + _lost(known, entry, language)
    if known is None or known.at is None or (known.at == entry.at and known.duration == entry.duration):
        name = entry.name
        if known is not None and known.name != name:
            name = text("schedule.entry.renamed", language, name=known.name, new=name)
        return text("schedule.entry.placed", language, name=name, where=where)
    was = _where(before, known, known.at, language)
    return text("schedule.entry.moved", language, name=entry.name, where=where, was=was)


def _lost(known: Entry | None, entry: Entry, language: Language) -> str:
    """Return what an entry no longer is: locked, or able to hold a task item."""
    if known is None:
        return ""
    unlocked = known.is_locked and not entry.is_locked
    lost = text("schedule.entry.unlocked", language) if unlocked else ""
    could = isinstance(known, CalendarEvent) and known.can_embed
    can = isinstance(entry, CalendarEvent) and entry.can_embed
    return lost + (text("schedule.entry.cannot_embed", language) if could and not can else "")


def _shown(entry: Entry | None) -> tuple[object, ...]:
    """Return what a person is shown of an entry."""
    if entry is None:
        return ()
    can_embed = isinstance(entry, CalendarEvent) and entry.can_embed
    return entry.name, entry.at, entry.duration, entry.is_locked, can_embed


def _where(schedule: Schedule, entry: Entry, at: Position | None, language: Language) -> str:
    if at is None:
        return text("schedule.entry.pending", language, count=entry.duration)
    return position_words(schedule, at.day, at.slot, entry.duration, language)


def change_words(schedule: Schedule, moves: Sequence[EntryMove], language: Language, *, is_swap: bool = False) -> str:
    """Return what moves would do, as a person would say it."""
    if is_swap:
        names = [find_entry(schedule, move.entry).name for move in moves]
        return text("schedule.change.swap", language, name=names[0], other=names[1])
    return listed([_move_words(schedule, move, language) for move in moves], language)


def fact_words(schedule: Schedule, ids: Sequence[str], language: Language) -> str:
    """Return what is planned when, how full those days are, and how much is pending."""
    entries = [find_entry(schedule, entry_id) for entry_id in ids]
    lines = [entry_line(schedule, entry, language) for entry in entries]
    for day in sorted({entry.at.day for entry in entries if entry.at}):
        taken = len(taken_slots(schedule, day))
        lines.append(text("schedule.fact.day", language, day=day, taken=taken, slots=schedule.window.slots))
    lines.append(text("schedule.fact.pending", language, count=len(pending(schedule))))
    return "\n".join(lines)


def _move_words(schedule: Schedule, move: EntryMove, language: Language) -> str:
    entry = find_entry(schedule, move.entry)
    where = position_words(schedule, move.day, move.slot, entry.duration, language)
    code = "place" if entry.at is None else "move"
    return text(f"schedule.change.{code}", language, name=entry.name, where=where)


def _kind(schedule: Schedule, entry: Entry, language: Language) -> str:
    locked = text("schedule.entry.locked", language) if entry.is_locked else ""
    if isinstance(entry, CalendarEvent):
        return locked + (text("schedule.entry.can_embed", language) if entry.can_embed else "")
    host = schedule.event(entry.host)
    return locked + (text("schedule.entry.inside", language, name=host.name) if host else "")


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
