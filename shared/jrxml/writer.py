"""Write a plan as JRXML of the 6.x schema."""

from __future__ import annotations

import uuid
from collections import Counter

from lxml import etree

from ..model.plan import (
    AnyElement,
    Band,
    Borders,
    Element,
    Font,
    Group,
    ListElement,
    Plan,
    StaticText,
    Style,
    TextElement,
    TextField,
    Variable,
)
from ..xml import storable
from .dom import COMPONENTS, NAMESPACE, SECTIONS, report_element
from .further_pages import END_OF_ROWS, FURTHER_PAGES
from .sensitive import PROPERTY as SENSITIVE

SCHEMA = "http://jasperreports.sourceforge.net/xsd/jasperreport.xsd"
SOURCE = "bandsmith.source"
"""The property that holds the id of the mark of the layout that an element was made from."""

_LIST_SOURCE = "net.sf.jasperreports.engine.data.JRMapCollectionDataSource"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_COMPONENTS_SCHEMA = "http://jasperreports.sourceforge.net/xsd/components.xsd"
_UUID_NAMESPACE = uuid.UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")


def build_jrxml(plan: Plan) -> bytes:
    """Return the plan as pretty-printed JRXML in UTF-8. The same plan always gives the same bytes."""
    base = _base_font(plan)
    width = plan.page_width - plan.margins.left - plan.margins.right
    root = etree.Element(
        _tag("jasperReport"),
        nsmap={None: NAMESPACE, "xsi": _XSI},
        attrib={
            f"{{{_XSI}}}schemaLocation": f"{NAMESPACE} {SCHEMA}",
            "name": plan.name,
            "pageWidth": str(plan.page_width),
            "pageHeight": str(plan.page_height),
            "orientation": "Landscape" if plan.page_width > plan.page_height else "Portrait",
            "whenNoDataType": "AllSectionsNoDetail",
            "columnWidth": str(width),
            "leftMargin": str(plan.margins.left),
            "rightMargin": str(plan.margins.right),
            "topMargin": str(plan.margins.top),
            "bottomMargin": str(plan.margins.bottom),
            **_new_pages(plan),
            "uuid": _uuid(plan.name, ""),
        },
    )
    if plan.locale:
        _child(root, "property", name="net.sf.jasperreports.default.locale", value=plan.locale)
    _child(root, "style", name="Base", isDefault="true", fontName=base.family, fontSize=_number(base.size))
    _declare(root, plan)
    bands = {name: [band for band in plan.bands if band.name == name] for name in SECTIONS}
    if plan.page_after_rows is not None:
        _end_of_rows(root, bands["summary"], plan, base)
        bands["summary"] = [plan.page_after_rows]
    if plan.further_pages:
        _further_pages(root, plan, base)
    for group in plan.groups:
        _group(root, group, plan, base)
    for name in SECTIONS:
        if bands[name]:
            section = _child(root, name)
            for band in bands[name]:
                _band(section, band, plan, base)
    etree.indent(root, space="\t")
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True))


def _declare(root: etree._Element, plan: Plan) -> None:
    """Add what the plan declares, in the order that the schema requires."""
    for style in plan.styles:
        _style(root, style)
    for found in _lists(plan):
        dataset = _child(root, "subDataset", name=found.name, uuid=_uuid(plan.name, f"dataset {found.name}"))
        for field in found.fields:
            _child(dataset, "field", name=field.name, **{"class": field.java_class})
    for parameter in plan.parameters:
        _child(root, "parameter", name=parameter.name, **{"class": parameter.java_class})
    for field in plan.fields:
        node = _child(root, "field", name=field.name, **{"class": field.java_class})
        if field.is_sensitive:
            _child(node, "property", name=SENSITIVE, value="true")
    for sort in plan.sort:
        order = {"order": "Descending"} if sort.descending else {}
        _child(root, "sortField", name=sort.name, **order, **({"type": "Variable"} if sort.variable else {}))
    for variable in plan.variables:
        _variable(root, variable)


def _style(root: etree._Element, style: Style) -> None:
    node = _child(_child(root, "style", name=style.name), "conditionalStyle")
    _child(node, "conditionExpression").text = etree.CDATA(style.condition)
    style_attributes = {"mode": "Opaque", "backcolor": style.backcolour} if style.backcolour else {}
    _child(node, "style", **style_attributes, **({"forecolor": style.forecolour} if style.forecolour else {}))


def _variable(root: etree._Element, variable: Variable) -> None:
    attributes = {"name": variable.name, "class": variable.java_class}
    if variable.group:
        attributes |= {"resetType": "Group", "resetGroup": variable.group}
    if variable.calculation != "Nothing":
        attributes["calculation"] = variable.calculation
    if variable.resets_on_page:
        attributes["resetType"] = "Page"
    node = _child(root, "variable", **attributes)
    _child(node, "variableExpression").text = etree.CDATA(variable.expression)
    if variable.initial:
        _child(node, "initialValueExpression").text = etree.CDATA(variable.initial)


