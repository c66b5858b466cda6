"""``place_all``: place every pending task item, or those of some classes."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import listed, text
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.views import pending
from bandsmith.shared.schedule.wording import fact_words

from ..base import Tool, ToolResult


class PlaceAll(Tool):
    """Place every pending task item legally, in order and spread well. The program works out the positions.

    "classes" places only what is pending of the classes with these ids or names.
    """

    name = "place_all"
    domain = "schedule"
    pack = "mutation"
    writes = True
    may_repeat = True

    classes: list[str] = Field(default=[], max_length=50)

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        from bandsmith.shared.schedule.placement import place_all  # noqa: PLC0415 - slow to import

        wanted = self._wanted(schedule)
        items = [item.id for item in pending(schedule) if item.task_class in wanted]
        if not items:
            raise ChangeRefused.of("nothing_pending")
        placement = place_all(schedule, only=wanted, since=self._since)
        if placement.schedule is None:
            raise ChangeRefused.of("no_room", slots=placement.missing_slots)
        return ToolResult(fact_words(placement.schedule, items, language), placement.schedule)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        if not self.classes:
            return text("schedule.change.place_all", language, count=len(pending(schedule)))
        wanted = self._wanted(schedule)
        names = listed([one.name for one in schedule.classes if one.id in wanted], language)
        return text("schedule.change.place_some", language, names=names)

    def _wanted(self, schedule: Schedule) -> set[str]:
        """Return the ids of the classes that are meant. Raises ``ChangeRefused``."""
        if not self.classes:
            return {one.id for one in schedule.classes}
        known = {name for one in schedule.classes for name in (one.id, one.name)}
        if unknown := [name for name in self.classes if name not in known]:
            ids = ", ".join(one.id for one in schedule.classes) or "-"
            raise ChangeRefused.of("no_class", names=", ".join(unknown), known=ids)
        return {one.id for one in schedule.classes if {one.id, one.name} & set(self.classes)}
