"""``delete_entries``: events and task items, deleted for good."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import listed, text
from bandsmith.shared.schedule.changes import find_entry, hold_unlocked
from bandsmith.shared.schedule.wording import fact_words

from ..base import Tool, ToolResult

MAX_DELETED = 200


class DeleteEntries(Tool):
    """Delete events and task items for good. A task item that is only to leave the calendar is unplaced instead.

    A locked entry is refused: change_entry unlocks it first. What is inside a deleted event is pending again.
    """

    name = "delete_entries"
    domain = "schedule"
    pack = "entries"
    writes = True

    task_ids: list[str] = Field(min_length=1, max_length=MAX_DELETED)

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        gone = set(self.task_ids)
        for entry_id in self.task_ids:
            hold_unlocked(schedule, find_entry(schedule, entry_id))
        freed = {"status": "pending", "at": None, "host": ""}
        guests = [item.id for item in schedule.items if item.host in gone and item.id not in gone]
        items = [
            item.model_copy(update=freed) if item.id in guests else item
            for item in schedule.items
            if item.id not in gone
        ]
        emptied = {item.task_class for item in schedule.items} - {item.task_class for item in items}
        changed = Schedule(
            window=schedule.window,
            events=[event for event in schedule.events if event.id not in gone],
            classes=[one for one in schedule.classes if one.id not in emptied],
            items=items,
        )
        names = listed([find_entry(schedule, entry_id).name for entry_id in dict.fromkeys(self.task_ids)], language)
        stated = text("schedule.fact.deleted", language, names=names)
        return ToolResult(f"{stated}\n{fact_words(changed, guests, language)}", _numbered(changed))

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        names = listed([find_entry(schedule, entry_id).name for entry_id in dict.fromkeys(self.task_ids)], language)
        return text("schedule.change.delete", language, names=names)


def _numbered(schedule: Schedule) -> Schedule:
    """Return the calendar with the items of each class numbered from 1 on, without gaps."""
    items = [
        item.model_copy(update={"number": number})
        for task_class in schedule.classes
        for number, item in enumerate(schedule.items_of(task_class), 1)
    ]
    return schedule.replacing(*items)