def _group(root: etree._Element, group: Group, plan: Plan, base: Font) -> None:
    reprint = {"isReprintHeaderOnEachPage": "true"} if group.header and group.header_again else {}
    new_page = {"isStartNewPage": "true"} if group.new_page else {}
    # A header alone at the end of a page is useless: the first row has to fit below it.
    min_height = {"minHeightToStartNewPage": str(group.header.height + _row_height(plan))} if group.header else {}
    node = _child(root, "group", name=group.name, **new_page, **reprint, **min_height)
    _child(node, "groupExpression").text = etree.CDATA(group.expression)
    for section, band in (("groupHeader", group.header), ("groupFooter", group.footer)):
        if band is not None:
            _band(_child(node, section), band, plan, base)


def _new_pages(plan: Plan) -> dict[str, str]:
    if plan.page_after_rows is not None:
        return {"isSummaryNewPage": "true"}
    return {"isTitleNewPage": "true"} if plan.further_pages else {}


def _end_of_rows(root: etree._Element, below: list[Band], plan: Plan, base: Font) -> None:
    """Write what stands below the rows: the footer of a group of all rows, as the page after them is the summary.

    Only the summary may be as high as a page where other bands are printed with the rows.
    """
    node = _child(root, "group", name=END_OF_ROWS)
    _child(node, "groupExpression").text = etree.CDATA(f'"{END_OF_ROWS}"')
    section = _child(node, "groupFooter")
    for band in below or [Band(name="summary", height=0)]:
        _band(section, band, plan, base)


def _further_pages(root: etree._Element, plan: Plan, base: Font) -> None:
    """Write the pages after the title: footers of a group of everything, with page breaks between them.

    The engine lets a group have any number of such bands, each as high as a page, but only one title and one summary.
    It evaluates a band before it breaks it, so a break at the top would print the number of the page before.
    """
    node = _child(root, "group", name=FURTHER_PAGES)
    _child(node, "groupExpression").text = etree.CDATA(f'"{FURTHER_PAGES}"')
    section = _child(node, "groupFooter")
    for number, band in enumerate(plan.further_pages, 2):
        _band(section, band, plan, base)
        if number <= len(plan.further_pages):
            key, end = f"page_{number}_break", str(band.height - 1)
            box = {"x": "0", "y": end, "width": "1", "height": "1"}
            _child(_child(section[-1], "break"), "reportElement", key=key, **box, uuid=_uuid(plan.name, key))


def _row_height(plan: Plan) -> int:
    return max((band.height for band in plan.bands if band.name == "detail"), default=0)


def _band(section: etree._Element, band: Band, plan: Plan, base: Font) -> None:
    node = _child(section, "band", height=str(band.height), splitType="Stretch" if band.breaks else "Prevent")
    if band.print_when:
        _child(node, "printWhenExpression").text = etree.CDATA(band.print_when)
    for element in band.elements:
        _element(node, element, plan, base)


def _element(band: etree._Element, element: AnyElement, plan: Plan, base: Font) -> None:
    match element.kind:
        case "staticText":
            node = _child(band, "staticText")
            _common(node, element, plan)
            _text_style(node, element, base)
            _child(node, "text").text = etree.CDATA(storable(element.text))
        case "textField":
            node = _child(band, "textField", **_field_attributes(element))
            _common(node, element, plan)
            _text_style(node, element, base)
            _child(node, "textFieldExpression").text = etree.CDATA(element.expression)
        case "line":
            node = _child(band, "line")
            _common(node, element, plan)
            graphic = _child(node, "graphicElement")
            _pen(graphic, "pen", element.pen.width, element.pen.dash, element.pen.colour)
        case "rectangle":
            node = _child(band, "rectangle", **({"radius": str(element.radius)} if element.radius else {}))
            _common(node, element, plan)
            graphic = _child(node, "graphicElement")
            _pen(graphic, "pen", element.pen.width, element.pen.dash, element.pen.colour)
        case "list":
            _list(band, element, plan, base)
        case "image":
            node = _child(band, "image", scaleImage="FillFrame", onErrorType="Blank")
            _common(node, element, plan)
            _child(node, "imageExpression").text = etree.CDATA(element.expression)


def _list(band: etree._Element, element: ListElement, plan: Plan, base: Font) -> None:
    node = _child(band, "componentElement")
    _common(node, element, plan)
    rows = etree.SubElement(node, f"{{{COMPONENTS}}}list", nsmap={"jr": COMPONENTS}, printOrder="Vertical")
    rows.set(f"{{{_XSI}}}schemaLocation", f"{COMPONENTS} {_COMPONENTS_SCHEMA}")
    run = _child(rows, "datasetRun", subDataset=element.name, uuid=_uuid(plan.name, f"run {element.name}"))
    _child(run, "dataSourceExpression").text = etree.CDATA(f"new {_LIST_SOURCE}($P{{{element.name}}})")
    contents = etree.SubElement(rows, f"{{{COMPONENTS}}}listContents", height=str(element.height))
    contents.set("width", str(element.width))
    for one in element.contents:
        _element(contents, one, plan, base)


