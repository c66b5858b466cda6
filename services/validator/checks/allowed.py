"""May a template from outside hold what it holds? Elements, attributes and classes are on a list, or refused.

What is not on the list reads files or addresses, or loads classes: subreports, scriptlets, imports, data adapters,
style files, scripts in other languages, custom charts. A query string may stay, for the engine never gets it.
"""

from __future__ import annotations

from typing import Any

from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.jrxml.dom import NAMESPACE, SECTIONS, local_name
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.verdict import Finding

from ..engine.lockdown import CLASSES

CHARTS = (
    "pieChart", "pie3DChart", "barChart", "bar3DChart", "stackedBarChart", "stackedBar3DChart", "lineChart",
    "areaChart", "stackedAreaChart",
)  # fmt: skip
COMPONENTS = "http://jasperreports.sourceforge.net/jasperreports/components"

_ELEMENTS = {
    "jasperReport", "property", "propertyExpression", "parameter", "parameterDescription", "field", "fieldDescription",
    "sortField", "variable", "group", "band", "style", "conditionalStyle", "subDataset", "datasetRun",
    "datasetParameter", "queryString", "elementGroup", "reportElement", "graphicElement", "textElement", "reportFont",
    "font", "text", "paragraph", "tabStop", "box", "pen", "topPen", "leftPen", "bottomPen", "rightPen",
    # expressions, which have a check of their own
    "defaultValueExpression", "variableExpression", "initialValueExpression", "filterExpression", "groupExpression",
    "conditionExpression", "printWhenExpression", "textFieldExpression", "patternExpression", "imageExpression",
    "anchorNameExpression", "hyperlinkReferenceExpression", "hyperlinkTooltipExpression",
    "hyperlinkAnchorExpression", "hyperlinkPageExpression", "hyperlinkWhenExpression", "bookmarkLevelExpression",
    "styleExpression", "datasetParameterExpression", "dataSourceExpression", "incrementWhenExpression",
    *SECTIONS, "groupHeader", "groupFooter",
    # report elements
    "staticText", "textField", "line", "rectangle", "ellipse", "image", "frame", "break", "componentElement",
    "crosstab", *CHARTS,
    # charts
    "chart", "chartTitle", "titleExpression", "chartSubtitle", "subtitleExpression", "chartLegend", "dataset",
    "pieDataset", "pieSeries", "keyExpression", "valueExpression", "labelExpression", "otherKeyExpression",
    "otherLabelExpression", "categoryDataset", "categorySeries", "seriesExpression", "categoryExpression", "plot",
    "seriesColor", "itemLabel", "piePlot", "pie3DPlot", "barPlot", "bar3DPlot", "linePlot", "areaPlot", "axisFormat",
    "categoryAxisLabelExpression", "categoryAxisFormat", "valueAxisLabelExpression", "valueAxisFormat", "labelFont",
    "tickLabelFont", "domainAxisMinValueExpression", "domainAxisMaxValueExpression", "rangeAxisMinValueExpression",
    "rangeAxisMaxValueExpression",
    # crosstabs
    "crosstabParameter", "parameterValueExpression", "crosstabDataset", "crosstabHeaderCell", "cellContents",
    "rowGroup", "columnGroup", "bucket", "bucketExpression", "orderByExpression", "crosstabHeader",
    "crosstabRowHeader", "crosstabTotalRowHeader", "crosstabColumnHeader", "crosstabTotalColumnHeader", "measure",
    "measureExpression", "crosstabCell", "whenNoDataCell", "titleCell",
}  # fmt: skip
_COMPONENTS = {
    "table", "column", "columnGroup", "tableHeader", "tableFooter", "groupHeader", "groupFooter", "columnHeader",
    "columnFooter", "detailCell", "cell", "noData", "list", "listContents",
}  # fmt: skip
_ATTRIBUTES = {
    "scriptletClass", "resourceBundle", "formatFactoryClass", "incrementerFactoryClass", "nestedType",
    "customizerClass", "theme", "percentageCalculatorClass",
}  # fmt: skip
_PROPERTIES = ("bandsmith.", "com.jaspersoft.studio.", "ireport.", "net.sf.jasperreports.default.locale",
               "net.sf.jasperreports.export.", "net.sf.jasperreports.print.", "net.sf.jasperreports.text.")  # fmt: skip
_NOT_IN_PROPERTIES = ("javascript", "path", "url", "file", "class", "template", "formula")
_HAS_CLASS = ("parameter", "field", "variable", "bucket", "measure", "crosstabParameter")
_DECLARED = ("parameter", "field", "variable")
_CLASSES = {*CLASSES, "net.sf.jasperreports.engine.JRDataSource"}


def check(template: Template) -> list[Finding]:
    """``allowed.element``, ``allowed.attribute``, ``allowed.language``, ``allowed.class``, ``allowed.property``."""
    found = []
    for node in template.root.iter():
        if isinstance(node.tag, str):
            found += _element(template, node) or _attributes(template, node)
    return found


def _element(template: Template, node: Any) -> list[Finding]:
    space, _, name = node.tag.rpartition("}")
    known = _COMPONENTS if space == f"{{{COMPONENTS}" else _ELEMENTS if space == f"{{{NAMESPACE}" else set()
    if name in known:
        return []
    element = template.element_of(node)
    key = element.key if element else None
    return [
        Finding(
            code="allowed.element",
            message=f"A template from outside may not hold <{name}>; remove it.",
            message_zh=f"外部模板不允许包含 <{name}>;请删除。",
            element=key,
            edits=[Delete(element=key)] if key else [],
        )
    ]


def _attributes(template: Template, node: Any) -> list[Finding]:
    name = local_name(node)
    element = template.element_of(node) if name not in _DECLARED else None
    key = element.key if element else None
    found = [
        Finding(
            code="allowed.attribute",
            message=f"A template from outside may not set {attribute} on <{name}>; remove it.",
            message_zh=f"外部模板不允许在 <{name}> 上设置 {attribute};请删除。",
            element=key,
        )
        for attribute in node.attrib
        if attribute in _ATTRIBUTES
    ]
    if name == "jasperReport" and node.get("language", "java") != "java":
        found.append(
            Finding(
                code="allowed.language",
                message="Expressions have to be Java; remove the report's language attribute.",
                message_zh="表达式必须使用 Java;请删除报表的 language 属性。",
            )
        )
    declared = node.get("class")
    if name in _HAS_CLASS and declared is not None and declared not in _CLASSES:
        found.append(
            Finding(
                code="allowed.class",
                message=f"The {name} {node.get('name', '')} may not have the class {declared}.",
                message_zh=f"{name} {node.get('name', '')} 不允许使用类 {declared}。",
            )
        )
    if name == "property" and not harmless(node.get("name", "")):
        found.append(
            Finding(
                code="allowed.property",
                message=f"A template from outside may not set the property {node.get('name', '')}; remove it.",
                message_zh=f"外部模板不允许设置属性 {node.get('name', '')};请删除。",
                element=key,
            )
        )
    return found


def harmless(name: str) -> bool:
    """Whether a property of this name only says how to print, or is a designer's own."""
    return name.startswith(_PROPERTIES) and not any(part in name.lower() for part in _NOT_IN_PROPERTIES)
