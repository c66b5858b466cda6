"""``unplace``: take a task item out of the calendar."""

from __future__ import annotations

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.changes import find_entry, unplace
from bandsmith.shared.schedule.wording import fact_words

from ..base import Tool, ToolResult


class Unplace(Tool):
    """Take a placed task item out of the calendar; it is pending again."""

    name = "unplace"
    domain = "schedule"
    pack = "mutation"
    writes = True

    task_id: str

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        changed = unplace(schedule, self.task_id)
        return ToolResult(fact_words(changed, [self.task_id], language), changed)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        return text("schedule.change.unplace", language, name=find_entry(schedule, self.task_id).name)
