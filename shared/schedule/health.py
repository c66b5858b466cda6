"""How good a calendar is to live with, and which single move or swap would make it better.

Theory of operation
===================

The strain of a calendar is the sum of the strains of its days. A day's strain counts, over the task items that follow
each other without a break: pairs that are both demanding, slots beyond a block of reasonable length, and changes from
one class to another. Since a move touches two days and a swap at most two, the strain after it is worked out from those
days alone; only the most promising changes are then made on a copy, which says whether they are legal.

Changes are looked for on the worst day only, and at most a handful is offered, each with its effect. A user or model
that chooses one of them cannot make the calendar illegal, and sees when no change improves it: what remains then is the
price of the window.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from bandsmith.shared.model.schedule import Position, Schedule, TaskClass, TaskItem

from .changes import EntryMove, batch_move, swap
from .refusals import ChangeRefused
from .views import free_runs, pending

MAX_CANDIDATES = 4
MAX_TRIED = 200
"""How many changes are tried on a copy for one analysis, the most promising first."""
LONG_BLOCK_SLOTS = 4
"""Task items that follow each other without a break for longer than this are a strain."""
DEMANDING_PAIR_COST, LONG_BLOCK_COST, SWITCH_COST = 4, 3, 1
TIGHT_SHARE = 0.15
"""A calendar with a smaller share of free slots is tight."""
MAX_ROUNDS = 5
"""How many changes one analysis of a calendar may lead to."""
MAX_STAGNATION = 2
"""After how many changes without improvement it ends."""


class Tightness(StrEnum):
    LOOSE = "loose"
    TIGHT = "tight"
    LOCKED = "locked"
    """Nothing can be moved."""


class Effect(StrEnum):
    IMPROVE = "improve"
    """The worst day's strain is gone."""
    PARTIAL = "partial"
    """The strain is less."""
    SHIFT = "shift"
    """As much strain, on another day."""
    NO_GAIN = "no_gain"
    REGRESS = "regress"


class ScheduleHealth(NamedTuple):
    strain: int
    worst_day: int | None
    """None: no day has any strain."""
    switches: int
    """Changes of class between items that follow each other."""
    longest_block: int
    """In slots."""
    demanding_pairs: int
    same_type_share: float
    """Share of transitions between items of the same kind of subject, 0 to 1."""
    tightness: Tightness
    unknown_profiles: int
    """Classes of which the program does not know how demanding they are."""
    missing_slots: int
    """Slots that pending items need beyond those that are free."""


class Candidate(NamedTuple):
    """A legal change that was made on a copy and measured."""

    moves: tuple[EntryMove, ...]
    is_swap: bool
    effect: Effect
    strain: int
    """Of the whole calendar afterwards."""


class ScheduleAnalysis(NamedTuple):
    health: ScheduleHealth
    candidates: list[Candidate]
    should_continue: bool
    is_forced_imperfection: bool
    """Whether strain is left that no single change would lessen."""


class _Placed(NamedTuple):
    """A task item on a day, as the strain of the day sees it."""

    slot: int
    duration: int
    task_class: str
    subject: str
    is_demanding: bool

    @property
    def end(self) -> int:
        return self.slot + self.duration


def measure(schedule: Schedule) -> ScheduleHealth:
    """Measure a calendar."""
    days = _by_day(schedule)
    strains = {day: _strain(items) for day, items in days.items()}
    worst = max(strains, key=lambda day: (strains[day], -day), default=None)
    transitions = [pair for items in days.values() for pair in pairwise(items)]
    touching = [(first, second) for first, second in transitions if first.end == second.slot]
    free = sum(run.length for day in range(1, schedule.window.days + 1) for run in free_runs(schedule, day))
    return ScheduleHealth(
        strain=sum(strains.values()),
        worst_day=worst if worst is not None and strains[worst] else None,
        switches=sum(first.task_class != second.task_class for first, second in touching),
        longest_block=max((_length(block) for items in days.values() for block in _blocks(items)), default=0),
        demanding_pairs=sum(first.is_demanding and second.is_demanding for first, second in touching),
        same_type_share=_share(sum(first.subject == second.subject for first, second in transitions), len(transitions)),
        tightness=_tightness(schedule, free),
        unknown_profiles=sum(_is_unknown(task_class) for task_class in schedule.classes),
        missing_slots=max(0, sum(item.duration for item in pending(schedule)) - free),
    )


def analyse(schedule: Schedule, earlier_strains: Sequence[int] = ()) -> ScheduleAnalysis:
    """Measure a calendar and offer changes for its worst day.

    `earlier_strains` are those found by the analyses before in the same task, the oldest first; they end it.
    """
    health = measure(schedule)
    candidates = list(_candidates(schedule, health)) if health.worst_day is not None else []
    can_improve = any(candidate.strain < health.strain for candidate in candidates)
    is_over = len(earlier_strains) >= MAX_ROUNDS or _stagnates([*earlier_strains, health.strain])
    return ScheduleAnalysis(health, candidates, can_improve and not is_over, bool(health.strain) and not can_improve)


def _stagnates(strains: Sequence[int]) -> bool:
    last = strains[-MAX_STAGNATION - 1 :]
    return len(last) > MAX_STAGNATION and min(last[1:]) >= last[0]


# --- the strain of a day ---------------------------------------------------------------------------------------------


