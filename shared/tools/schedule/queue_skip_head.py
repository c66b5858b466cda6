"""``queue_skip_head``: leave the entry that is next in the queue where it is."""

from __future__ import annotations

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import text

from ..base import ToolResult
from ..queued import QueueTool


class QueueSkipHead(QueueTool):
    """Leave the head of the queue where it is; the next entry is the head."""

    name = "queue_skip_head"
    domain = "schedule"
    pack = "queue"

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        self._head(schedule)
        memory = self._without_head()
        return ToolResult(text("schedule.queue.left", language, count=len(memory.queue)), schedule, memory)
