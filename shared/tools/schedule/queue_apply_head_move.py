"""``queue_apply_head_move``: move the entry that is next in the queue."""

from __future__ import annotations

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.schedule.changes import EntryMove, move
from bandsmith.shared.schedule.wording import change_words, fact_words

from ..base import ToolResult
from ..queued import QueueTool


class QueueApplyHeadMove(QueueTool):
    """Move the head of the queue. Once that is stored, the next entry is the head."""

    name = "queue_apply_head_move"
    domain = "schedule"
    pack = "queue"
    writes = True
    may_repeat = True

    new_day: int
    new_slot_start: int

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        head = self._head(schedule)
        changed = move(schedule, head.id, self.new_day, self.new_slot_start)
        return ToolResult(fact_words(changed, [head.id], language), changed, self._without_head())

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        return change_words(schedule, [EntryMove(self._head(schedule).id, self.new_day, self.new_slot_start)], language)
