"""What a sentence asks for, as typed values: the planner reads them, the generator carries them out."""

from __future__ import annotations

from typing import Literal

from ..edits import AnyEdit
from ..model.base import Value
from ..model.session_parts import Version
from ..model.spec import ReportSpec
from ..replies import Text


class ChangeRequest(Value):
    """A change of a report."""

    edits: list[AnyEdit] = []
    refusals: list[Text] = []
    """Why parts of the request are not carried out."""
    unread: list[str] = []
    """The clauses that could not be read, as the user wrote them."""
    passed_over: list[str] = []
    """The clauses that were taken for a reason or a story, and for no request."""
    suggestions: list[Text] = []
    """What the user may do instead, where an unread clause asks for something that Bandsmith cannot do."""
    suggested: list[str] = []
    """The unread clauses that the suggestions are about."""
    examples: list[str] = []
    """Sentences like the unread clauses that rules read."""
    trouble: Text | None = None
    """Why a model that was to read it gave no answer."""
    by: Literal["rules", "model"] = "rules"
    asked: list[str] = []
    """Names of the elements whose removal the sentence asks for. A model may remove hardly anything else."""
    base: Version | None = None
    """The earlier version that the edits are applied to, where the change takes the place of one before."""


class ReportRequest(Value):
    """A new report."""

    spec: ReportSpec
    sensitive: list[str] = []
    """Labels of the columns whose values no language model may see."""
    unread: list[str] = []
    """The clauses that could not be read, as the user wrote them: they may be changes of the report."""
    undone: list[str] = []
    """What is not in the report and no change of it would do, in the turn's language."""
    notes: list[str] = []
    """What was assumed, in the turn's language."""
