"""Print an element only where there is something to print."""

from __future__ import annotations

from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.clone_style import clone_as_static_text
from ..jrxml.declarations import STRING_CLASS
from ..jrxml.dom import child, content_of, declared_nodes, ensure_child, local_name, new_node, report_element, set_value
from ..jrxml.draft import Draft
from ..jrxml.expressions import SCOPES, references
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.value_labels import label_of
from ..replies import Text
from .base import Edit, EditClause


class HideEmpty(Edit):
    """Print a value, with the label before it, only where there is one; a line with nothing else on it closes up."""

    do: Literal["hide_empty"] = "hide_empty"
    element: str
    """The text field of the value."""
    zero: bool = False
    """Whether a zero counts as empty."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        node = draft.require_element(self.element)
        used = [pair for pair in dict.fromkeys(references(content_of(node))) if pair != ("V", "PAGE_NUMBER")]
        if local_name(node) != "textField" or not used:
            raise EditRefused("kind", Text.of("edits.hide_empty.no_value"))
        condition = " || ".join(f"({_has_value(draft, scope, name, self.zero)})" for scope, name in used)
        if len(used) == 1:
            condition = condition[1:-1]
        if not any([_print_when(one, condition) for one in (node, *self._label(draft, node))]):
            return False
        if draft.style_of(node).is_cell and local_name(node.getparent()) == "band":
            self._keep_cell(draft, node, condition)
        return True

    def _keep_cell(self, draft: Draft, node: etree._Element, condition: str) -> None:
        """Print an empty cell with the same borders where the value is not printed."""
        report_element(node).set("isRemoveLineWhenBlank", "false")
        empty, box = clone_as_static_text(node, ""), draft.box_of(node)
        report_element(empty).append(new_node("printWhenExpression", f"!({condition})"))
        draft.add_element(node.getparent(), empty, f"{self.element}_empty")
        draft.set_box(empty, box)

    def _label(self, draft: Draft, node: etree._Element) -> list[etree._Element]:
        """Return the label of a value that is not one of the rows."""
        is_row = local_name(draft.band_of(node).getparent()) == "detail"
        label = None if is_row else label_of(draft, node)
        return [label] if label is not None else []

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.hide_empty.done", labels.element(self.element))


def _has_value(draft: Draft, scope: str, name: str, zero: bool) -> str:
    """Return the condition that a field, parameter or variable has a value."""
    declared = declared_nodes(draft.root, SCOPES[scope]).get(name)
    java_class = (declared.get("class") if declared is not None else None) or STRING_CLASS
    value = f"${scope}{{{name}}}"
    if java_class == STRING_CLASS:
        return f"{value} != null && !{value}.trim().isEmpty()"
    if zero and declared is not None and declared.get("class", "").startswith(("java.math.", "java.lang.")):
        return f"{value} != null && {value}.doubleValue() != 0"
    return f"{value} != null"


def _print_when(node: etree._Element, condition: str) -> bool:
    """Add a condition to those under which an element is printed. Return whether that changed it."""
    report = report_element(node)
    set_value(report, "isRemoveLineWhenBlank", "true")
    old = child(report, "printWhenExpression")
    before = (old.text or "").strip() if old is not None else ""
    if condition in before:
        return False
    ensure_child(report, "printWhenExpression").text = f"({before}) && ({condition})" if before else condition
    return True
