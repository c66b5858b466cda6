"""The base of the tools that work on the queue of a task: entries that are moved one by one."""

from __future__ import annotations

from bandsmith.shared.model.schedule import Entry, Schedule
from bandsmith.shared.model.task import TaskMemory
from bandsmith.shared.schedule.changes import find_entry
from bandsmith.shared.schedule.refusals import ChangeRefused

from .base import Tool


class QueueTool(Tool):
    """A call that concerns the entry at the head of the queue."""

    def _head(self, schedule: Schedule) -> Entry:
        """Return the entry at the head. Raises ``ChangeRefused`` if the queue is empty."""
        if not self._memory.queue:
            raise ChangeRefused.of("queue_empty")
        return find_entry(schedule, self._memory.queue[0])

    def _without_head(self) -> TaskMemory:
        return self._memory.model_copy(update={"queue": self._memory.queue[1:]})
