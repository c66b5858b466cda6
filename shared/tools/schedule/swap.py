"""``swap``: exchange two entries of the same length."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.changes import find_entry, swap
from bandsmith.shared.schedule.health import Candidate
from bandsmith.shared.schedule.wording import fact_words

from ..base import Tool, ToolResult


class Swap(Tool):
    """Exchange the positions of two placed entries of the same length."""

    name = "swap"
    domain = "schedule"
    pack = "mutation"
    writes = True
    may_repeat = True

    task_a: str
    task_b: str

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        changed = swap(schedule, self.task_a, self.task_b)
        return ToolResult(fact_words(changed, [self.task_a, self.task_b], language), changed)

    def is_among(self, candidates: Sequence[Candidate]) -> bool:
        wanted = {self.task_a, self.task_b}
        return any({move.entry for move in one.moves} == wanted for one in candidates if one.is_swap)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        return text(
            "schedule.change.swap",
            language,
            name=find_entry(schedule, self.task_a).name,
            other=find_entry(schedule, self.task_b).name,
        )
