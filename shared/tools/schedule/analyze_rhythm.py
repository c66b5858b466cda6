"""``analyze_rhythm``: how the pieces of work of each day follow each other."""

from __future__ import annotations

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.rhythm import rhythm

from ..base import Tool, ToolResult


class AnalyzeRhythm(Tool):
    """Measure each day with work: changes of class, longest block, demanding items in a row. Offers no changes."""

    name = "analyze_rhythm"
    domain = "schedule"
    pack = "analyze"

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        lines = [text("schedule.rhythm.day", language, **day._asdict()) for day in rhythm(schedule)]
        return ToolResult("\n".join(lines) or text("schedule.rhythm.none", language), schedule)
