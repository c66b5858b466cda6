"""``get_overview``: how full each day is, and what is still to be placed."""

from __future__ import annotations

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.schedule.wording import overview

from ..base import Tool, ToolResult


class GetOverview(Tool):
    """Show every day with its taken and free slots, the events that can take an item in, and what is pending."""

    name = "get_overview"
    domain = "schedule"

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        return ToolResult(overview(schedule, language), schedule)
