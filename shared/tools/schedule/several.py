"""``several``: changes of several kinds, made at once after one question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import Field, PrivateAttr, model_validator

from bandsmith.shared.language import Language
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.model.task import SEVERAL
from bandsmith.shared.replies import Text
from bandsmith.shared.schedule.refusals import ChangeRefused

from ..base import Tool, ToolResult

QUEUE = "queue"
"""The pack whose tools work on what is next, one entry at a time."""


class PartOfSeveral(Value):
    name: str
    arguments: dict[str, Any] = {}


class SeveralChanges(Tool):
    """Make several changes of the calendar at once: the user sees them all and is asked once. All are made or none.

    Each of "calls" names a tool that writes, with the arguments that it takes alone; it need not be offered yet. A
    later one is worked out after the earlier ones.
    """

    name = SEVERAL
    domain = "schedule"
    writes = True

    calls: list[PartOfSeveral] = Field(min_length=1, max_length=20)
    _tools: list[Tool] = PrivateAttr(default_factory=list)
    _ran: tuple[Schedule, list[ToolResult]] | None = PrivateAttr(default=None)

    @model_validator(mode="after")
    def _reads_its_calls(self) -> SeveralChanges:
        from bandsmith.shared.tools import TOOLS  # noqa: PLC0415 - the registry holds this tool

        known = {name: tool for name, tool in TOOLS.items() if tool.writes and name != SEVERAL and tool.pack != QUEUE}
        for call in self.calls:
            if call.name not in known:
                raise ValueError(f"there is no tool {call.name[:80]} for this; there are {', '.join(known)}")
            self._tools.append(known[call.name].model_validate(call.arguments))
        return self

    @property
    def is_repeatable(self) -> bool:
        return all(tool.is_repeatable for tool in self._tools)

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        results = self._results(schedule, language)
        return ToolResult("\n".join(result.text for result in results), results[-1].schedule)

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        before = [schedule, *(result.schedule for result in self._results(schedule, language))]
        parts = zip(self._tools, before, strict=False)
        return "\n".join(tool.confirmation(known, language) for tool, known in parts)

    def _results(self, schedule: Schedule, language: Language) -> list[ToolResult]:
        """Return what each call did; what is shown and what is stored come from the same run."""
        if self._ran is None or self._ran[0] is not schedule:
            self._ran = schedule, list(self._made(schedule, language))
        return self._ran[1]

    def _made(self, schedule: Schedule, language: Language) -> Iterator[ToolResult]:
        for number, tool in enumerate(self._tools, 1):
            try:
                result = tool.from_now_on(self._since).run(schedule, language)
            except ChangeRefused as refused:
                values = {"number": number, "tool": tool.name, "reason": refused.reason.in_language(language)}
                raise ChangeRefused(Text.of("schedule.several_refused", **values)) from None
            schedule = result.schedule
            yield result
