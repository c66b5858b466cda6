"""The base of all tools: what a tool has to say about itself besides its arguments."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import PrivateAttr

from bandsmith.shared.language import Language
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.schedule import Position, Schedule
from bandsmith.shared.model.task import TaskMemory
from bandsmith.shared.schedule.health import Candidate
from bandsmith.shared.schedule.past import BEGINNING


class ToolResult(NamedTuple):
    """What a tool states, in the user's language, and the calendar afterwards."""

    text: str
    schedule: Schedule
    memory: TaskMemory | None = None
    """What is remembered once the call has taken effect; None: what was remembered before."""


class Tool(Value):
    """One call of a tool.

    A subclass is the only place that knows its tool: its fields are the arguments, its docstring and the descriptions
    of its fields are what language models read. A tool is pure: it returns a calendar and stores nothing.
    """

    name: ClassVar[str]
    domain: ClassVar[str]
    pack: ClassVar[str] = "core"
    """The tools that are offered together with it; ``core`` is always offered."""
    writes: ClassVar[bool] = False
    """Whether it changes the calendar, so that a person is asked first."""

    may_repeat: ClassVar[bool] = False
    """Whether a person may agree to all further changes by such tools at once, for the rest of a task."""

    _memory: TaskMemory = PrivateAttr(default_factory=TaskMemory)
    _since: Position = PrivateAttr(default=BEGINNING)

    def with_memory(self, memory: TaskMemory) -> Self:
        """Return the call in a task whose tools remember this."""
        known = self.model_copy()
        known._memory = memory
        return known

    def from_now_on(self, since: Position) -> Self:
        """Return the call at a time when all before this position is over: nothing is placed there."""
        known = self.model_copy()
        known._since = since
        return known

    @property
    def is_repeatable(self) -> bool:
        """Whether this call is one of those that a person may agree to at once."""
        return self.may_repeat

    @abstractmethod
    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        """Return what the tool found or did. Raises ``ChangeRefused``; then nothing has changed."""

    def is_among(self, candidates: Sequence[Candidate]) -> bool:
        """Whether it does exactly what one of the changes does that an analysis offers."""
        return False

    def confirmation(self, schedule: Schedule, language: Language) -> str:
        """Return what a person is shown before it is run; empty for a tool that only reads."""
        return ""

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """Return the JSON schema of the arguments."""
        return parameters_of(cls)


def parameters_of(tool: type[Value]) -> dict[str, Any]:
    """Return the JSON schema of the fields of a type, which allows no others."""
    schema = tool.model_json_schema()
    kept = {key: value for key, value in schema.items() if key in ("type", "properties", "required", "$defs")}
    return kept | {"additionalProperties": False}
