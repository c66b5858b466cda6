"""The parts of a call that makes several others: each as it was prepared, and is carried out after one consent."""

from __future__ import annotations

from .base import Ref, Value
from .errand import Errand
from .task import ToolCall


class PreparedCall(Value):
    """One of several calls that the user agrees to together."""

    call: ToolCall
    shown: str
    """What the user is shown of it."""
    errand: Errand | None = None
    """What it does, if it concerns reports or runs."""
    change: Ref | None = None
    """What it changes, if it concerns the calendar: a ``Difference``."""
    change_id: str = ""
    result: str = ""
    """What a change of the calendar states once it is stored."""
    whole: Ref | None = None
    """The full result, if it is shortened."""

    @property
    def runs_turn(self) -> bool:
        """Whether it is a turn beside the task's session."""
        return self.errand is not None and self.errand.turn is not None

    @property
    def makes_report(self) -> bool:
        return self.errand is not None and self.errand.turn is not None and self.errand.turn.makes_report

    @property
    def shows_queries(self) -> bool:
        """Whether it goes on with a turn that has shown its new queries."""
        return self.errand is not None and self.errand.turn is not None and self.errand.turn.answer is not None