def _by_day(schedule: Schedule) -> dict[int, list[_Placed]]:
    classes = {task_class.id: task_class for task_class in schedule.classes}
    days: dict[int, list[_Placed]] = defaultdict(list)
    for item in schedule.items:
        if item.at is not None:
            days[item.at.day].append(_placed(item, classes[item.task_class], item.at.slot))
    return {day: sorted(items) for day, items in days.items()}


def _placed(item: TaskItem, task_class: TaskClass, slot: int) -> _Placed:
    subject = task_class.subject_type or task_class.id
    return _Placed(slot, item.duration, task_class.id, subject, task_class.intensity == "high")


def _strain(items: Sequence[_Placed]) -> int:
    strain = 0
    for block in _blocks(items):
        strain += LONG_BLOCK_COST * max(0, _length(block) - LONG_BLOCK_SLOTS)
        for first, second in pairwise(block):
            strain += DEMANDING_PAIR_COST * (first.is_demanding and second.is_demanding)
            strain += SWITCH_COST * (first.task_class != second.task_class)
    return strain


def _blocks(items: Sequence[_Placed]) -> Iterator[list[_Placed]]:
    """Yield the items of a day that follow each other without a break."""
    block: list[_Placed] = []
    for item in items:
        if block and block[-1].end != item.slot:
            yield block
            block = []
        block.append(item)
    if block:
        yield block


def _length(block: Sequence[_Placed]) -> int:
    return sum(item.duration for item in block)


# --- changes ---------------------------------------------------------------------------------------------------------


class _Change(NamedTuple):
    moves: tuple[EntryMove, ...]
    is_swap: bool
    strain: int


def _candidates(schedule: Schedule, health: ScheduleHealth) -> Iterator[Candidate]:
    """Yield the best legal changes for the worst day; where it is tight, swaps before moves."""
    assert health.worst_day is not None
    before = _strain(_by_day(schedule)[health.worst_day])
    swaps_first = health.tightness is not Tightness.LOOSE
    changes = sorted(
        _changes(schedule, health), key=lambda change: (change.strain, change.is_swap != swaps_first, change.moves)
    )
    offered = 0
    for change in changes[:MAX_TRIED]:
        try:
            after = _made(schedule, change)
        except ChangeRefused:
            continue
        left = _strain(_by_day(after).get(health.worst_day, []))
        yield Candidate(
            change.moves, change.is_swap, _effect(health.strain, change.strain, before, left), change.strain
        )
        offered += 1
        if offered == MAX_CANDIDATES:
            return


def _made(schedule: Schedule, change: _Change) -> Schedule:
    if change.is_swap:
        return swap(schedule, change.moves[0].entry, change.moves[1].entry)
    return batch_move(schedule, change.moves)


def _changes(schedule: Schedule, health: ScheduleHealth) -> Iterator[_Change]:
    """Yield the moves and swaps of the worst day's items that may be legal, with the strain after each."""
    days = _by_day(schedule)
    classes = {task_class.id: task_class for task_class in schedule.classes}
    on_worst = [item for item in schedule.items if item.at is not None and item.at.day == health.worst_day]
    for item in on_worst:
        for at in _free_positions(schedule, item.duration):
            taken = [(item, at)]
            yield _Change((EntryMove(item.id, *at.order),), False, _strain_after(days, classes, taken, health.strain))
        for other in schedule.items:
            if other.at is None or item.at is None:
                continue
            if other.task_class != item.task_class and other.duration == item.duration:
                moves = (EntryMove(item.id, *other.at.order), EntryMove(other.id, *item.at.order))
                taken = [(item, other.at), (other, item.at)]
                yield _Change(moves, True, _strain_after(days, classes, taken, health.strain))


def _free_positions(schedule: Schedule, duration: int) -> Iterator[Position]:
    for day in range(1, schedule.window.days + 1):
        for run in free_runs(schedule, day):
            for slot in range(run.slot, run.last - duration + 2):
                yield Position(day=day, slot=slot)


def _strain_after(
    days: dict[int, list[_Placed]],
    classes: dict[str, TaskClass],
    changes: Iterable[tuple[TaskItem, Position]],
    strain: int,
) -> int:
    """Return the strain of the whole calendar after the items were put elsewhere."""
    changed: dict[int, list[_Placed]] = {}
    for item, to in changes:
        assert item.at is not None
        for day in (item.at.day, to.day):
            changed.setdefault(day, list(days.get(day, [])))
        changed[item.at.day].remove(_placed(item, classes[item.task_class], item.at.slot))
        changed[to.day].append(_placed(item, classes[item.task_class], to.slot))
    return strain + sum(_strain(sorted(items)) - _strain(days.get(day, [])) for day, items in changed.items())


def _effect(before: int, after: int, worst_before: int, worst_after: int) -> Effect:
    if after > before:
        return Effect.REGRESS
    if after < before:
        return Effect.PARTIAL if worst_after else Effect.IMPROVE
    return Effect.SHIFT if worst_after < worst_before else Effect.NO_GAIN


def _tightness(schedule: Schedule, free: int) -> Tightness:
    locked = {event.id for event in schedule.events if event.is_locked}
    movable = (item for item in schedule.items if not (item.is_locked or item.host in locked))
    if not any(item.at is not None for item in movable):
        return Tightness.LOCKED
    is_tight = free < TIGHT_SHARE * schedule.window.days * schedule.window.slots
    return Tightness.TIGHT if is_tight else Tightness.LOOSE


def _is_unknown(task_class: TaskClass) -> bool:
    return not (task_class.subject_type and task_class.difficulty and task_class.intensity)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 1.0
