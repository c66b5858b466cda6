"""Move an element within its band, or to another one."""

from __future__ import annotations

from typing import Literal

from lxml import etree

from ..jrxml.bands import section_of
from ..jrxml.dom import content_of, int_attribute, local_name, report_element
from ..jrxml.draft import Draft
from ..jrxml.expressions import COUNTERS, references
from ..jrxml.geometry import set_position
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..replies import Text
from .base import Edit, EditClause

_PAGE_SECTIONS = ("title", "pageHeader", "columnFooter", "pageFooter", "lastPageFooter", "summary")
"""Sections that print once on a page, between which an element may be moved."""
_BEFORE_ROWS = ("title", "pageHeader")


class Move(Edit):
    """Place an element at (x, y) of its band, in whole points; a side that is None stays."""

    do: Literal["move"] = "move"
    element: str
    x: int | None = None
    y: int | None = None
    band: str | None = None
    """Another section that it goes to: ``title``, ``pageHeader``, ``summary``, ``pageFooter``."""

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        node = draft.require_element(self.element)
        is_moved = self.band is not None and self._to_band(draft, node)
        return set_position(draft, node, {"x": self.x, "y": self.y}, exact) or is_moved

    def _to_band(self, draft: Draft, node: etree._Element) -> bool:
        """Put an element into another band, which grows for it. A sum above the rows is printed once it is known."""
        old = draft.band_of(node)
        if self.band not in _PAGE_SECTIONS or local_name(node.getparent()) != "band":
            raise EditRefused("value", Text.of("edits.move.not_there"))
        band = draft.ensure_band(self.band)
        if band is old:
            return False
        used = references(content_of(node)) if local_name(node) == "textField" else []
        if any(scope == "F" for scope, _ in used) or section_of(old) not in _PAGE_SECTIONS:
            raise EditRefused("value", Text.of("edits.move.of_row"))
        if self.band in _BEFORE_ROWS and any(scope == "V" and name not in COUNTERS for scope, name in used):
            node.set("evaluationTime", "Report")
        band.append(node)
        if self.x is None or self.y is None:
            report = report_element(node)
            set_position(draft, node, {name: int_attribute(report, name) for name in ("x", "y")}, exact=False)
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        subject = labels.element(self.element)
        if self.band is not None:
            return EditClause("edits.move.done_to", subject, {"section": labels.section(self.band)})
        return EditClause("edits.move.done", subject)

    def follows(self, added: frozenset[str]) -> bool:
        return bool(added)
