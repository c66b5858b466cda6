"""Set a property of an element: its colours, font, alignment, borders, format."""

from __future__ import annotations

import re
from typing import ClassVar, Literal, NamedTuple

from ..jrxml.borders import keep_border_colours
from ..jrxml.cells import fill_column
from ..jrxml.dom import ensure_child, local_name, set_value
from ..jrxml.draft import Draft
from ..jrxml.geometry import anchor_of, fit_or_restore
from ..jrxml.labels import TemplateLabels
from ..jrxml.number_alignment import keep_below_column
from ..jrxml.placement import lines_in_front
from ..jrxml.refusals import EditRefused, property_refused, property_value_refused
from ..replies import Text
from .base import Edit, EditClause

_INTEGER = re.compile(r"\d{1,4}")
_NUMBER = re.compile(r"\d{1,4}(\.\d{1,2})?")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_BOOLEAN = re.compile(r"true|false")
_NAME = re.compile(r"[^<>&\"\x00-\x1f]{1,100}")


class Property(NamedTuple):
    """Where a property is stored: the path below the element, the attribute (None is the text), and valid values."""

    path: tuple[str, ...]
    attribute: str | None
    allowed: re.Pattern[str]


PROPERTIES: dict[str, Property] = {
    "forecolor": Property(("reportElement",), "forecolor", _COLOUR),
    "backcolor": Property(("reportElement",), "backcolor", _COLOUR),
    "mode": Property(("reportElement",), "mode", re.compile("Opaque|Transparent")),
    "positionType": Property(
        ("reportElement",), "positionType", re.compile("Float|FixRelativeToTop|FixRelativeToBottom")
    ),
    "stretchType": Property(
        ("reportElement",), "stretchType", re.compile("NoStretch|ElementGroupHeight|ContainerHeight|ContainerBottom")
    ),
    "isRemoveLineWhenBlank": Property(("reportElement",), "isRemoveLineWhenBlank", _BOOLEAN),
    "printWhenExpression": Property(
        ("reportElement", "printWhenExpression"), None, re.compile(r".{1,1000}", re.DOTALL)
    ),
    "textAlignment": Property(("textElement",), "textAlignment", re.compile("Left|Center|Right|Justified")),
    "verticalAlignment": Property(("textElement",), "verticalAlignment", re.compile("Top|Middle|Bottom|Justified")),
    "fontName": Property(("textElement", "font"), "fontName", _NAME),
    "fontSize": Property(("textElement", "font"), "size", _NUMBER),
    "isBold": Property(("textElement", "font"), "isBold", _BOOLEAN),
    "isItalic": Property(("textElement", "font"), "isItalic", _BOOLEAN),
    "isUnderline": Property(("textElement", "font"), "isUnderline", _BOOLEAN),
    "pattern": Property((), "pattern", _NAME),
    "isBlankWhenNull": Property((), "isBlankWhenNull", _BOOLEAN),
    "textAdjust": Property((), "textAdjust", re.compile("CutText|StretchHeight|ScaleFont")),
    "evaluationTime": Property((), "evaluationTime", re.compile("Now|Report|Page|Column|Band|Auto")),
    "radius": Property((), "radius", _INTEGER),
    "scaleImage": Property((), "scaleImage", re.compile("Clip|FillFrame|RetainShape|RealHeight|RealSize")),
    "lineWidth": Property(("graphicElement", "pen"), "lineWidth", _NUMBER),
    "lineColor": Property(("graphicElement", "pen"), "lineColor", _COLOUR),
    "lineStyle": Property(("graphicElement", "pen"), "lineStyle", re.compile("Solid|Dashed|Dotted|Double")),
    **{f"{side}Padding": Property(("box",), f"{side}Padding", _INTEGER) for side in ("top", "left", "bottom", "right")},
    **{
        f"{side}Pen.{name}": Property(("box", f"{side}Pen"), name, allowed)
        for side in ("top", "left", "bottom", "right")
        for name, allowed in (("lineWidth", _NUMBER), ("lineColor", _COLOUR))
    },
}
"""The properties that ``SetProperty`` may set, by the names that the JRXML gives them."""

_SIZE_PROPERTIES = frozenset(
    {"fontName", "fontSize", "isBold", "isItalic", "topPadding", "leftPadding", "bottomPadding", "rightPadding"}
)
"""Properties that change how much space a text needs."""

_ELEMENTS_WITH: dict[str, frozenset[str]] = {
    "pattern": frozenset({"textField"}),
    "isBlankWhenNull": frozenset({"textField"}),
    "textAdjust": frozenset({"textField"}),
    "evaluationTime": frozenset({"textField", "image"}),
    "radius": frozenset({"rectangle"}),
    "scaleImage": frozenset({"image"}),
    "textElement": frozenset({"textField", "staticText"}),
    "box": frozenset({"textField", "staticText", "image", "frame"}),
    "graphicElement": frozenset({"line", "rectangle", "ellipse", "image"}),
}


