"""``move``: put an event or a placed task item elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.schedule.changes import EntryMove, move
from bandsmith.shared.schedule.health import Candidate
from bandsmith.shared.schedule.wording import change_words, fact_words

from ..base import Tool, ToolResult


class MoveEntry(Tool):
    """Move an event or a placed task item. What is inside an event moves with it."""

    name = "move"
    domain = "schedule"
    pack = "mutation"
    writes = True
    may_repeat = True

    task_id: str
    new_day: int
    new_slot_start: int

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        changed = move(schedule, self.task_id, self.new_day, self.new_slot_start)
        return ToolResult(fact_words(changed, [self.task_id], language), changed)

    def is_among(self, candidates: Sequence[Candidate]) -> bool:
        wanted = (EntryMove(self.task_id, self.new_day, self.new_slot_start),)
        return any(candidate.moves == wanted for candidate in candidates if not candidate.is_swap)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        return change_words(schedule, [EntryMove(self.task_id, self.new_day, self.new_slot_start)], language)
