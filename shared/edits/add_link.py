"""Make a text a link."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.clone_style import clone_as_text_field
from ..jrxml.dom import child, content_of, local_name, new_node, report_element
from ..jrxml.draft import Draft
from ..jrxml.expressions import reference
from ..jrxml.java_literals import java_string
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, content_refused, no_field
from ..replies import Text
from .base import Edit, EditClause, KnownNames

_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s\"<>\x00-\x1f]{1,500}", re.IGNORECASE)


class AddLink(Edit):
    """Make a text a link to an address: a fixed one, or the one in a field of its row."""

    do: Literal["link"] = "link"
    element: str
    address: str | None = None
    """Begins with https://, http:// or mailto:. With `field`, the field's value is put at its end."""
    field: str | None = None
    """The field that holds the address, or its end."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if self.address is not None and not _ADDRESS.fullmatch(self.address):
            raise EditRefused("value", Text.of("edits.add_link.address"))
        if self.field is not None and draft.declared("field", self.field) is None:
            raise no_field(self.field)
        if self.address is None and self.field is None:
            raise EditRefused("value", Text.of("edits.add_link.address"))
        node = draft.require_element(self.element)
        if local_name(node) == "staticText":
            node = _as_field(draft, node)
        if local_name(node) != "textField":
            raise content_refused(self.element, "text")
        expression = self._expression()
        old = child(node, "hyperlinkReferenceExpression")
        if old is not None:
            changed = (old.text or "").strip() != expression
            old.text = expression
            return changed
        node.set("hyperlinkType", "Reference")
        link = new_node("hyperlinkReferenceExpression", expression)
        anchor = child(node, "anchorNameExpression")
        before = anchor if anchor is not None else child(node, "patternExpression")
        before = before if before is not None else child(node, "textFieldExpression")
        if before is None:
            raise content_refused(self.element, "text")
        before.addnext(link)
        return True

    def _expression(self) -> str:
        parts = [java_string(self.address)] if self.address else []
        return " + ".join([*parts, reference("F", self.field)] if self.field else parts)

    def unseen(self) -> str:
        return ""

    def describe(self, labels: TemplateLabels) -> EditClause:
        where = self.address or labels.field(self.field or "")
        return EditClause("edits.add_link.done", labels.element(self.element), {"address": where})

    def is_known(self, names: KnownNames) -> bool:
        return super().is_known(names) and (self.field is None or self.field in names.fields)


def _as_field(draft: Draft, node: etree._Element) -> etree._Element:
    """Replace a fixed text by a text field that prints the same, because only fields can be links."""
    field = clone_as_text_field(node, java_string(content_of(node)))
    for name, value in report_element(node).attrib.items():
        report_element(field).set(name, value)
    for one in report_element(node):
        report_element(field).append(one)
    node.addprevious(field)
    draft.remove(node)
    draft.register(field)
    return field
