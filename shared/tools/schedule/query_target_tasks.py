"""``query_target_tasks``: the placed entries that a request is about, and if wanted a queue of them."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Entry, Schedule, TaskItem
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.wording import entry_line

from ..base import Tool, ToolResult

MAX_FOUND = 200


class QueryTargetTasks(Tool):
    """List the placed entries that match all conditions; locked ones are left out. "enqueue" queues them one by one.

    "first_slot" and "last_slot" limit where an entry begins: the entries of the early morning have last_slot 2.
    """

    name = "query_target_tasks"
    domain = "schedule"
    pack = "detail_read"

    category: str | None = Field(default=None, description="Only the items of the class with this id or name.")
    events: bool = Field(default=False, description="Events too, not only task items.")
    first_day: int | None = None
    last_day: int | None = None
    weekdays: list[int] = Field(default=[], max_length=7, description="1 (Monday) to 7 (Sunday); empty: all.")
    first_slot: int | None = None
    last_slot: int | None = None
    enqueue: bool = False

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        found = sorted(self._found(schedule), key=lambda entry: entry.at.order if entry.at else (0, 0))[:MAX_FOUND]
        lines = [entry_line(schedule, entry, language) for entry in found]
        if not self.enqueue:
            return ToolResult("\n".join(lines) or text("schedule.list.none", language), schedule)
        memory = self._memory.model_copy(update={"queue": [entry.id for entry in found]})
        lines.append(text("schedule.queue.left", language, count=len(found)))
        return ToolResult("\n".join(lines), schedule, memory)

    def _found(self, schedule: Schedule) -> Iterator[Entry]:
        classes = {one.id for one in schedule.classes if self.category in (None, one.id, one.name)}
        locked = {entry.id for entry in schedule.entries if entry.is_locked}
        for entry in schedule.entries:
            if isinstance(entry, TaskItem):
                is_wanted = entry.task_class in classes and entry.host not in locked
            else:
                is_wanted = self.events and self.category is None
            if is_wanted and entry.id not in locked and self._stands(schedule, entry):
                yield entry

    def _stands(self, schedule: Schedule, entry: Entry) -> bool:
        """Whether the entry is placed within the days and slots that are wanted."""
        if entry.at is None or (self.weekdays and schedule.window.weekday_of(entry.at.day) not in self.weekdays):
            return False
        days = (self.first_day or 1) <= entry.at.day <= (self.last_day or schedule.window.days)
        return days and (self.first_slot or 1) <= entry.at.slot <= (self.last_slot or schedule.window.slots)
