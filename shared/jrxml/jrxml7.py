"""Write a template of JasperReports 6 as one of JasperReports 7, which reads no older form.

Version 7 reads beans: an element is ``<element kind="...">``, its attributes are the bean's properties, and what stood
in nodes below it (``reportElement``, ``textElement``, ``font``) belongs to it directly. What is not known here is
refused, never left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lxml import etree

from ..errors import BadInput
from ..xml import parse
from .dom import SECTIONS, local_name

_KINDS = frozenset({"staticText", "textField", "line", "rectangle", "ellipse", "image", "frame", "break"})
_EXPRESSIONS = {
    "textFieldExpression": "expression",
    "imageExpression": "expression",
    "patternExpression": "patternExpression",
}
_DECLARED_EXPRESSIONS = {
    "variableExpression": "expression",
    "initialValueExpression": "initialValueExpression",
    "defaultValueExpression": "defaultValueExpression",
    "fieldDescription": "description",
    "parameterDescription": "description",
}
_ALIGNMENT = {"textAlignment": "hTextAlign", "verticalAlignment": "vTextAlign"}
_STYLE = {"hAlign": "hTextAlign", "vAlign": "vTextAlign", "isDefault": "default"}


def to_jrxml7(template: bytes) -> bytes:
    """Return the template for JasperReports 7. Raises ``BadInput`` for one that holds what this cannot write."""
    root = parse(template)
    report = etree.Element("jasperReport")
    _copy_attributes(root, report)
    for node in _children(root):
        _add_part(node, report)
    etree.indent(report, "\t")
    written: bytes = etree.tostring(report, encoding="UTF-8", xml_declaration=True)
    return written


def _add_part(node: etree._Element, report: etree._Element) -> None:
    """Write a child of the report."""
    match local_name(node):
        case "property" | "import" as name:
            _copy_attributes(node, _add(report, name))
        case "style":
            _add_style(node, _add(report, "style"))
        case "queryString":
            _copy_attributes(node, _add(report, "query", node.text))
        case "parameter" | "field" | "variable" | "sortField" as name:
            _add_declaration(node, _add(report, name))
        case "filterExpression":
            _add(report, "filterExpression", node.text)
        case "group":
            _add_group(node, _add(report, "group"))
        case "detail":
            _add_bands(node, _add(report, "detail"))
        case name if name in SECTIONS or name == "noData":
            for band in _children(node):
                _add_band(band, _add(report, name))
        case name:
            raise _refusal(name)


def _add_declaration(node: etree._Element, declared: etree._Element) -> None:
    _copy_attributes(node, declared)
    for part in _children(node):
        name = local_name(part)
        if name == "property":
            _copy_attributes(part, _add(declared, name))
        elif name in _DECLARED_EXPRESSIONS:
            _add(declared, _DECLARED_EXPRESSIONS[name], part.text)
        else:
            raise _refusal(name)


def _add_group(node: etree._Element, group: etree._Element) -> None:
    _copy_attributes(node, group)
    for part in _children(node):
        if local_name(part) == "groupExpression":
            _add(group, "expression", part.text)
        else:
            _add_bands(part, _add(group, local_name(part)))


def _add_bands(section: etree._Element, to: etree._Element) -> None:
    for band in _children(section):
        _add_band(band, _add(to, "band"))


def _add_band(node: etree._Element, band: etree._Element) -> None:
    _copy_attributes(node, band)
    for part in _children(node):
        match local_name(part):
            case "printWhenExpression":
                _add(band, "printWhenExpression", part.text)
            case "property":
                _copy_attributes(part, _add(band, "property"))
            case _:
                _add_element(part, band)


# --- elements and styles ---------------------------------------------------------------------------------------------


def _add_element(node: etree._Element, container: etree._Element) -> None:
    kind = local_name(node)
    if kind not in _KINDS:
        raise _refusal(kind)
    element = _add(container, "element")
    element.set("kind", kind)
    _copy_attributes(node, element, {"isStretchWithOverflow": "", "hyperlinkType": "linkType"})
    if node.get("isStretchWithOverflow") == "true":
        element.set("textAdjust", "StretchHeight")
    for part in _children(node):
        _add_element_part(part, element, kind)


def _add_element_part(part: etree._Element, element: etree._Element, kind: str) -> None:
    name = local_name(part)
    match name:
        case "reportElement":
            _add_common(part, element)
        case "textElement":
            _add_text_look(part, element)
        case "box":
            _add_box(part, element)
        case "graphicElement":
            _copy_attributes(part, element)
            for pen in _children(part):
                _copy_attributes(pen, _add(element, "pen"))
        case "text":
            _add(element, "text", part.text or "")
        case _ if name in _EXPRESSIONS:
            _add(element, _EXPRESSIONS[name], part.text)
        case _ if kind == "frame":
            _add_element(part, element)
        case _:
            raise _refusal(name)


def _add_text_look(node: etree._Element, element: etree._Element) -> None:
    _copy_attributes(node, element, _ALIGNMENT)
    for part in _children(node):
        if local_name(part) == "font":
            _copy_attributes(part, element, {"size": "fontSize"})
        else:
            _copy_attributes(part, _add(element, "paragraph"))


def _add_common(node: etree._Element, element: etree._Element) -> None:
    """Write what every element has: its place, its look and when it is printed."""
    _copy_attributes(node, element)
    for part in _children(node):
        if local_name(part) == "property":
            _copy_attributes(part, _add(element, "property"))
        elif local_name(part) == "printWhenExpression":
            _add(element, "printWhenExpression", part.text)
        else:
            raise _refusal(local_name(part))


def _add_box(node: etree._Element, owner: etree._Element) -> None:
    box = _add(owner, "box")
    _copy_attributes(node, box)
    for pen in _children(node):
        _copy_attributes(pen, _add(box, local_name(pen)))


def _add_style(node: etree._Element, style: etree._Element) -> None:
    _copy_attributes(node, style, _STYLE)
    for part in _children(node):
        match local_name(part):
            case "conditionalStyle":
                conditional = _add(style, "conditionalStyle")
                for inner in _children(part):
                    if local_name(inner) == "conditionExpression":
                        conditional.insert(0, _new("conditionExpression", inner.text))
                    else:
                        _add_style(inner, conditional)
            case "box":
                _add_box(part, style)
            case "pen" | "paragraph" as name:
                _copy_attributes(part, _add(style, name))
            case name:
                raise _refusal(name)


# --- nodes -----------------------------------------------------------------------------------------------------------


def _children(node: etree._Element) -> Iterator[etree._Element]:
    return (child for child in node if isinstance(child.tag, str))


def _new(name: str, text: str | None = None) -> etree._Element:
    node = etree.Element(name)
    if text is not None:
        node.text = etree.CDATA(text)
    return node


def _add(parent: etree._Element, name: str, text: str | None = None) -> etree._Element:
    node = _new(name, text)
    parent.append(node)
    return node


def _copy_attributes(node: etree._Element, to: etree._Element, renamed: Mapping[str, str] | None = None) -> None:
    """Copy attributes by the names of the beans' properties: ``isBold`` is ``bold``. An empty name leaves one out."""
    for name, value in node.attrib.items():
        if "}" in str(name):
            continue
        plain = str(name)
        new = (renamed or {}).get(plain, _flag(plain))
        if new:
            to.set(new, str(value))


def _flag(name: str) -> str:
    return name[2].lower() + name[3:] if name.startswith("is") and name[2:3].isupper() else name


def _refusal(name: str) -> BadInput:
    return BadInput.of("jrxml7.unknown", code="jrxml7", name=name)
