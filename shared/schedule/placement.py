"""Rough placement: every pending item placed legally, in order and spread well, by a constraint solver.

Theory of operation
===================

Time is one line of numbered slots, ``(day - 1) * slots + slot - 1``. Each pending item gets an integer variable for
its begin. The domain of the variable holds exactly the begins that are legal beside what is placed already: it stays
within a day, on free slots that its class allows, or inside an event that can hold an item. The rules between items are
left to the solver: no overlap (apart from items inside events), one item an event, the order of each class, and the
daily limits of one class or of several together.

The objective is the sum of two parts. ``steady`` items have a target, spread evenly over the days that are open to the
class, and pay for their distance from it in slots; ``rapid`` items pay for each slot that they begin later. The
fullest day of steady items costs each of its slots, so that equal solutions prefer even days. A first-fit placement is
the hint from which the solver begins, so that there is a legal answer at once and time only makes it better.

If not all items fit, the same model is solved with optional items, as many slots of them as possible: the rest is what
is missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import NamedTuple

from ortools.sat.python import cp_model

from bandsmith.shared.model.schedule import CalendarEvent, Position, Schedule, TaskClass, TaskItem

from .past import BEGINNING
from .refusals import ChangeRefused
from .rules import daily_limits
from .views import free_runs, open_hosts, pending

TIME_LIMIT_S = 1.2
"""What the solver may take before it returns the best placement so far."""
MAX_TIME_S = 30.0
"""What it may take for any placement at all."""
LOAD_WEIGHT = 3
"""What a slot of the fullest day costs, in slots of distance from a target."""
SEED = 7


class Placement(NamedTuple):
    """A calendar with every pending item placed, or, if they do not fit, the number of slots that are missing."""

    schedule: Schedule | None
    missing_slots: int = 0


class _Option(NamedTuple):
    """Where an item may begin: on free slots, or inside an event."""

    begin: int
    host: str = ""


class _Variable(NamedTuple):
    item: TaskItem
    options: list[_Option]
    target: int | None
    """Where a ``steady`` item should begin."""
    begin: cp_model.IntVar
    day: cp_model.IntVar
    """From 0."""
    is_placed: cp_model.IntVar
    hosts: dict[str, cp_model.IntVar]


def place_all(
    schedule: Schedule,
    time_limit_s: float = TIME_LIMIT_S,
    only: Collection[str] | None = None,
    since: Position = BEGINNING,
) -> Placement:
    """Place every pending item, or those of the classes with the ids in `only`; each becomes ``suggested``.

    Nothing is placed before `since`.

    Raises ``ChangeRefused`` if the solver found neither a placement nor that there is none.
    """
    items = [item for item in pending(schedule) if only is None or item.task_class in only]
    if not items:
        return Placement(schedule)
    found = _Model(schedule, items, since, must_place=True).solve(time_limit_s)
    if found is not None:
        return Placement(found)
    partly = _Model(schedule, items, since, must_place=False).solve(time_limit_s)
    placed = {item.id for item in partly.items if item.at is not None} if partly else set()
    return Placement(None, sum(item.duration for item in items if item.id not in placed))


class _Model:
    def __init__(self, schedule: Schedule, items: list[TaskItem], since: Position, *, must_place: bool) -> None:
        self._schedule, self._since = schedule, since
        self._slots = schedule.window.slots
        days = range(1, schedule.window.days + 1)
        self._free = {day: list(free_runs(schedule, day)) for day in days}
        self._open_hosts = {day: open_hosts(schedule, day) for day in days}
        self._must_place = must_place
        self._targets = _targets(schedule, since)
        self._model = cp_model.CpModel()
        self._variables = [self._variable(item) for item in items]
        self._forbid_overlaps()
        self._keep_orders()
        self._keep_daily_limits()
        if must_place:
            self._hint()
            self._model.minimize(sum(self._costs()))
        else:
            self._model.maximize(sum(v.item.duration * v.is_placed for v in self._variables))

    def solve(self, time_limit_s: float) -> Schedule | None:
        """Return the calendar with the items placed; None: they do not all fit. Raises ``ChangeRefused``.

        On a busy machine the solver may not even have looked at the hint in time; then it gets `MAX_TIME_S` for any
        legal placement.
        """
        solver = cp_model.CpSolver()
        solver.parameters.max_time_in_seconds = time_limit_s
        solver.parameters.num_workers = 2
        solver.parameters.random_seed = SEED
        status = solver.solve(self._model)
        if status == cp_model.UNKNOWN:
            solver.parameters.max_time_in_seconds = MAX_TIME_S
            solver.parameters.stop_after_first_solution = True
            status = solver.solve(self._model)
        if status == cp_model.UNKNOWN:
            raise ChangeRefused.of("no_time")
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        placed = []
        for variable in self._variables:
            if solver.boolean_value(variable.is_placed):
                host = next((host for host, inside in variable.hosts.items() if solver.boolean_value(inside)), "")
                at = self._position(solver.value(variable.begin))
                placed.append(variable.item.model_copy(update={"status": "suggested", "at": at, "host": host}))
        return self._schedule.replacing(*placed)

    def _position(self, begin: int) -> Position:
        return Position(day=begin // self._slots + 1, slot=begin % self._slots + 1)

    def _line(self, at: Position) -> int:
        return (at.day - 1) * self._slots + at.slot - 1

    def _variable(self, item: TaskItem) -> _Variable:
        model, options = self._model, list(self._options(item))
        begins = sorted({option.begin for option in options})
        begin = model.new_int_var_from_domain(cp_model.Domain.from_values(begins or [0]), item.id)
        day = model.new_int_var_from_domain(
            cp_model.Domain.from_values([begin // self._slots for begin in begins] or [0]), ""
        )
        slot = model.new_int_var(0, self._slots - 1, "")
        model.add(begin == self._slots * day + slot)
        is_placed = model.new_bool_var(f"{item.id} placed")
        if self._must_place or not options:
            model.add(is_placed == int(bool(options) or self._must_place))
        if not options and self._must_place:
            model.add_bool_or([])
        hosts = {host: model.new_bool_var(f"{item.id} in {host}") for host in {o.host for o in options} if host}
        model.add_at_most_one(hosts.values())
        for host, inside in hosts.items():
            model.add_implication(inside, is_placed)
            self._restrict(begin, (o.begin for o in options if o.host == host), inside)
        free = cp_model.Domain.from_values(sorted(o.begin for o in options if not o.host) or [-1])
        if options:
            model.add_linear_expression_in_domain(begin, free).only_enforce_if(
                is_placed, *[inside.negated() for inside in hosts.values()]
            )
        return _Variable(item, options, self._targets.get(item.id), begin, day, is_placed, hosts)

    def _restrict(self, begin: cp_model.IntVar, begins: Iterable[int], when: cp_model.IntVar) -> None:
        domain = cp_model.Domain.from_values(sorted(begins))
        self._model.add_linear_expression_in_domain(begin, domain).only_enforce_if(when)

    def _options(self, item: TaskItem) -> Iterable[_Option]:
        task_class = self._schedule.class_of(item)
        for day in _open_days(self._schedule, task_class, self._since):
            for run in self._free[day]:
                for slot in range(self._first_slot(day, run.slot), run.last - item.duration + 2):
                    if _is_allowed(task_class, slot, item.duration):
                        yield _Option(self._line(Position(day=day, slot=slot)))
            if task_class.may_be_embedded:
                yield from self._inside(item, task_class, self._open_hosts[day])

    def _first_slot(self, day: int, slot: int) -> int:
        """Return the slot, or the first one of that day that is not over."""
        return max(slot, self._since.slot) if day == self._since.day else slot

    def _inside(self, item: TaskItem, task_class: TaskClass, hosts: list[CalendarEvent]) -> Iterable[_Option]:
        for host in hosts:
            for slot in range(
                self._first_slot(host.at.day, host.at.slot), host.at.slot + host.duration - item.duration + 1
            ):
                if _is_allowed(task_class, slot, item.duration):
                    yield _Option(self._line(Position(day=host.at.day, slot=slot)), host.id)

    def _forbid_overlaps(self) -> None:
        model, intervals = self._model, []
        guests = defaultdict(list)
        for variable in self._variables:
            name, duration = variable.item.id, variable.item.duration
            stands = variable.is_placed
            if variable.hosts:
                stands = model.new_bool_var(f"{name} free")
                model.add(stands == variable.is_placed - sum(variable.hosts.values()))
            # Time is doubled here only: among intervals of one slot each, the solver would make a Boolean variable for
            # each item and slot first, which for 200 items takes longer than the whole search.
            interval = model.new_optional_fixed_size_interval_var(2 * variable.begin, 2 * duration, stands, name)
            intervals.append(interval)
            for host, inside in variable.hosts.items():
                guests[host].append(inside)
        model.add_no_overlap(intervals)
        for inside_of_one in guests.values():
            model.add_at_most_one(inside_of_one)

    def _keep_orders(self) -> None:
        """Keep the order of each class, also beside the items that stand already."""
        variables = {variable.item.id: variable for variable in self._variables}
        for task_class in self._schedule.classes:
            for before, after in pairwise(self._schedule.items_of(task_class)):
                first, second = variables.get(before.id), variables.get(after.id)
                if second is not None and first is not None:
                    self._model.add_implication(second.is_placed, first.is_placed)
                end = self._line(before.at) if before.at else first.begin if first else 0
                begin = self._line(after.at) if after.at else second.begin if second else 0
                conditions = [variable.is_placed for variable in (first, second) if variable is not None]
                if conditions:
                    self._model.add(end + before.duration <= begin).only_enforce_if(*conditions)

    def _keep_daily_limits(self) -> None:
        for classes, limit in daily_limits(self._schedule):
            ids = {task_class.id for task_class in classes}
            variables = [variable for variable in self._variables if variable.item.task_class in ids]
            if not variables:
                continue
            standing: dict[int, int] = defaultdict(int)
            for item in self._schedule.items:
                if item.task_class in ids and item.at is not None:
                    standing[item.at.day - 1] += item.duration
            fixed = [(self._model.new_fixed_size_interval_var(day, 1, ""), slots) for day, slots in standing.items()]
            self._limit_days(variables, limit, fixed)

    def _limit_days(
        self,
        variables: list[_Variable],
        limit: cp_model.IntVar | int,
        fixed: Iterable[tuple[cp_model.IntervalVar, int]] = (),
    ) -> None:
        """Let these items, with the `fixed` ones as intervals of days and their slots, take `limit` slots of a day."""
        taken = [
            (self._model.new_optional_fixed_size_interval_var(v.day, 1, v.is_placed, ""), v.item.duration)
            for v in variables
        ]
        intervals, demands = zip(*fixed, *taken, strict=True)
        self._model.add_cumulative(intervals, demands, limit)

    def _costs(self) -> Iterable[cp_model.LinearExprT]:
        for variable in self._variables:
            if variable.target is None:
                yield variable.begin
                continue
            distance = self._model.new_int_var(0, self._schedule.window.days * self._slots, "")
            self._model.add_abs_equality(distance, variable.begin - variable.target)
            yield distance
        spread = [variable for variable in self._variables if variable.target is not None]
        if spread:
            fullest = self._model.new_int_var(0, self._slots, "fullest day")
            self._limit_days(spread, fullest)
            yield LOAD_WEIGHT * fullest

    def _hint(self) -> None:
        """Give the solver a placement to begin from: near the targets, or as early as possible if not all fit so."""
        begins = _fitted(self._variables, at_targets=True)
        if None in begins.values():
            begins = _fitted(self._variables, at_targets=False)
        for variable in self._variables:
            begin = begins[variable.item.id]
            if begin is not None:
                self._model.add_hint(variable.begin, begin)
                self._model.add_hint(variable.day, begin // self._slots)
                for inside in variable.hosts.values():
                    self._model.add_hint(inside, False)


def _fitted(variables: list[_Variable], *, at_targets: bool) -> dict[str, int | None]:
    """Return the first free begin of each item, after the item before it; None: there is none."""
    taken: set[int] = set()
    last_end: dict[str, int] = defaultdict(int)
    found: dict[str, int | None] = {}
    for variable in sorted(variables, key=lambda variable: (variable.target or 0, variable.item.number)):
        item = variable.item
        earliest = max(last_end[item.task_class], variable.target or 0 if at_targets else 0)
        begins = (option.begin for option in variable.options if not option.host and option.begin >= earliest)
        free = (begin for begin in begins if taken.isdisjoint(range(begin, begin + item.duration)))
        found[item.id] = begin = next(free, None)
        if begin is not None:
            taken |= set(range(begin, begin + item.duration))
            last_end[item.task_class] = begin + item.duration
    return found


def _targets(schedule: Schedule, since: Position) -> dict[str, int]:
    """Return where each item of a ``steady`` class begins if the class is spread evenly over its days."""
    found = {}
    for task_class in schedule.classes:
        days, items = list(_open_days(schedule, task_class, since)), schedule.items_of(task_class)
        if task_class.strategy == "steady" and days:
            for number, item in enumerate(items):
                found[item.id] = (days[(2 * number + 1) * len(days) // (2 * len(items))] - 1) * schedule.window.slots
    return found


def _open_days(schedule: Schedule, task_class: TaskClass, since: Position) -> Iterable[int]:
    last = min(task_class.last_day or schedule.window.days, schedule.window.days)
    for day in range(max(1, since.day, task_class.first_day), last + 1):
        if schedule.window.weekday_of(day) not in task_class.excluded_weekdays:
            yield day


def _is_allowed(task_class: TaskClass, slot: int, duration: int) -> bool:
    return not set(range(slot, slot + duration)) & set(task_class.excluded_slots)
