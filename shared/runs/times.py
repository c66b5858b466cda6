"""When a run is due: cron expressions and recurrence rules in local time, as moments.

A rule is read as a clock on the wall of its zone: 08:00 stays 08:00 through the summer. A time that a change of the
clock skips is due as much later, one that comes twice is due the first time only.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError
from dateutil.rrule import rrulestr

from ..errors import BadInput
from ..model.run import Times

MAX_TRIES = 20_000
"""How many times in a row may be excluded."""
MAX_CHANGE = timedelta(hours=3)
"""More than any clock is changed by."""
_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")


def next_due(times: Times, after: datetime) -> datetime | None:
    """Return the first moment, in UTC, that is later than `after`; None: there is none. Raises ``BadInput``."""
    return next(_moments(times, after), None)


def first_dues(times: Times, after: datetime, count: int) -> list[datetime]:
    """Return the next moments, in UTC, at most `count`. Raises ``BadInput``."""
    return list(islice(_moments(times, after), count))


def due_between(times: Times, first: datetime, last: datetime) -> Iterator[datetime]:
    """Yield the moments, in UTC, after `first` and not after `last`. Raises ``BadInput``."""
    return takewhile(lambda moment: moment <= last, _moments(times, first))


def begins_after(now: datetime, zone: str) -> datetime:
    """Return when a run that is made now begins, on the clock of its zone: with the next whole minute.

    A rule that names no time of day takes that of its beginning, which then has no seconds. Raises ``BadInput``.
    """
    local = now.astimezone(zone_of(zone)).replace(tzinfo=None)
    minute = local.replace(second=0, microsecond=0)
    return minute if minute == local else minute + timedelta(minutes=1)


def checked(times: Times) -> Times:
    """Return times that can be read. Raises ``BadInput`` for a rule or zone that cannot."""
    zone_of(times.zone)
    next(_local_times(times, times.begins), None)
    return times


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by name. Raises ``BadInput``."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput.of("runs.zone", code="run", zone=name) from None


def values_on(due: datetime, zone: str) -> dict[str, str]:
    """Return what the names in the parameters of a run stand for."""
    day = due.astimezone(zone_of(zone)).date()
    last_month = day.replace(day=1) - timedelta(days=1)
    return {
        "date": f"{day:%Y-%m-%d}",
        "month": f"{day:%Y-%m}",
        "last_month": f"{last_month:%Y-%m}",
        "year": str(day.year),
        "last_year": str(day.year - 1),
    }


def _moments(times: Times, after: datetime) -> Iterator[datetime]:
    """Yield the moments that are later than `after`, each later than the one before."""
    zone = zone_of(times.zone)
    start = max(after.astimezone(zone).replace(tzinfo=None), times.begins - timedelta(microseconds=1))
    latest, tries = after, 0
    # From earlier on: what the clock skipped or repeats is told apart by the moment, not by the clock.
    for local in _local_times(times, start - MAX_CHANGE):
        moment = _moment(local, zone)
        if moment > latest and local >= times.begins and local.date() not in times.excluded:
            latest, tries = moment, 0
            yield moment
        elif (tries := tries + 1) >= MAX_TRIES:
            return


def _local_times(times: Times, after: datetime) -> Iterator[datetime]:
    """Yield times of the clock that are later than `after`. Raises ``BadInput`` for a rule that cannot be read."""
    try:
        if "=" not in times.rule:
            yield from CronSim(times.rule, after.replace(microsecond=0))
            return
        parts = dict(part.split("=", 1) for part in times.rule.upper().removeprefix("RRULE:").split(";"))
        if parts.get("FREQ") not in _FREQUENCIES or "BYSECOND" in parts:
            raise ValueError
        rule = rrulestr(times.rule.removeprefix("RRULE:"), dtstart=times.begins.replace(microsecond=0))
        yield from rule.xafter(after)
    except (CronSimError, ValueError, TypeError):
        raise BadInput.of("runs.rule", code="run", rule=times.rule) from None


def _moment(local: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment of a clock time: the first one of two, and for one that is skipped as long after the gap."""
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)
