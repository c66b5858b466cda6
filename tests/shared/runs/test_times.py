"""When a run is due: cron and RRULE, days that are left out, and the change of the clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bandsmith.shared.errors import BadInput
from bandsmith.shared.runs.times import begins_after, checked, due_between, first_dues, next_due, values_on

from .made import times


def dues(rule: str, zone: str, after: datetime, count: int, **more) -> list[str]:
    found = islice(due_between(times(rule, zone, **more), after, after + timedelta(days=800)), count)
    return [f"{moment:%m-%d %H:%M}" for moment in found]


AFTER = datetime(2026, 11, 22, tzinfo=UTC)


def test_cron_is_read_in_the_time_of_its_zone():
    assert dues("0 8 1 * *", "Asia/Shanghai", AFTER, 2) == ["12-01 00:00", "01-01 00:00"]


def test_the_first_working_day_of_each_month():
    rule = "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;BYHOUR=8;BYMINUTE=0"
    assert dues(rule, "UTC", AFTER, 3) == ["12-01 08:00", "01-01 08:00", "02-01 08:00"]


def test_a_day_that_is_left_out_is_no_day_of_the_run():
    assert dues("0 8 * * *", "UTC", AFTER, 2, excluded=[date(2026, 11, 23)]) == ["11-22 08:00", "11-24 08:00"]


def test_nothing_is_due_before_the_beginning():
    assert dues("0 8 * * *", "UTC", AFTER, 1, begins=datetime(2026, 12, 24, 9)) == ["12-25 08:00"]


def test_a_rule_without_hours_takes_the_time_of_its_beginning():
    assert dues("FREQ=DAILY", "UTC", AFTER, 1, begins=datetime(2026, 11, 1, 17, 30)) == ["11-22 17:30"]


@pytest.mark.parametrize(("now", "begins"), [("07:59:40.5", "08:00"), ("08:00:00", "08:00"), ("08:00:01", "08:01")])
def test_a_run_begins_with_a_whole_minute_that_is_still_to_come(now: str, begins: str):
    moment = datetime.fromisoformat(f"2026-11-24T{now}+00:00")
    assert f"{begins_after(moment, 'UTC'):%H:%M:%S.%f}" == f"{begins}:00.000000"


def test_a_rule_without_hours_is_due_on_a_whole_minute():
    now = datetime(2026, 11, 24, 16, 30, 17, tzinfo=UTC)
    daily = times("FREQ=DAILY", "Asia/Shanghai", begins=begins_after(now, "Asia/Shanghai"))
    assert [f"{moment:%d %H:%M:%S}" for moment in first_dues(daily, now, 2)] == ["24 16:31:00", "25 16:31:00"]


def test_eight_o_clock_stays_eight_o_clock_when_the_clock_changes():
    # Berlin goes back to winter time on 25 October 2026
    assert dues("0 8 * * *", "Europe/Berlin", datetime(2026, 10, 24, tzinfo=UTC), 2) == ["10-24 06:00", "10-25 07:00"]


def test_a_time_that_comes_twice_is_due_once():
    assert dues("30 2 * * *", "Europe/Berlin", datetime(2026, 10, 24, 23, tzinfo=UTC), 2) == [
        "10-25 00:30",
        "10-26 01:30",
    ]


def test_a_time_that_the_clock_skips_is_due_all_the_same():
    # On 29 March 2026 there is no 02:30 in Berlin
    assert dues("30 2 * * *", "Europe/Berlin", datetime(2026, 3, 28, 12, tzinfo=UTC), 2) == [
        "03-29 01:30",
        "03-30 00:30",
    ]


def test_each_time_is_later_than_the_one_before_through_a_change_of_the_clock():
    schedule = times("*/15 * * * *", "Europe/Berlin")
    for day in (datetime(2026, 3, 29, tzinfo=UTC), datetime(2026, 10, 25, tzinfo=UTC)):
        moments = list(due_between(schedule, day, day + timedelta(hours=6)))
        assert len(moments) > 15 and all(one < other for one, other in pairwise(moments))
        assert next_due(schedule, moments[3]) == moments[4]


def test_times_that_are_over_have_no_next():
    assert next_due(times("FREQ=DAILY;COUNT=3"), AFTER) is None


@pytest.mark.parametrize("rule", ["", "every Monday", "99 * * * *", "FREQ=SECONDLY", "FREQ=MINUTELY", "FREQ=", "=;="])
def test_what_is_no_schedule_is_refused_with_a_sentence(rule: str):
    with pytest.raises((BadInput, ValueError)):
        checked(times(rule))


def test_an_unknown_zone_is_refused_with_a_sentence():
    with pytest.raises(BadInput, match="Europe/Berlin"):
        checked(times("0 8 * * *", "../etc/passwd"))


@given(
    st.datetimes(min_value=datetime(2026, 1, 1), max_value=datetime(2027, 12, 1), timezones=st.just(UTC)),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe"]),
    st.sampled_from(["0 8 * * *", "30 2 * * *", "15 */6 * * 1", "FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=30"]),
)
def test_the_next_time_is_later_and_no_time_lies_between(after: datetime, zone: str, rule: str):
    schedule = times(rule, zone)
    first = next_due(schedule, after)
    assert first is not None and first > after
    middle = after + (first - after) / 2
    assert next_due(schedule, middle) == first


def test_parameters_follow_the_time():
    values = values_on(datetime(2026, 1, 1, 0, 30, tzinfo=UTC), "Asia/Shanghai")
    assert values == {
        "date": "2026-01-01",
        "month": "2026-01",
        "last_month": "2025-12",
        "year": "2026",
        "last_year": "2025",
    }
