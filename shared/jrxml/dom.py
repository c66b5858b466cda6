"""Read and build the nodes of a template: names, attributes, children in the order that the schema requires."""

from __future__ import annotations

from lxml import etree

NAMESPACE = "http://jasperreports.sourceforge.net/jasperreports"
J = f"{{{NAMESPACE}}}"
"""The namespace as lxml writes it before a name: ``f"{J}band"``."""
COMPONENTS = "http://jasperreports.sourceforge.net/jasperreports/components"
"""The namespace of lists, tables and barcodes."""

CHARTS = frozenset({
    "pieChart", "pie3DChart", "barChart", "bar3DChart", "xyBarChart", "stackedBarChart", "stackedBar3DChart",
    "lineChart", "xyLineChart", "areaChart", "xyAreaChart", "stackedAreaChart", "scatterChart", "bubbleChart",
    "timeSeriesChart", "highLowChart", "candlestickChart", "meterChart", "thermometerChart", "multiAxisChart",
    "ganttChart",
})  # fmt: skip
ELEMENTS = CHARTS | {
    "staticText", "textField", "line", "rectangle", "ellipse", "image", "frame", "break", "componentElement",
    "genericElement", "crosstab", "subreport", "chart",
}  # fmt: skip
"""Tags of report elements. Any other child of a band describes the band itself."""

TEXT_ELEMENTS = frozenset({"staticText", "textField"})
EXPRESSION_TAGS = {"textField": "textFieldExpression", "image": "imageExpression"}
"""The child that holds an element's expression, by the element's tag."""
SECTIONS = (
    "background", "title", "pageHeader", "columnHeader", "detail", "columnFooter", "pageFooter", "lastPageFooter",
    "summary", "noData",
)  # fmt: skip
"""The report's own sections, in the order that the schema requires."""

_CHILD_ORDER = {
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
_ELEMENT_CHILD_ORDER = (
    "reportElement", "box", "graphicElement", "textElement", "text", *EXPRESSION_TAGS.values(),
)  # fmt: skip


# --- reading ---------------------------------------------------------------------------------------------------------


def tag(name: str) -> str:
    """Return the qualified tag of a JRXML node."""
    return f"{J}{name}"


def local_name(node: etree._Element) -> str:
    """Return a node's tag without its namespace; empty for comments and processing instructions."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def child(node: etree._Element, name: str) -> etree._Element | None:
    """Return the first child with this tag."""
    return next(node.iterchildren(tag(name)), None)


def child_text(node: etree._Element, name: str) -> str:
    """Return the stripped text of the first child with this tag; empty if there is none."""
    return (node.findtext(tag(name)) or "").strip()


def int_attribute(node: etree._Element, attribute: str, default: int = 0) -> int:
    """Return an attribute as an integer; `default` if it is missing or not an integer."""
    try:
        return int(node.get(attribute) or default)
    except ValueError:
        return default


def float_attribute(node: etree._Element, attribute: str, default: float = 0.0) -> float:
    """Return an attribute as a number; `default` if it is missing or not a number."""
    try:
        return float(node.get(attribute) or default)
    except ValueError:
        return default


_CHART, _REPORT_ELEMENT = tag("chart"), tag("reportElement")


def report_element(node: etree._Element) -> etree._Element:
    """Return the ``reportElement`` of an element, which holds its key, position and size."""
    found = _report_element(node)
    assert found is not None
    return found


def _report_element(node: etree._Element) -> etree._Element | None:
    """Return the ``reportElement`` of an element; that of a chart is one level deeper."""
    found = next(node.iterchildren(_CHART, _REPORT_ELEMENT), None)
    return child(found, "reportElement") if found is not None and found.tag == _CHART else found


def span_of(node: etree._Element) -> tuple[int, int]:
    """Return the left and the right edge of an element, in points of what contains it."""
    report = report_element(node)
    left = int_attribute(report, "x")
    return left, left + int_attribute(report, "width")


def is_element(node: etree._Element) -> bool:
    """Return whether a node is a report element with a position of its own."""
    name = local_name(node)
    return name in ELEMENTS and name != "chart" and _report_element(node) is not None


def content_of(node: etree._Element) -> str:
    """Return the text of a static text or the expression of a text field or image; empty for other elements."""
    name = "text" if local_name(node) == "staticText" else EXPRESSION_TAGS.get(local_name(node))
    return child_text(node, name) if name else ""


def declared_nodes(root: etree._Element, scope: str) -> dict[str, etree._Element]:
    """Return the report's own declarations of one kind (``field``, ``variable``, ``style`` ...) by name.

    Those of its datasets are not among them.
    """
    return {node.get("name") or "": node for node in root.findall(tag(scope))}


# --- building --------------------------------------------------------------------------------------------------------


def new_node(name: str, text: str | None = None, /, **attributes: str) -> etree._Element:
    node = etree.Element(tag(name), attrib=attributes)
    node.text = text
    return node


def insert_child(parent: etree._Element, node: etree._Element) -> None:
    """Insert a child at the place that the schema requires."""
    order = _CHILD_ORDER.get(local_name(parent), _ELEMENT_CHILD_ORDER)
    rank = order.index(local_name(node))
    preceding = [
        index
        for index, sibling in enumerate(parent)
        if local_name(sibling) in order and order.index(local_name(sibling)) <= rank
    ]
    parent.insert(preceding[-1] + 1 if preceding else 0, node)


def ensure_child(node: etree._Element, name: str) -> etree._Element:
    """Return the child with this tag; insert it if it is missing."""
    found = child(node, name)
    if found is None:
        found = new_node(name)
        insert_child(node, found)
    return found


def set_value(node: etree._Element, attribute: str | None, value: str) -> bool:
    """Set an attribute, or the node's text if `attribute` is None. Return whether it changed."""
    if attribute is None:
        changed: bool = node.text != value
        node.text = value
        return changed
    changed = bool(node.get(attribute) != value)
    node.set(attribute, value)
    return changed