def _field_attributes(element: TextField) -> dict[str, str]:
    attributes: dict[str, str] = {}
    if element.evaluation != "Now":
        attributes["evaluationTime"] = element.evaluation
    if element.pattern:
        attributes["pattern"] = element.pattern
    if element.adjust != "CutText":
        attributes["textAdjust"] = element.adjust
    return {**attributes, "isBlankWhenNull": "true"}


def _common(node: etree._Element, element: Element, plan: Plan) -> None:
    attributes = {"key": element.key} | {k: str(getattr(element, k)) for k in ("x", "y", "width", "height")}
    if element.forecolour.upper() != "#000000":
        attributes["forecolor"] = element.forecolour
    if element.backcolour:
        attributes |= {"mode": "Opaque", "backcolor": element.backcolour}
    if element.style:
        attributes["style"] = element.style
    if element.stretches:
        attributes["stretchType"] = "ContainerHeight"
    if element.floats:
        attributes["positionType"] = "Float"
    if element.leaves_no_line:
        attributes["isRemoveLineWhenBlank"] = "true"
    report = _child(node, "reportElement", **attributes, uuid=_uuid(plan.name, element.key))
    if element.source:
        _child(report, "property", name=SOURCE, value=element.source)
    if element.print_when:
        _child(report, "printWhenExpression").text = etree.CDATA(element.print_when)


def _text_style(node: etree._Element, element: StaticText | TextField, base: Font) -> None:
    _box(node, element)
    attributes: dict[str, str] = {}
    if element.align != "Left":
        attributes["textAlignment"] = element.align
    if element.valign != "Top":
        attributes["verticalAlignment"] = element.valign
    font = _font(element.font, base)
    if attributes or font:
        text = _child(node, "textElement", **attributes)
        if font:
            _child(text, "font", **font)


def _box(node: etree._Element, element: TextElement) -> None:
    padding = {
        f"{side}Padding": str(value)
        for side in ("top", "left", "bottom", "right")
        if (value := getattr(element.padding, side))
    }
    if element.borders == Borders() and not padding:
        return
    box = _child(node, "box", **padding)
    for side in ("top", "left", "bottom", "right"):
        pen = getattr(element.borders, side)
        if pen.width:
            _pen(box, f"{side}Pen", pen.width, pen.dash, pen.colour, element.forecolour)


def _pen(parent: etree._Element, tag: str, width: float, dash: str, colour: str, inherited: str = "#000000") -> None:
    """Write a pen; `inherited` is the colour that it has where none is written: that of its element's text."""
    attributes = {"lineWidth": _number(width)}
    if dash != "Solid":
        attributes["lineStyle"] = dash
    if {colour.upper(), inherited.upper()} != {"#000000"}:
        attributes["lineColor"] = colour
    _child(parent, tag, **attributes)


def _font(font: Font, base: Font) -> dict[str, str]:
    """Return the attributes in which a font differs from the report's own."""
    attributes = {}
    if font.family != base.family:
        attributes["fontName"] = font.family
    if font.size != base.size:
        attributes["size"] = _number(font.size)
    for name, on in (("isBold", font.bold), ("isItalic", font.italic), ("isUnderline", font.underline)):
        if on:
            attributes[name] = "true"
    return attributes


def _bands(plan: Plan) -> list[Band]:
    grouped = [band for group in plan.groups for band in (group.header, group.footer) if band is not None]
    after = [plan.page_after_rows] if plan.page_after_rows is not None else []
    return [*plan.bands, *grouped, *plan.further_pages, *after]


def _lists(plan: Plan) -> list[ListElement]:
    return [element for band in _bands(plan) for element in band.elements if isinstance(element, ListElement)]


def _base_font(plan: Plan) -> Font:
    """Return the family and size of most texts."""
    lists = [element for found in _lists(plan) for element in found.contents]
    fonts = Counter(
        (element.font.family, element.font.size)
        for element in [*(element for band in _bands(plan) for element in band.elements), *lists]
        if isinstance(element, TextElement)
    )
    family, size = fonts.most_common(1)[0][0] if fonts else ("Liberation Sans", 10.0)
    return Font(family=family, size=size)


def _number(value: float) -> str:
    return f"{value:g}" if value != int(value) else f"{int(value)}"


def _uuid(name: str, key: str) -> str:
    return str(uuid.uuid5(_UUID_NAMESPACE, f"{name}/{key}"))


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def _child(parent: etree._Element, tag: str, **attributes: str) -> etree._Element:
    return etree.SubElement(parent, _tag(tag), attrib=attributes)


def source_of(node: etree._Element) -> str:
    """Return the id of the layout's mark that an element was made from; empty where it has none."""
    for prop in report_element(node).findall(f"{{{NAMESPACE}}}property"):
        if prop.get("name") == SOURCE:
            return prop.get("value") or ""
    return ""
