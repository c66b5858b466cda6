"""``list_tasks``: the events and task items of the calendar."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule, TaskItem
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.wording import entry_line

from ..base import Tool, ToolResult

MAX_LINES = 200


class ListTasks(Tool):
    """List task items and events with their ids, positions and states."""

    name = "list_tasks"
    domain = "schedule"

    category: str | None = Field(default=None, description="Only the items of the class with this id or name.")
    status: Literal["pending", "suggested", "existing", "event"] | None = None

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        wanted = {c.id for c in schedule.classes if self.category in (None, c.id, c.name)}
        found: list[str] = []
        for entry in schedule.entries:
            kind = entry.status if isinstance(entry, TaskItem) else "event"
            in_class = entry.task_class in wanted if isinstance(entry, TaskItem) else self.category is None
            if in_class and self.status in (None, kind):
                found.append(entry_line(schedule, entry, language))
        if len(found) > MAX_LINES:
            found = [*found[:MAX_LINES], text("schedule.more", language, count=len(found) - MAX_LINES)]
        return ToolResult("\n".join(found) or text("schedule.list.none", language), schedule)
