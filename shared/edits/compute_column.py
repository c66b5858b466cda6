"""Compute the values of a column from other columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.declarations import is_row_variable
from ..jrxml.dom import child, content_of, ensure_child, set_value, tag
from ..jrxml.draft import Draft
from ..jrxml.expressions import expression_nodes, reference, referenced_names, references, sole_reference
from ..jrxml.formulas import DECIMAL, formula_in_words, java_formula, pattern_of_result
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.tables import find_column
from ..jrxml.variables import declare_row_variable, order_variables
from ..replies import Text
from .base import Edit, EditClause, KnownNames


class ComputeColumn(Edit):
    """Compute an existing column from other fields instead of printing its own values; its totals follow."""

    do: Literal["compute_column"] = "compute_column"
    field: str
    formula: str
    """Numbers, names of fields, + - * / and brackets: ``quantity * unit_price``, ``price + 19%``."""

    multi_step: ClassVar[bool] = True
    orphans_fields: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table, n = find_column(draft, self.field)
        cell = table.columns[n].cell
        printed = sole_reference(content_of(cell), "FV")
        if printed is None:
            raise EditRefused("kind", Text.of("edits.compute_column.compound", field=self.field))
        java = java_formula(draft, self.formula)
        letter, name = printed
        if letter == "V" and is_row_variable(draft, name) and printed not in references(java):
            return _recompute(draft, name, java)
        if letter == "V" and not is_row_variable(draft, name):
            raise EditRefused("kind", Text.of("edits.compute_column.compound", field=self.field))
        if "." not in cell.get("pattern", ""):  # the column's own values may have been whole numbers
            cell.set("pattern", pattern_of_result(draft, java))
        cell.set("isBlankWhenNull", "true")
        kept = _kept_expressions(draft, java)
        is_used = any(printed in references(text) for text in (java, *(node.text or "" for node in kept)))
        if letter == "F" and not is_used:
            draft.root.remove(draft.declared("field", name))  # the variable takes its name
        _follow(draft, printed, declare_row_variable(draft, name, DECIMAL, java), kept)
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        formula = formula_in_words(self.formula, labels.field)
        return EditClause("edits.compute_column.done", labels.field(self.field), {"formula": formula})

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields


def _recompute(draft: Draft, name: str, java: str) -> bool:
    """Give a variable of each row another expression. Return whether that changed it."""
    variable = draft.declared("variable", name)
    assert variable is not None
    variable.set("class", DECIMAL)
    changed = set_value(ensure_child(variable, "variableExpression"), None, java)
    order_variables(draft)
    return changed


def _kept_expressions(draft: Draft, java: str) -> list[etree._Element]:
    """Return the expressions that keep using the column's own values: of groups, of the filter and of its operands.

    The operands are the variables that `java` is computed from, directly or through others.
    """
    found = [node for group in draft.root.findall(tag("group")) for node in group.findall(tag("groupExpression"))]
    found += draft.root.findall(tag("filterExpression"))
    pending = referenced_names(java, "V")
    seen = set()
    while pending:
        name = pending.pop()
        node = draft.declared("variable", name)
        expression = child(node, "variableExpression") if node is not None else None
        if expression is not None and name not in seen:
            seen.add(name)
            found.append(expression)
            pending += referenced_names(expression.text or "", "V")
    return found


def _follow(draft: Draft, old: tuple[str, str], variable: str, kept: Sequence[etree._Element]) -> None:
    """Make everything else that used the column's own values use the variable: cells, totals, conditions, the order."""
    own = child(draft.declared("variable", variable), "variableExpression")
    for node in expression_nodes(draft.root):
        if old in references(node.text or "") and node is not own and node not in kept:
            node.text = (node.text or "").replace(reference(*old), reference("V", variable))
    for node in draft.root.findall(tag("sortField")):
        if old[0] == "F" and node.get("name") == old[1] and node.get("type", "Field") == "Field":
            node.set("name", variable)
            node.set("type", "Variable")
    for node in draft.root.findall(tag("variable")):
        if node.get("calculation", "Nothing") in ("Sum", "Lowest", "Highest") and _totals(node, variable):
            node.set("class", DECIMAL)
    order_variables(draft)


def _totals(node: etree._Element, variable: str) -> bool:
    return sole_reference(node.findtext(tag("variableExpression")) or "") == ("V", variable)
