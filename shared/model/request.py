"""What a sentence asks for, as typed values: the planner reads them, the generator carries them out."""

from __future__ import annotations

from typing import Literal

from ..edits import AnyEdit
from ..replies import Text
from .base import Value
from .spec import ReportSpec


class ChangeRequest(Value):
    """A change of a report."""

    edits: list[AnyEdit] = []
    refusals: list[Text] = []
    """Why parts of the request are not carried out."""
    unread: list[str] = []
    """The clauses that could not be read, as the user wrote them."""
    suggestions: list[Text] = []
    """What the user may do instead, where an unread clause asks for something that Bandsmith cannot do."""
    note: str = ""
    """A model's remark on its edits, in the turn's language."""
    by: Literal["rules", "model"] = "rules"


class ReportRequest(Value):
    """A new report."""

    spec: ReportSpec
    notes: list[str] = []
    """What was assumed, in the turn's language."""
