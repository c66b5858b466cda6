"""Give a text field or image another expression."""

from __future__ import annotations

from typing import Literal

from ..jrxml.declarations import is_row_variable
from ..jrxml.dom import EXPRESSION_TAGS, content_of, ensure_child, local_name, set_value
from ..jrxml.draft import Draft
from ..jrxml.expressions import references, sole_reference
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import content_refused
from .base import Edit, EditClause


class SetExpression(Edit):
    """Give a text field or image another expression."""

    do: Literal["expression"] = "expression"
    element: str
    expression: str

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """An element that prints a variable of each row keeps it, so that its totals follow: the variable changes."""
        node = draft.require_element(self.element)
        printed = sole_reference(content_of(node), "V")
        if printed and is_row_variable(draft, printed[1]) and printed not in references(self.expression):
            variable = draft.declared("variable", printed[1])
            if variable is not None and references(self.expression):
                return set_value(ensure_child(variable, "variableExpression"), None, self.expression)
        name = EXPRESSION_TAGS.get(local_name(node))
        if name is None:
            raise content_refused(self.element, "expression")
        return set_value(ensure_child(node, name), None, self.expression)

    def describe(self, labels: TemplateLabels) -> EditClause:
        shown = labels.printed(self.expression)
        return EditClause("edits.set_expression.done", labels.element(self.element), {"shown": shown})
