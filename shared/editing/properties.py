"""Properties: what may be set of an element and of the report, where it is kept, what it may be."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from ..jrxml.clone_style import set_alignment
from ..jrxml.dom import EXPRESSION_TAGS, content_of, ensure_child, local_name, set_value
from ..jrxml.draft import Draft
from ..jrxml.expressions import references
from ..jrxml.refusals import EditRefused, not_allowed
from ..model.edits import SetExpression, SetProperty, SetReport, SetText
from .declarations import is_reckoned
from .geometry import ends_at_side, fit, keep_at_side

_WHOLE = re.compile(r"\d{1,4}")
_NUMBER = re.compile(r"\d{1,4}(\.\d{1,2})?")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_BOOLEAN = re.compile(r"true|false")
_NAME = re.compile(r"[^<>&\"\x00-\x1f]{1,100}")


class Property(NamedTuple):
    """Where a property is kept: the nodes from the element down, the attribute (none is the text), what it may be."""

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
    "radius": Property((), "radius", _WHOLE),
    "scaleImage": Property((), "scaleImage", re.compile("Clip|FillFrame|RetainShape|RealHeight|RealSize")),
    "lineWidth": Property(("graphicElement", "pen"), "lineWidth", _NUMBER),
    "lineColor": Property(("graphicElement", "pen"), "lineColor", _COLOUR),
    "lineStyle": Property(("graphicElement", "pen"), "lineStyle", re.compile("Solid|Dashed|Dotted|Double")),
    **{f"{side}Padding": Property(("box",), f"{side}Padding", _WHOLE) for side in ("top", "left", "bottom", "right")},
    **{
        f"{side}Pen.{name}": Property(("box", f"{side}Pen"), name, allowed)
        for side in ("top", "left", "bottom", "right")
        for name, allowed in (("lineWidth", _NUMBER), ("lineColor", _COLOUR))
    },
}
"""The properties that ``SetProperty`` may set, by the names that the JRXML gives them."""

_SIZES = frozenset(
    {"fontName", "fontSize", "isBold", "isItalic", "topPadding", "leftPadding", "bottomPadding", "rightPadding"}
)
"""Those after which words need other room."""

_TAGS: dict[str, frozenset[str]] = {
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

REPORT: dict[str, re.Pattern[str]] = {
    "name": _NAME,
    "orientation": re.compile("Portrait|Landscape"),
    "whenNoDataType": re.compile("NoPages|BlankPage|AllSectionsNoDetail|NoDataSection"),
    **{
        name: _WHOLE
        for name in (
            "pageWidth", "pageHeight", "columnWidth", "columnCount", "columnSpacing", "leftMargin", "rightMargin",
            "topMargin", "bottomMargin",
        )
    },
}  # fmt: skip
"""The attributes that ``SetReport`` may set."""


def set_property(draft: Draft, edit: SetProperty, literal: bool) -> bool:
    """Set it; words that then need more room get it, unless the edit is to be taken literally."""
    node, where = draft.require_element(edit.element), PROPERTIES.get(edit.name)
    if where is None:
        raise EditRefused("value", f"{edit.name} is no property that can be set.", f"不能设置属性 {edit.name}。")
    if not where.allowed.fullmatch(edit.value):
        raise not_allowed(edit.name, edit.value)
    tags = _TAGS.get(where.path[0] if where.path else edit.name)
    if tags is not None and local_name(node) not in tags:
        raise _wrong_kind(edit.element, edit.name)
    target = node
    for step in where.path:
        target = ensure_child(target, step)
    old = target.get(where.attribute) if where.attribute else target.text
    at_side = not literal and edit.name in _SIZES and ends_at_side(draft, node)
    changed = set_value(target, where.attribute, edit.value)
    if changed and not literal and edit.name in _SIZES:
        _fit(draft, node, target, where.attribute, old, at_side)
    return changed


def _fit(
    draft: Draft, node: etree._Element, target: etree._Element, attribute: str | None, old: str | None, at_side: bool
) -> None:
    """Make room for what was written; where there is none it is taken back. Words `at_side` stay there."""
    place = draft.box_of(node)
    if at_side:
        keep_at_side(draft, node)
    try:
        fit(draft, node)
    except EditRefused:
        if at_side:
            set_alignment(node, "Left")
            draft.set_box(node, place)
        if attribute is None:
            target.text = old
        elif old is None:
            del target.attrib[attribute]
        else:
            target.set(attribute, old)
        raise


def set_expression(draft: Draft, edit: SetExpression) -> bool:
    """What an element prints; a variable that reckons it of each row reckons it so from then on, for its totals too."""
    node = draft.require_element(edit.element)
    reckoned = re.fullmatch(r"\$V\{([^{}]+)\}", content_of(node))
    if reckoned and is_reckoned(draft, reckoned[1]) and ("V", reckoned[1]) not in references(edit.expression):
        variable = draft.declared("variable", reckoned[1])
        if variable is not None and references(edit.expression):
            return set_value(ensure_child(variable, "variableExpression"), None, edit.expression)
    wanted = EXPRESSION_TAGS.get(local_name(node))
    if wanted is None:
        raise _wrong_kind(edit.element, "an expression")
    return set_value(ensure_child(node, wanted), None, edit.expression)


def set_text(draft: Draft, edit: SetText, literal: bool) -> bool:
    """Other words; they get the room that they need, unless the edit is to be taken literally."""
    node = draft.require_element(edit.element)
    if local_name(node) != "staticText":
        raise _wrong_kind(edit.element, "fixed words")
    target = ensure_child(node, "text")
    old = target.text
    at_side = not literal and ends_at_side(draft, node)
    changed = set_value(target, None, edit.text)
    if changed and not literal:
        _fit(draft, node, target, None, old, at_side)
    return changed


def set_report(draft: Draft, edit: SetReport) -> bool:
    allowed = REPORT.get(edit.name)
    if allowed is None or not allowed.fullmatch(edit.value):
        raise not_allowed(edit.name, edit.value)
    return set_value(draft.root, edit.name, edit.value)


def _wrong_kind(name: str, what: str) -> EditRefused:
    return EditRefused("kind", f"The element {name} cannot have {what}.", f"元素 {name} 不能有 {what}。")
