"""``query_range``: what stands on a day."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.views import entries_on
from bandsmith.shared.schedule.wording import entry_line

from ..base import Tool, ToolResult


class QueryRange(Tool):
    """List what stands on a day, or in some of its slots."""

    name = "query_range"
    domain = "schedule"

    day: int
    slot_start: int = Field(default=1, description="First slot to look at.")
    slot_end: int | None = Field(default=None, description="Last slot to look at; the day's last if not given.")

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        if not 1 <= self.day <= schedule.window.days:
            raise ChangeRefused.of("no_day", day=self.day, days=schedule.window.days)
        last = self.slot_end or schedule.window.slots
        found = [
            entry
            for entry in entries_on(schedule, self.day)
            if entry.at and entry.at.slot <= last and entry.at.slot + entry.duration > self.slot_start
        ]
        lines = [entry_line(schedule, entry, language) for entry in found]
        return ToolResult("\n".join(lines) or text("schedule.range.empty", language, day=self.day), schedule)
