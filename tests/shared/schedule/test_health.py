"""The health of a calendar: what strains it, what is offered against that, and that the analysis ends by itself."""

from __future__ import annotations

import pytest

from bandsmith.shared.model.schedule import Schedule, Window
from bandsmith.shared.schedule.changes import batch_move, swap
from bandsmith.shared.schedule.health import MAX_ROUNDS, Candidate, Effect, Tightness, analyse, measure
from bandsmith.shared.schedule.placement import place_all
from bandsmith.shared.schedule.rules import violations

from .calendars import MONDAY, demanding_day, generated


def carried_out(schedule: Schedule, candidate: Candidate) -> Schedule:
    if candidate.is_swap:
        return swap(schedule, candidate.moves[0].entry, candidate.moves[1].entry)
    return batch_move(schedule, candidate.moves)


def test_demanding_items_in_a_row_strain_a_day():
    health = measure(demanding_day())
    assert (health.demanding_pairs, health.switches, health.longest_block) == (1, 1, 4)
    assert health.worst_day == 1
    assert health.tightness is Tightness.LOOSE


def test_a_move_that_solves_it_is_offered_and_does_what_it_says():
    calendar = demanding_day()
    analysis = analyse(calendar)
    best = analysis.candidates[0]
    assert analysis.should_continue
    assert best.effect is Effect.IMPROVE
    assert measure(carried_out(calendar, best)).strain == best.strain == 0


def test_a_calm_calendar_asks_for_nothing():
    analysis = analyse(Schedule(window=Window(start=MONDAY, days=5)))
    assert (analysis.candidates, analysis.should_continue, analysis.is_forced_imperfection) == ([], False, False)


def test_strain_that_the_window_forces_is_named():
    calendar = demanding_day(days=1)
    full = calendar.model_copy(update={"window": Window(start=MONDAY, days=1, slots=4), "classes": calendar.classes})
    analysis = analyse(full)
    assert analysis.is_forced_imperfection
    assert not analysis.should_continue


def test_two_changes_without_improvement_end_it():
    assert not analyse(demanding_day(), [5, 5, 5]).should_continue


def rounds(schedule: Schedule) -> tuple[int, list[int]]:
    """Carry out the first candidate until the analysis ends; return the rounds and the strain before each."""
    strains: list[int] = []
    while True:
        analysis = analyse(schedule, strains)
        strains.append(analysis.health.strain)
        if not analysis.should_continue:
            return len(strains) - 1, strains
        schedule = carried_out(schedule, analysis.candidates[0])
        assert list(violations(schedule)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 100), marks=pytest.mark.slow)])
def test_it_ends_by_itself_and_never_worse_than_it_began(seeds: range):
    for seed in seeds:
        placed = place_all(generated(seed), time_limit_s=0.3).schedule
        assert placed is not None
        count, strains = rounds(placed)
        assert count <= MAX_ROUNDS
        assert strains[-1] <= strains[0]
