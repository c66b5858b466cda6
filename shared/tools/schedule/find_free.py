"""``find_free``: where something of a given length fits."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.views import free_runs, open_hosts
from bandsmith.shared.schedule.wording import slot_range

from ..base import Tool, ToolResult

MAX_LINES = 40


class FindFree(Tool):
    """Find runs of free slots of at least this length, and separately events that can take an item in."""

    name = "find_free"
    domain = "schedule"

    duration: int = Field(ge=1, description="In slots.")
    day: int | None = Field(default=None, description="Only on this day.")

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        days = [self.day] if self.day else range(1, schedule.window.days + 1)
        runs = [run for day in days for run in free_runs(schedule, day) if run.length >= self.duration]
        hosts = [event for day in days for event in open_hosts(schedule, day) if event.duration >= self.duration]
        lines = [
            text("schedule.free.run", language, count=run.length, day=run.day, slots=slot_range(run.slot, run.length))
            for run in runs
        ]
        lines += [
            text(
                "schedule.free.host",
                language,
                count=event.duration,
                day=event.at.day,
                slots=slot_range(event.at.slot, event.duration),
                name=event.name,
                id=event.id,
            )
            for event in hosts
        ]
        if len(lines) > MAX_LINES:
            lines = [*lines[:MAX_LINES], text("schedule.more", language, count=len(lines) - MAX_LINES)]
        return ToolResult("\n".join(lines) or text("schedule.free.none", language, duration=self.duration), schedule)
