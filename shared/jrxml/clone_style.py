"""Make new texts in the style of an existing one, and change the style of a text."""

from __future__ import annotations

import copy

from lxml import etree

from .dom import child, ensure_child, insert_child, local_name, new_node, report_element, set_value, tag

_COPIED_ATTRIBUTES = ("x", "y", "width", "height", "style", "mode", "forecolor", "backcolor")


def clone_as_static_text(model: etree._Element, text: str) -> etree._Element:
    """Return a static text with the box and style of another element, in no band yet."""
    node = _clone(model, "staticText")
    node.append(new_node("text", text))
    return node


def clone_as_text_field(model: etree._Element, expression: str, pattern: str | None = None) -> etree._Element:
    """Return a text field with the box and style of another element, in no band yet."""
    node = _clone(model, "textField")
    if pattern:
        node.set("pattern", pattern)
    node.set("isBlankWhenNull", "true")
    for name in ("textAdjust", "isStretchWithOverflow"):
        if value := model.get(name):
            node.set(name, value)
    node.append(new_node("textFieldExpression", expression))
    return node


def make_bold(node: etree._Element) -> None:
    set_value(ensure_child(ensure_child(node, "textElement"), "font"), "isBold", "true")


def drop_alternating_style(root: etree._Element, node: etree._Element, shade: str | None) -> None:
    """Remove styles that change from row to row from an element; what they say about all rows stays.

    Where backgrounds alternate, the element gets the background `shade`.
    """
    report = report_element(node)
    styles = {style.get("name"): style for style in root.findall(tag("style"))}
    while (style := styles.get(report.get("style"))) is not None and child(style, "conditionalStyle") is not None:
        if (colour := style.get("forecolor")) and report.get("forecolor") is None:
            report.set("forecolor", colour)
        if style.get("isBold") == "true":
            make_bold(node)
        if shade and any(one.get("backcolor") for one in style.iter(tag("style")) if one is not style):
            report.set("mode", "Opaque")
            report.set("backcolor", shade)
        del report.attrib["style"]
        if (parent := style.get("style")) is not None:
            report.set("style", parent)


def set_alignment(node: etree._Element, align: str) -> None:
    """Align a text within its element."""
    set_value(ensure_child(node, "textElement"), "textAlignment", align)


def border_pen(node: etree._Element, side: str) -> etree._Element | None:
    """Return the pen of one side of an element's own border."""
    box = child(node, "box")
    return child(box, f"{side}Pen") if box is not None else None


def set_border_pen(node: etree._Element, side: str, new: etree._Element | None) -> None:
    """Give one side of an element a copy of a pen; None removes the pen of that side."""
    old = border_pen(node, side)
    if old is not None:
        old.getparent().remove(old)
    if new is not None:
        twin = copy.deepcopy(new)
        twin.tag = new_node(f"{side}Pen").tag
        insert_child(ensure_child(node, "box"), twin)


def _clone(model: etree._Element, name: str) -> etree._Element:
    node = new_node(name)
    report = report_element(model)
    node.append(
        new_node(
            "reportElement", **{key: value for key in _COPIED_ATTRIBUTES if (value := report.get(key)) is not None}
        )
    )
    for part in ("box", "textElement"):
        if (found := child(model, part)) is not None and local_name(model) in ("staticText", "textField"):
            node.append(copy.deepcopy(found))
    return node
