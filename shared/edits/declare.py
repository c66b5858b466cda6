"""Declare a field, parameter or variable."""

from __future__ import annotations

from typing import Literal

from lxml import etree

from ..jrxml.declarations import find_group
from ..jrxml.dom import insert_child, new_node
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import name_taken
from .base import Calculation, Edit, EditClause, KnownNames


class Declare(Edit):
    """Declare a field, parameter or variable that an expression uses."""

    do: Literal["declare"] = "declare"
    scope: Literal["field", "parameter", "variable"]
    name: str
    java_class: str = "java.lang.String"
    calculation: Calculation | None = None
    """Of a variable: what it computes of `expression` over the rows."""
    expression: str | None = None
    group: str | None = None
    """Of a variable: the group with which it starts again; None is the report."""

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if draft.declared(self.scope, self.name) is not None:
            raise name_taken(self.scope, self.name)
        node = new_node(self.scope, name=self.name, **{"class": self.java_class})
        if self.scope == "variable":
            self._compute(draft, node)
        insert_child(draft.root, node)
        return True

    def _compute(self, draft: Draft, node: etree._Element) -> None:
        """Set what a variable computes, and over which rows."""
        if self.group is not None:
            group = find_group(draft, self.group)
            node.set("resetType", "Group")
            node.set("resetGroup", group.get("name") or "")
        if self.calculation and self.calculation != "Nothing":
            node.set("calculation", self.calculation)
        if self.expression:
            node.append(new_node("variableExpression", self.expression))

    def unseen(self) -> str:
        return ""

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.declare.done", self.name, {"scope": labels.scope(self.scope)})

    def is_known(self, names: KnownNames) -> bool:
        if self.scope == "field":
            names.fields.add(self.name)
        if self.scope == "variable":
            names.variables.add(self.name)
        return True
