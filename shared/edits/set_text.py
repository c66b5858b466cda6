"""Give a static text another wording."""

from __future__ import annotations

from typing import Literal

from ..jrxml.dom import ensure_child, local_name, set_value
from ..jrxml.draft import Draft
from ..jrxml.geometry import anchor_of, fit_or_restore
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import content_refused
from .base import Edit, EditClause


class SetText(Edit):
    """Change the text of a static text."""

    do: Literal["text"] = "text"
    element: str
    text: str

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """A text that then needs more space gets it, unless the edit is exact."""
        node = draft.require_element(self.element)
        if local_name(node) != "staticText":
            raise content_refused(self.element, "text")
        target = ensure_child(node, "text")
        old = target.text
        anchor = "" if exact else anchor_of(draft, node)
        changed = set_value(target, None, self.text)
        if changed and not exact:
            fit_or_restore(draft, node, target, None, old, anchor)
        return changed

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.set_text.done", labels.element(self.element), {"text": labels.quote(self.text)})
