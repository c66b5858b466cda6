"""Delete an element."""

from __future__ import annotations

from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from .base import Edit, EditClause


class Delete(Edit):
    """Remove an element from its band."""

    do: Literal["delete"] = "delete"
    element: str

    orphans_fields: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        draft.remove(draft.require_element(self.element))
        return True

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.delete.done", labels.element(self.element))

    def removes(self, draft: Draft) -> list[etree._Element]:
        node = draft.element(self.element)
        return [node] if node is not None else []

    def removes_along(self, draft: Draft) -> list[etree._Element]:
        return [inner for node in self.removes(draft) for inner in elements_in(node)]
