"""Move an element within its band."""

from __future__ import annotations

from typing import Literal

from ..jrxml.draft import Draft
from ..jrxml.geometry import set_position
from ..jrxml.labels import TemplateLabels
from .base import Edit, EditClause


class Move(Edit):
    """Place an element at (x, y) of its band, in whole points; a side that is None stays."""

    do: Literal["move"] = "move"
    element: str
    x: int | None = None
    y: int | None = None

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        return set_position(draft, draft.require_element(self.element), {"x": self.x, "y": self.y}, exact)

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.move.done", labels.element(self.element))

    def follows(self, added: frozenset[str]) -> bool:
        return bool(added)
