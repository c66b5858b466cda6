"""``get_task_info``: everything about one event or task item."""

from __future__ import annotations

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule, TaskItem
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.changes import find_entry
from bandsmith.shared.schedule.wording import entry_line

from ..base import Tool, ToolResult


class GetTaskInfo(Tool):
    """Show an event or a task item with its class and the rules that hold for it."""

    name = "get_task_info"
    domain = "schedule"

    task_id: str

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        entry = find_entry(schedule, self.task_id)
        lines = [entry_line(schedule, entry, language)]
        if isinstance(entry, TaskItem):
            task_class = schedule.class_of(entry)
            values = {
                "name": task_class.name,
                "id": task_class.id,
                "number": entry.number,
                "count": len(schedule.items_of(task_class)),
                "strategy": text(f"schedule.strategy.{task_class.strategy}", language),
                "first": task_class.first_day,
                "last": task_class.last_day or schedule.window.days,
            }
            lines.append(text("schedule.info.task_class", language, **values))
        return ToolResult("\n".join(lines), schedule)
