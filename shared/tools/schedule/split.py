"""``split``: one piece of work as several shorter ones."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import CalendarEvent, Position, Schedule, TaskItem
from bandsmith.shared.replies import listed, text
from bandsmith.shared.schedule.changes import accepted, find_entry, hold_unlocked
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.wording import fact_words

from ..base import Tool, ToolResult

MAX_PIECES = 20


class Split(Tool):
    """Split a task item into pieces of these lengths in slots, in order. They take the time of the item, one after
    another, until they are moved; the pieces of a pending item are pending."""

    name = "split"
    domain = "schedule"
    pack = "entries"
    writes = True
    may_repeat = True

    task_id: str
    slots: list[int] = Field(min_length=2, max_length=MAX_PIECES)

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        item = self._item(schedule)
        if min(self.slots) < 1 or sum(self.slots) != item.duration:
            raise ChangeRefused.of("split_sum", name=item.name, slots=item.duration)
        hold_unlocked(schedule, item)
        pieces, more = self._pieces(schedule, item), len(self.slots) - 1
        later = [
            other.model_copy(update={"number": other.number + more})
            for other in schedule.items
            if other.task_class == item.task_class and other.number > item.number
        ]
        shifted = schedule.replacing(*later, pieces[0])
        changed = shifted.model_copy(update={"items": [*shifted.items, *pieces[1:]]})
        changed = accepted(schedule, changed)
        return ToolResult(fact_words(changed, [piece.id for piece in pieces], language), changed)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        slots = listed([str(length) for length in self.slots], language)
        return text("schedule.change.split", language, name=self._item(schedule).name, slots=slots)

    def _item(self, schedule: Schedule) -> TaskItem:
        entry = find_entry(schedule, self.task_id)
        if isinstance(entry, CalendarEvent):
            raise ChangeRefused.of("not_an_item", name=entry.name)
        return entry

    def _pieces(self, schedule: Schedule, item: TaskItem) -> list[TaskItem]:
        """Return the pieces; the first one keeps the item's id."""
        taken, pieces, begin = {entry.id for entry in schedule.entries}, list[TaskItem](), 0
        for number, length in enumerate(self.slots, 1):
            ids = (item.id, *(f"{item.id}.{n}" for n in range(2, 10_002)))
            known = taken if number > 1 else set[str]()
            news = {
                "id": next(one for one in ids if one not in known),
                "name": f"{item.name} ({number}/{len(self.slots)})",
                "number": item.number + number - 1,
                "duration": length,
                "at": Position(day=item.at.day, slot=item.at.slot + begin) if item.at else None,
            }
            pieces.append(item.model_copy(update=news))
            taken.add(pieces[-1].id)
            begin += length
        return pieces
