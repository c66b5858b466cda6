"""``queue_pop_head``: the entry that is next in the queue, and where it may go."""

from __future__ import annotations

from itertools import islice

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.positions import legal_positions
from bandsmith.shared.schedule.wording import entry_line, position_words

from ..base import ToolResult
from ..queued import QueueTool

MAX_POSITIONS = 12


class QueuePopHead(QueueTool):
    """Show the head of the queue and positions it may be moved to. It stays the head until it is moved or skipped."""

    name = "queue_pop_head"
    domain = "schedule"
    pack = "queue"

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        head = self._head(schedule)
        found = islice(legal_positions(schedule, head, 1, schedule.window.days, self._since), MAX_POSITIONS)
        lines = [f"- {position_words(schedule, *at.order, head.duration, language)}" for at in found]
        left = text("schedule.queue.left", language, count=len(self._memory.queue))
        return ToolResult("\n".join([entry_line(schedule, head, language), *lines, left]), schedule)
