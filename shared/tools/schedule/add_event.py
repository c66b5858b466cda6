"""``add_event``: an event at a given time."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import MAX_SLOTS, CalendarEvent, Position, Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.changes import accepted
from bandsmith.shared.schedule.wording import fact_words, position_words

from ..base import Tool, ToolResult


class AddEvent(Tool):
    """Add an event that stands at a given time: an appointment, a meeting. "locked" keeps it from being moved."""

    name = "add_event"
    domain = "schedule"
    pack = "entries"
    writes = True
    may_repeat = True

    title: str = Field(min_length=1, max_length=120)
    day: int
    slot_start: int
    slots: int = Field(default=1, ge=1, le=MAX_SLOTS)
    locked: bool = False
    can_embed: bool = False

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        event = CalendarEvent(
            id=self._free_id(schedule),
            name=self.title,
            at=Position(day=self.day, slot=self.slot_start),
            duration=self.slots,
            is_locked=self.locked,
            can_embed=self.can_embed,
        )
        changed = accepted(schedule, schedule.model_copy(update={"events": [*schedule.events, event]}))
        return ToolResult(fact_words(changed, [event.id], language), changed)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        where = position_words(schedule, self.day, self.slot_start, self.slots, language)
        return text("schedule.change.add_event", language, name=self.title, where=where)

    def _free_id(self, schedule: Schedule) -> str:
        """Return an id that no entry has. Those of task items hold no colon, so that later ones do not collide."""
        stem = "event:" + "-".join("".join(c if c.isalnum() else " " for c in self.title.casefold()).split())[:30]
        taken = {entry.id for entry in schedule.entries}
        return next(one for one in (stem, *(f"{stem}-{n}" for n in range(2, 10_002))) if one not in taken)
