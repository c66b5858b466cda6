"""``change_entry``: another name, length or lock of an event or a task item."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import MAX_SLOTS, CalendarEvent, Entry, Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.changes import accepted, find_entry, hold_unlocked
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.wording import fact_words

from ..base import Tool, ToolResult


class ChangeEntry(Tool):
    """Lock an event or a task item, unlock it, rename it, or give it another length; what is left out stays.

    What is locked is not moved, and gets no other length. An event with "can_embed" can hold one task item.
    """

    name = "change_entry"
    domain = "schedule"
    pack = "entries"
    writes = True
    may_repeat = True

    task_id: str
    locked: bool | None = None
    title: str | None = Field(default=None, min_length=1, max_length=120)
    slots: int | None = Field(default=None, ge=1, le=MAX_SLOTS)
    can_embed: bool | None = None

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        entry = find_entry(schedule, self.task_id)
        if self.can_embed is not None and not isinstance(entry, CalendarEvent):
            raise ChangeRefused.of("not_an_event", name=entry.name)
        if self.slots not in (None, entry.duration):
            self._hold_movable(schedule, entry)
        given = {
            "is_locked": self.locked,
            "name": self.title,
            "duration": self.slots,
            "can_embed": self.can_embed,
        }
        news: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        changed = accepted(schedule, schedule.replacing(entry.model_copy(update=news)))
        return ToolResult(fact_words(changed, [entry.id], language), changed)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        is_lock = self.locked is not None and self.title is None and self.slots is None and self.can_embed is None
        code = ("lock" if self.locked else "unlock") if is_lock else "change_entry"
        return text(f"schedule.change.{code}", language, name=find_entry(schedule, self.task_id).name)

    def _hold_movable(self, schedule: Schedule, entry: Entry) -> None:
        """Hold that the entry is not locked, or is unlocked by this call. Raises ``ChangeRefused``."""
        is_unlocked = self.locked is False
        hold_unlocked(schedule, entry.model_copy(update={"is_locked": False}) if is_unlocked else entry)
