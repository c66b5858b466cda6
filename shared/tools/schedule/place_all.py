"""``place_all``: place every pending task item."""

from __future__ import annotations

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.placement import place_all
from bandsmith.shared.schedule.refusals import ChangeRefused
from bandsmith.shared.schedule.views import pending
from bandsmith.shared.schedule.wording import fact_words

from ..base import Tool, ToolResult


class PlaceAll(Tool):
    """Place every pending task item legally, in order and spread well. The program works out the positions."""

    name = "place_all"
    domain = "schedule"
    pack = "mutation"
    writes = True
    may_repeat = True

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        changed = _placed(schedule)
        return ToolResult(fact_words(changed, [item.id for item in pending(schedule)], language), changed)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        return text("schedule.change.place_all", language, count=len(pending(schedule)))


def _placed(schedule: Schedule) -> Schedule:
    if not pending(schedule):
        raise ChangeRefused.of("nothing_pending")
    placement = place_all(schedule)
    if placement.schedule is None:
        raise ChangeRefused.of("no_room", slots=placement.missing_slots)
    return placement.schedule
