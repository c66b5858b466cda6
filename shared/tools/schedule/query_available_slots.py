"""``query_available_slots``: where one entry may be placed or moved."""

from __future__ import annotations

from itertools import islice

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import MAX_DAYS, Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.changes import find_entry
from bandsmith.shared.schedule.positions import legal_positions
from bandsmith.shared.schedule.wording import position_words

from ..base import Tool, ToolResult

MAX_LINES = 40


class QueryAvailableSlots(Tool):
    """List the positions at which this entry may begin, as all rules allow; the first 40 of these days."""

    name = "query_available_slots"
    domain = "schedule"
    pack = "detail_read"

    task_id: str
    first_day: int = Field(default=1, ge=1, le=MAX_DAYS)
    last_day: int | None = Field(default=None, ge=1, le=MAX_DAYS)

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        entry = find_entry(schedule, self.task_id)
        found = legal_positions(schedule, entry, self.first_day, self.last_day or schedule.window.days, self._since)
        lines = [position_words(schedule, *at.order, entry.duration, language) for at in islice(found, MAX_LINES)]
        return ToolResult("\n".join(lines) or text("schedule.available.none", language, name=entry.name), schedule)