_WORDED_VALUES = frozenset(
    [(name, value) for name in ("isBold", "isItalic", "isUnderline") for value in ("true", "false")]
    + [("textAlignment", value) for value in ("Left", "Center", "Right")]
)
_LINES = frozenset(name for name in PROPERTIES if name.endswith(("lineWidth", "lineColor")))
_WORDED_PROPERTIES = _LINES | {"fontSize", "fontName", "forecolor", "backcolor", "pattern"}
"""Values and properties that have a sentence of their own in the catalogue."""


_SEEN_PROPERTIES = frozenset({"forecolor", "backcolor", "fontSize", "isBold", "isItalic", "isUnderline", "lineColor"})
"""Properties whose effect is seen wherever the element is."""


class SetProperty(Edit):
    """Set one property of an element."""

    do: Literal["set"] = "set"
    element: str
    name: str
    value: str

    prompt_notes: ClassVar[str] = """Properties for set:
        forecolor, backcolor: #RRGGBB; mode: Opaque|Transparent; textAlignment: Left|Center|Right|Justified;
        verticalAlignment: Top|Middle|Bottom; fontName; fontSize: points; isBold, isItalic, isUnderline,
        isBlankWhenNull, isRemoveLineWhenBlank: true|false; pattern: of a number or date;
        textAdjust: CutText|StretchHeight|ScaleFont; positionType: Float|FixRelativeToTop|FixRelativeToBottom;
        stretchType: NoStretch|ElementGroupHeight|ContainerHeight|ContainerBottom; printWhenExpression: a Java Boolean;
        evaluationTime: Now|Report|Page|Column|Band|Auto; radius: points;
        scaleImage: Clip|FillFrame|RetainShape|RealHeight|RealSize; of a line or rectangle: lineWidth, lineColor,
        lineStyle: Solid|Dashed|Dotted|Double; topPadding, leftPadding, bottomPadding, rightPadding: points; a text's
        borders: topPen, leftPen, bottomPen, rightPen with .lineWidth or .lineColor. A text that gets larger gets a
        wider or higher box by itself; one of a column is aligned within the whole column; both without resize or
        move. A background needs mode=Opaque and backcolor. The borders of all cells are drawn by
        borders, not one by one"""

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """A text that then needs more space gets it, unless the edit is exact."""
        node, where = draft.require_element(self.element), PROPERTIES.get(self.name)
        if where is None:
            raise EditRefused("value", Text.of("edits.set_property.unknown", property=self.name))
        if not where.allowed.fullmatch(self.value):
            raise property_value_refused(self.name, self.value)
        tags = _ELEMENTS_WITH.get(where.path[0] if where.path else self.name)
        if tags is not None and local_name(node) not in tags:
            raise property_refused(self.element, self.name)
        target = node
        for name in where.path:
            target = ensure_child(target, name)
        old = target.get(where.attribute) if where.attribute else target.text
        refit = not exact and self.name in _SIZE_PROPERTIES
        anchor = anchor_of(draft, node) if refit else ""
        if self.name == "forecolor" and target.get("forecolor") != self.value:
            keep_border_colours(draft, node)
        changed = set_value(target, where.attribute, self.value)
        if changed and self.name in ("mode", "backcolor") and not exact:
            lines_in_front(draft, node)
        if self.name == "textAlignment" and not exact:
            changed |= fill_column(draft, node)
        if changed and refit:
            fit_or_restore(draft, node, target, where.attribute, old, anchor)
        if changed and self.name == "pattern" and not exact:
            keep_below_column(draft, node)
        return changed

    def unseen(self) -> str:
        if self.name == "pattern":
            return "edits.unseen.format"
        return "edits.unseen.covered" if self.name in _SEEN_PROPERTIES else super().unseen()

    def describe(self, labels: TemplateLabels) -> EditClause:
        subject = labels.element(self.element)
        if (self.name, self.value) in _WORDED_VALUES:
            return EditClause(f"edits.set_property.{self.name}.{self.value}", subject)
        is_colour = self.name in PROPERTIES and PROPERTIES[self.name].allowed is _COLOUR
        value = labels.colour(self.value) if is_colour else self.value
        if self.name in _WORDED_PROPERTIES:
            return EditClause(f"edits.set_property.{self.name}", subject, {"value": value})
        return EditClause("edits.set_property.done", subject, {"property": self.name, "value": value})

    def follows(self, added: frozenset[str]) -> bool:
        return "Pen." in self.name or self.name == "mode" or super().follows(added)
