"""``place``: put a pending task item into the calendar."""

from __future__ import annotations

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.schedule.changes import EntryMove, place
from bandsmith.shared.schedule.wording import change_words, fact_words

from ..base import Tool, ToolResult


class Place(Tool):
    """Place a pending task item. It stays until it is moved or unplaced."""

    name = "place"
    domain = "schedule"
    pack = "mutation"
    writes = True
    may_repeat = True

    task_id: str
    day: int
    slot_start: int

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        changed = place(schedule, self.task_id, self.day, self.slot_start)
        return ToolResult(fact_words(changed, [self.task_id], language), changed)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        return change_words(schedule, [EntryMove(self.task_id, self.day, self.slot_start)], language)
