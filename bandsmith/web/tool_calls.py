"""The tools that a turn calls while it works on a task, as the protocols of other programs show them."""

from __future__ import annotations

from typing import Any

from bandsmith.shared.bus.base import Delta
from bandsmith.shared.events import Message, ServerAnswered, StepTaken, ToolRan
from bandsmith.shared.model.base import Value


class ToolUse(Value):
    """One call of a tool."""

    id: str
    name: str
    arguments: dict[str, Any]
    result: str | None = None
    """What the tool answered, or why the call was refused; null: it was not called before the turn ended."""


class ToolUses:
    """The calls of one turn, in their order."""

    def __init__(self, turn: str) -> None:
        self._turn = turn
        self.all: list[ToolUse] = []

    def note(self, event: Message | Delta | None) -> ToolUse | None:
        """Return the call that an event begins or answers; None for any other event."""
        match event:
            case StepTaken(work_call=call) if call is not None:
                use = ToolUse(id=f"{self._turn}-{len(self.all)}", name=call.name, arguments=call.arguments)
                self.all.append(use)
                return use
            case ToolRan() | ServerAnswered() if self.all and self.all[-1].result is None:
                result = event.work_result or event.work_shown
                self.all[-1] = self.all[-1].model_copy(update={"result": result})
                return self.all[-1]
        return None

    def dump(self) -> list[dict[str, Any]]:
        return [one.model_dump(mode="json") for one in self.all]
