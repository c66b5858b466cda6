"""``several``: calls of several kinds, made after one question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import Field, PrivateAttr, ValidationError, model_validator

from bandsmith.shared.language import Language
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.model.task import FOREIGN, SEVERAL, ToolCall
from bandsmith.shared.replies import Text
from bandsmith.shared.schedule.refusals import ChangeRefused

from ..base import Tool, ToolResult

QUEUE = "queue"
"""The pack whose tools work on what is next, one entry at a time."""


class PartOfSeveral(Value):
    name: str
    arguments: dict[str, Any] = {}


class SeveralChanges(Tool):
    """Make several calls of tools that write: the user sees them all and is asked once.

    Each of "calls" names a tool, with the arguments that it takes alone. The changes of the calendar need not be
    offered yet; all of them are made or none, a later one worked out after the earlier ones. Other calls are made in
    their order, and after one that fails no further one. None can use what another one makes, such as a new report.
    """

    name = SEVERAL
    domain = "schedule"
    writes = True

    calls: list[PartOfSeveral] = Field(min_length=1, max_length=20)
    _tools: list[Tool] = PrivateAttr(default_factory=list)
    _ran: tuple[Schedule, list[ToolResult]] | None = PrivateAttr(default=None)

    @model_validator(mode="after")
    def _reads_its_calls(self) -> SeveralChanges:
        from bandsmith.shared.tools import ALL_TOOLS  # noqa: PLC0415 - the registry holds this tool

        known = {name: tool for name, tool in ALL_TOOLS.items() if tool.writes and name != SEVERAL}
        known = {name: tool for name, tool in known.items() if tool.pack != QUEUE}
        for call in self.calls:
            if call.name.startswith(FOREIGN):
                continue  # its program says which arguments it takes
            if call.name not in known:
                raise ValueError(f"there is no tool {call.name[:80]} for this; there are {', '.join(known)}")
            read = known[call.name].model_validate(call.arguments)
            if isinstance(read, Tool):
                self._tools.append(read)
        return self

    @property
    def is_of_calendar(self) -> bool:
        return len(self._tools) == len(self.calls)

    def parts(self, key: str) -> list[ToolCall]:
        """Return the calls one by one; those of the calendar are one, in the place of the first of them."""
        names = {tool.name for tool in self._tools}
        together = [call.model_dump() for call in self.calls if call.name in names]
        first = next((call for call in self.calls if call.name in names), None)
        shown = [call for call in self.calls if call is first or call.name not in names]
        return [
            ToolCall(id=f"{key}.{number}", name=SEVERAL, arguments={"calls": together})
            if call is first
            else ToolCall(id=f"{key}.{number}", name=call.name, arguments=call.arguments)
            for number, call in enumerate(shown, 1)
        ]

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
        if not self.is_of_calendar:
            raise ChangeRefused(Text.of("schedule.several_only_calendar"))
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


def parts_of(call: ToolCall) -> list[ToolCall]:
    """Return the calls that a call of several makes one by one; none if it is one change of the calendar.

    One that cannot be read has none either: it is refused where it is run.
    """
    if call.name != SEVERAL:
        return []
    try:
        several = SeveralChanges.model_validate(call.arguments)
    except ValidationError:
        return []
    return [] if several.is_of_calendar else several.parts(call.id)
