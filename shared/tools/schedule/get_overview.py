"""``get_overview``: how full each day is, and what is still to be placed."""

from __future__ import annotations

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.views import free_runs, open_hosts, pending, taken_slots

from ..base import Tool, ToolResult
from ._wording import slot_range


class GetOverview(Tool):
    """Show every day with its taken and free slots, the events that can take an item in, and what is pending."""

    name = "get_overview"
    domain = "schedule"

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        lines = [_day(schedule, day, language) for day in range(1, schedule.window.days + 1)]
        waiting = pending(schedule)
        slots = sum(item.duration for item in waiting)
        lines.append(text("schedule.overview.pending", language, count=len(waiting), slots=slots))
        return ToolResult("\n".join(lines), schedule)


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
