"""The template editor: applies typed edits to a template, and touches nothing that they do not name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lxml import etree

from shared.model.edits import (
    AnyEdit,
    Declare,
    Delete,
    Move,
    RenameField,
    Resize,
    ResizeBand,
    SetExpression,
    SetProperty,
    SetReport,
    SetText,
)
from shared.xml import parse

from .jrxml import NAMESPACE

ELEMENTS = frozenset({
    "staticText", "textField", "line", "rectangle", "ellipse", "image", "frame", "break", "componentElement",
    "genericElement", "crosstab", "subreport", "chart",
})  # fmt: skip
"""Tags of what stands in a band; any other child of a band is ignored."""

_EXPRESSIONS = {"textField": "textFieldExpression", "image": "imageExpression"}
_VERBATIM = frozenset({"text", "textFieldExpression", "imageExpression", "printWhenExpression", "variableExpression"})

# The order that the schema wants among the children of each node.
_ORDER = {
    "reportElement": ("property", "propertyExpression", "printWhenExpression"),
    "box": ("pen", "topPen", "leftPen", "bottomPen", "rightPen"),
    "graphicElement": ("pen",),
    "textElement": ("font", "paragraph"),
    "jasperReport": (
        "property", "propertyExpression", "import", "template", "reportFont", "style", "subDataset", "scriptlet",
        "parameter", "queryString", "field", "sortField", "variable", "filterExpression", "group", "background",
        "title", "pageHeader", "columnHeader", "detail", "columnFooter", "pageFooter", "lastPageFooter", "summary",
        "noData",
    ),
}  # fmt: skip
_ELEMENT_ORDER = ("reportElement", "box", "graphicElement", "textElement", "text", *_EXPRESSIONS.values())

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


class Editor:
    """A template being edited. Raises ``BadInput`` when it cannot be read safely."""

    def __init__(self, template: bytes) -> None:
        self.root = parse(template)

    def bytes(self) -> bytes:
        """The template as it is now, pretty-printed, in UTF-8."""
        for node in self.root.iter(*(_tag(name) for name in _VERBATIM)):
            if node.text and len(node) == 0:
                node.text = etree.CDATA(node.text)
        etree.indent(self.root, space="\t")
        return etree.tostring(self.root, xml_declaration=True, encoding="UTF-8", pretty_print=True)

    def elements(self) -> list[etree._Element]:
        """What stands in the bands, in document order, frames before what is in them."""
        return [
            node for node in self.root.iter() if local(node) in ELEMENTS and _child(node, "reportElement") is not None
        ]

    def element(self, name: str) -> etree._Element | None:
        """The element with this key, else with this uuid."""
        for attribute in ("key", "uuid"):
            for node in self.elements():
                if report_element(node).get(attribute) == name:
                    return node
        return None

    def bands(self) -> list[tuple[str, etree._Element]]:
        """(name of the section, band) in document order."""
        return [(local(node.getparent()), node) for node in self.root.iter(_tag("band"))]

    def apply(self, edits: Iterable[AnyEdit]) -> int:
        """Carry out the edits in order; how many of them changed something.

        An edit that names nothing that is there, or a value that its property cannot have, changes nothing.
        """
        return sum(self._apply(edit) for edit in edits)

    def set_locale(self, locale: str) -> None:
        """The locale that the report is filled with where its caller names none."""
        name = "net.sf.jasperreports.default.locale"
        node = next((node for node in self.root.findall(_tag("property")) if node.get("name") == name), None)
        if node is None:
            node = etree.Element(_tag("property"), attrib={"name": name})
            _insert(self.root, node, _ORDER["jasperReport"])
        node.set("value", locale)

    def _apply(self, edit: AnyEdit) -> bool:
        match edit:
            case Move():
                return self._place(edit.element, x=edit.x, y=edit.y)
            case Resize():
                return self._place(edit.element, width=edit.width, height=edit.height)
            case SetProperty():
                return self._set(edit.element, edit.name, edit.value)
            case SetExpression():
                node = self.element(edit.element)
                wanted = _EXPRESSIONS.get(local(node)) if node is not None else None
                return wanted is not None and _write(_ensure(node, wanted), None, edit.expression)
            case SetText():
                node = self.element(edit.element)
                return (
                    node is not None and local(node) == "staticText" and _write(_ensure(node, "text"), None, edit.text)
                )
            case Delete():
                return self._delete(edit.element)
            case RenameField():
                return self._rename(edit)
            case Declare():
                return self._declare(edit)
            case ResizeBand():
                band = next((node for name, node in self.bands() if name == edit.band), None)
                return band is not None and edit.height >= 0 and _write(band, "height", str(edit.height))
            case SetReport():
                allowed = REPORT.get(edit.name)
                return bool(allowed and allowed.fullmatch(edit.value)) and _write(self.root, edit.name, edit.value)

    def _place(self, name: str, **places: int | None) -> bool:
        node = self.element(name)
        if node is None or any(value is not None and value < 0 for value in places.values()):
            return False
        report = report_element(node)
        return any([_write(report, key, str(value)) for key, value in places.items() if value is not None])

    def _set(self, name: str, prop: str, value: str) -> bool:
        node, where = self.element(name), PROPERTIES.get(prop)
        if node is None or where is None or not where.allowed.fullmatch(value):
            return False
        tags = _TAGS.get(where.path[0] if where.path else prop)
        if tags is not None and local(node) not in tags:
            return False
        for step in where.path:
            node = _ensure(node, step)
        return _write(node, where.attribute, value)

    def _delete(self, name: str) -> bool:
        node = self.element(name)
        if node is None:
            return False
        node.getparent().remove(node)
        return True

    def _rename(self, edit: RenameField) -> bool:
        node = self._declared(edit.scope, edit.name)
        taken = edit.to != edit.name and self._declared(edit.scope, edit.to) is not None
        if node is None or taken:
            return False
        changed = _write(node, "name", edit.to)
        if edit.java_class:
            changed |= _write(node, "class", edit.java_class)
        letter = {"field": "F", "parameter": "P"}[edit.scope]
        old, new = f"${letter}{{{edit.name}}}", f"${letter}{{{edit.to}}}"
        for text in self.root.iter():
            if isinstance(text.tag, str) and text.text and old in text.text and "xpression" in local(text):
                text.text = text.text.replace(old, new)
        for field in self.root.iter(_tag("textField")):
            expression = _child(field, "textFieldExpression")
            if edit.pattern and expression is not None and (expression.text or "").strip() == new:
                changed |= _write(field, "pattern", edit.pattern)
        return changed

    def _declare(self, edit: Declare) -> bool:
        if self._declared(edit.scope, edit.name) is not None:
            return False
        node = etree.Element(_tag(edit.scope), attrib={"name": edit.name, "class": edit.java_class})
        _insert(self.root, node, _ORDER["jasperReport"])
        return True

    def _declared(self, scope: str, name: str) -> etree._Element | None:
        return next((node for node in self.root.findall(_tag(scope)) if node.get("name") == name), None)


def local(node: etree._Element) -> str:
    """A node's tag without its namespace; empty for comments."""
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


def report_element(node: etree._Element) -> etree._Element:
    """The node that holds an element's place."""
    found = _child(node, "reportElement")
    assert found is not None
    return found


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def _child(node: etree._Element, name: str) -> etree._Element | None:
    return node.find(_tag(name))


def _ensure(node: etree._Element, name: str) -> etree._Element:
    """The child with this tag, made at the place that the schema wants where there is none."""
    found = _child(node, name)
    if found is None:
        found = etree.Element(_tag(name))
        _insert(node, found, _ORDER.get(local(node), _ELEMENT_ORDER))
    return found


def _insert(parent: etree._Element, node: etree._Element, order: tuple[str, ...]) -> None:
    rank = order.index(local(node))
    before = [n for n, child in enumerate(parent) if local(child) in order and order.index(local(child)) <= rank]
    parent.insert(before[-1] + 1 if before else 0, node)


def _write(node: etree._Element, attribute: str | None, value: str) -> bool:
    """Set an attribute, or the text; whether that changed it."""
    if attribute is None:
        changed = node.text != value
        node.text = value
        return changed
    changed = node.get(attribute) != value
    node.set(attribute, value)
    return changed
