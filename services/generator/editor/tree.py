"""The nodes of a template: what they are called, what is in them, where the schema wants a new one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from ..jrxml import NAMESPACE

ELEMENTS = frozenset({
    "staticText", "textField", "line", "rectangle", "ellipse", "image", "frame", "break", "componentElement",
    "genericElement", "crosstab", "subreport", "chart", "pieChart", "pie3DChart", "barChart", "bar3DChart",
    "xyBarChart", "stackedBarChart", "stackedBar3DChart", "lineChart", "xyLineChart", "areaChart", "xyAreaChart",
    "stackedAreaChart", "scatterChart", "bubbleChart", "timeSeriesChart", "highLowChart", "candlestickChart",
    "meterChart", "thermometerChart", "multiAxisChart", "ganttChart",
})  # fmt: skip
"""Tags of what stands in a band; any other child of a band is ignored."""

TEXTS = frozenset({"staticText", "textField"})
EXPRESSIONS = {"textField": "textFieldExpression", "image": "imageExpression"}
SECTIONS = (
    "background", "title", "pageHeader", "columnHeader", "detail", "columnFooter", "pageFooter", "lastPageFooter",
    "summary", "noData",
)  # fmt: skip

# The order that the schema wants among the children of each node.
_ORDER = {
    "reportElement": ("property", "propertyExpression", "printWhenExpression"),
    "box": ("pen", "topPen", "leftPen", "bottomPen", "rightPen"),
    "graphicElement": ("pen",),
    "textElement": ("font", "paragraph"),
    "variable": ("variableExpression", "initialValueExpression"),
    "group": ("groupExpression", "groupHeader", "groupFooter"),
    "jasperReport": (
        "property", "propertyExpression", "import", "template", "reportFont", "style", "subDataset", "scriptlet",
        "parameter", "queryString", "field", "sortField", "variable", "filterExpression", "group", *SECTIONS,
    ),
}  # fmt: skip
_ELEMENT_ORDER = ("reportElement", "box", "graphicElement", "textElement", "text", *EXPRESSIONS.values())

_REFERENCE = re.compile(r"\$([PFV])\{([^{}]+)\}")


def tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def local(node: etree._Element) -> str:
    """A node's tag without its namespace; empty for comments."""
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


def child(node: etree._Element, name: str) -> etree._Element | None:
    return node.find(tag(name))


def report_element(node: etree._Element) -> etree._Element:
    """The node that holds an element's place."""
    found = child(node, "reportElement")
    assert found is not None
    return found


def is_element(node: etree._Element) -> bool:
    return local(node) in ELEMENTS and child(node, "reportElement") is not None


def inside(container: etree._Element) -> Iterator[etree._Element]:
    """The elements in a band or frame, frames before what is in them."""
    for node in container:
        if local(node) == "elementGroup":
            yield from inside(node)
        elif is_element(node):
            yield node
            if local(node) == "frame":
                yield from inside(node)


def make(kind: str, text: str | None = None, /, **attributes: str) -> etree._Element:
    node = etree.Element(tag(kind), attrib=attributes)
    node.text = text
    return node


def ensure(node: etree._Element, name: str) -> etree._Element:
    """The child with this tag, made at the place that the schema wants where there is none."""
    found = child(node, name)
    if found is None:
        found = make(name)
        insert(node, found)
    return found


def insert(parent: etree._Element, node: etree._Element) -> None:
    """Put a child behind those that the schema wants before it."""
    order = _ORDER.get(local(parent), _ELEMENT_ORDER)
    rank = order.index(local(node))
    before = [n for n, one in enumerate(parent) if local(one) in order and order.index(local(one)) <= rank]
    parent.insert(before[-1] + 1 if before else 0, node)


def write(node: etree._Element, attribute: str | None, value: str) -> bool:
    """Set an attribute, or the text; whether that changed it."""
    if attribute is None:
        changed = node.text != value
        node.text = value
        return changed
    changed = node.get(attribute) != value
    node.set(attribute, value)
    return changed


def number(node: etree._Element, attribute: str, default: int = 0) -> int:
    """A whole number; `default` where there is none."""
    try:
        return int(node.get(attribute) or default)
    except ValueError:
        return default


def wording(node: etree._Element) -> str:
    """A static text's words or the expression of a text field or image; empty for anything else."""
    name = "text" if local(node) == "staticText" else EXPRESSIONS.get(local(node))
    return (node.findtext(tag(name)) or "").strip() if name else ""


def references(text: str) -> list[tuple[str, str]]:
    """(``P``, ``F`` or ``V``, name) of everything that an expression uses."""
    return _REFERENCE.findall(text)


def expressions(root: etree._Element) -> Iterator[etree._Element]:
    """Every node that holds an expression."""
    for node in root.iter():
        if isinstance(node.tag, str) and node.tag.endswith("xpression") and node.text:
            yield node
