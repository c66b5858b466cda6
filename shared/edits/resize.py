"""Give an element another size."""

from __future__ import annotations

from typing import Literal

from ..jrxml.draft import Draft
from ..jrxml.geometry import set_position
from ..jrxml.labels import TemplateLabels
from .base import Edit, EditClause


class Resize(Edit):
    """Give an element this width and height in whole points; a side that is None stays."""

    do: Literal["resize"] = "resize"
    element: str
    width: int | None = None
    height: int | None = None

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        size = {"width": self.width, "height": self.height}
        return set_position(draft, draft.require_element(self.element), size, exact)

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.resize.done", labels.element(self.element))

    def follows(self, added: frozenset[str]) -> bool:
        return bool(added)
