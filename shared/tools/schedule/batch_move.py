"""``batch_move``: put several entries elsewhere at once."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.language import Language
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.schedule.changes import EntryMove, batch_move
from bandsmith.shared.schedule.wording import change_words, fact_words

from ..base import Tool, ToolResult


class WantedMove(Value):
    task_id: str
    new_day: int
    new_slot_start: int


class BatchMove(Tool):
    """Move several entries at once, so that they may exchange positions. All are moved or none."""

    name = "batch_move"
    domain = "schedule"
    pack = "mutation"
    writes = True
    may_repeat = True

    moves: list[WantedMove] = Field(min_length=1, max_length=50)

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        changed = batch_move(schedule, self._moves())
        return ToolResult(fact_words(changed, [move.task_id for move in self.moves], language), changed)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        return change_words(schedule, self._moves(), language)

    def _moves(self) -> list[EntryMove]:
        return [EntryMove(move.task_id, move.new_day, move.new_slot_start) for move in self.moves]
