"""Add a line, a rectangle or an ellipse to a band."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.dom import ensure_child, int_attribute, new_node
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.placement import free_box, put_behind
from ..jrxml.refusals import value_refused
from ..jrxml.tables import printed_sides
from ..replies import text
from .base import Edit, EditClause, KnownNames

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
MAX_LINE_PT = 10.0


class AddShape(Edit):
    """Add a line, a rectangle or an ellipse to a band, also as a background of its texts.

    Without a size, a line is as wide as what is printed, and another shape fills the band; without a position, a line
    goes below the existing elements.
    """

    do: Literal["add_shape"] = "add_shape"
    key: str
    band: str
    """A section's name, as of `add`."""
    shape: Literal["line", "rectangle", "ellipse"]
    x: int | None = None
    y: int | None = None
    width: int | None = None
    """Of a line: 1 if it is vertical."""
    height: int | None = None
    """Of a line: 1 if it is horizontal."""
    colour: str = "#000000"
    """Of the line, or of the edge."""
    fill: str | None = None
    """The colour inside; null: none."""
    line_width: float = 1.0
    """In points; 0 is no edge."""
    behind: bool = True
    """Whether the texts of the band are printed over it."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        for colour in (self.colour, self.fill):
            if colour is not None and not _COLOUR.fullmatch(colour):
                raise value_refused("colour", colour)
        if not 0 <= self.line_width <= MAX_LINE_PT or (self.shape == "line" and not self.line_width):
            raise value_refused("line_width", f"{self.line_width:g}")
        band = draft.ensure_band(self.band)
        left, right = printed_sides(draft, band)
        x = left if self.x is None else self.x
        width = self.width if self.width is not None else max(1, right - x)
        height, y = self.height, self.y
        if self.shape == "line":
            height = 1 if height is None else height
        else:
            y = 0 if y is None else y
            height = max(1, int_attribute(band, "height") - y) if height is None else height
        for size in (width, height):
            if size < 1:
                raise value_refused("size", size)
        box = free_box(draft, band, width, height, x=x, y=y)
        draft.set_box(self._new_node(draft, band), box)
        return True

    def _new_node(self, draft: Draft, band: etree._Element) -> etree._Element:
        node = new_node(self.shape)
        report = new_node("reportElement", forecolor=self.colour, mode="Opaque" if self.fill else "Transparent")
        if self.fill:
            report.set("backcolor", self.fill)
        node.append(report)
        pen = new_node("pen", lineWidth=f"{self.line_width:g}", lineColor=self.colour)
        ensure_child(node, "graphicElement").append(pen)
        draft.add_element(band, node, self.key)
        if self.behind:
            put_behind(band, node)
        return node

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        subject = text(f"edits.kind.{self.shape}", labels.language)
        return EditClause("edits.add_shape.done", subject, {"section": labels.section(self.band)})

    def is_known(self, names: KnownNames) -> bool:
        names.elements.add(self.key)
        return True
