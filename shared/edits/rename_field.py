"""Rename a field or parameter wherever it is used."""

from __future__ import annotations

from typing import Literal

from ..jrxml.dom import content_of, set_value, tag
from ..jrxml.draft import Draft
from ..jrxml.expressions import LETTERS, expression_nodes
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import name_taken, no_field
from .base import Edit, EditClause, KnownNames


class RenameField(Edit):
    """Rename a field or parameter everywhere, and give it the class and pattern of its values."""

    do: Literal["rename"] = "rename"
    scope: Literal["field", "parameter"]
    name: str
    to: str
    java_class: str | None = None
    pattern: str | None = None

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        node = draft.declared(self.scope, self.name)
        if node is None:
            raise no_field(self.name)
        if self.to != self.name and draft.declared(self.scope, self.to) is not None:
            raise name_taken(self.scope, self.to)
        changed = set_value(node, "name", self.to)
        if self.java_class:
            changed |= set_value(node, "class", self.java_class)
        letter = LETTERS[self.scope]
        old, new = f"${letter}{{{self.name}}}", f"${letter}{{{self.to}}}"
        for text in expression_nodes(draft.root):
            if old in (text.text or ""):
                text.text = (text.text or "").replace(old, new)
        if self.scope == "field":
            for sort in draft.root.findall(tag("sortField")):
                if sort.get("name") == self.name:
                    sort.set("name", self.to)
        for field in draft.root.iter(tag("textField")) if self.pattern else ():
            if content_of(field) == new:
                changed |= set_value(field, "pattern", self.pattern or "")
        return changed

    def unseen(self) -> str:
        return ""

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.rename_field.done", self.name, {"name": self.to})

    def renames(self) -> dict[str, str]:
        return {self.to: self.name} if self.scope == "field" else {}

    def is_known(self, names: KnownNames) -> bool:
        if self.scope == "field" and self.name in names.fields:
            names.fields.add(self.to)
            names.columns.add(self.to)
        return True
