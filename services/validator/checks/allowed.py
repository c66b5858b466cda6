"""Check that a template from outside holds only elements, attributes, properties and classes on an allow-list.

Anything else could read files or network addresses or load classes: subreports, scriptlets, imports, data adapters,
style files, scripts in other languages, custom charts. A query may stay, because the engine never gets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.jrxml.dom import COMPONENTS, NAMESPACE, SECTIONS, local_name
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.replies import Text
from bandsmith.shared.turns.verdict import Finding

from ..engine.lockdown import CLASSES
from ..properties import is_harmless
from .base import Check, FindingCode, Stage, Unsafe, key_of


class Code(FindingCode):
    ELEMENT = "allowed.element"
    ATTRIBUTE = "allowed.attribute"
    LANGUAGE = "allowed.language"
    CLASS = "allowed.class"
    PROPERTY = "allowed.property"


CHARTS = (
    "pieChart", "pie3DChart", "barChart", "bar3DChart", "stackedBarChart", "stackedBar3DChart", "lineChart",
    "areaChart", "stackedAreaChart",
)  # fmt: skip

_ELEMENTS = {
    "jasperReport", "property", "propertyExpression", "parameter", "parameterDescription", "field", "fieldDescription",
    "sortField", "variable", "group", "band", "style", "conditionalStyle", "subDataset", "datasetRun",
    "datasetParameter", "returnValue", "queryString", "elementGroup", "reportElement", "graphicElement", "textElement",
    "reportFont", "font", "text", "paragraph", "tabStop", "box", "pen", "topPen", "leftPen", "bottomPen", "rightPen",
    # expressions, which the next check reads
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
    # barcodes
    "barbecue", "Codabar", "Code39", "Code128", "EAN8", "EAN13", "EAN128", "UPCA", "UPCE", "Interleaved2Of5",
    "PDF417", "DataMatrix", "QRCode", "codeExpression", "applicationIdentifierExpression", "patternExpression",
    "templateExpression",
}  # fmt: skip
_FORBIDDEN_ATTRIBUTES = {
    "scriptletClass", "resourceBundle", "formatFactoryClass", "incrementerFactoryClass", "nestedType",
    "customizerClass", "theme", "percentageCalculatorClass",
}  # fmt: skip
_SAFE_MARKUP = ("none", "styled")
"""The engine reads HTML and RTF with Swing, which may load what they refer to."""
MAX_PATTERN_CHARS = 500
"""A longer format of numbers or dates only costs time and memory: each of its letters prints one."""
_NODES_WITH_CLASS = ("parameter", "field", "variable", "bucket", "measure", "crosstabParameter")
_DECLARATIONS = ("parameter", "field", "variable")
_NAMED_IN_JAVA = (
    *_DECLARATIONS, "group", "subDataset", "rowGroup", "columnGroup", "measure", "crosstabParameter", "jasperReport",
)  # fmt: skip
_NO_NAME_IN_JAVA = re.compile(r'[\x00-\x1f\x7f"\\\\]')
"""Characters that would end a text of Java; the engine writes names into one."""
_CLASSES = {*CLASSES, "net.sf.jasperreports.engine.JRDataSource"}


def check(template: Template) -> list[Finding]:
    return [part.finding for part in unsafe_parts(template)]


def unsafe_parts(template: Template) -> Iterator[Unsafe]:
    """Yield everything that is not on an allow-list, in document order."""
    for node in template.root.iter():
        if isinstance(node.tag, str):
            element = _unsafe_element(template, node)
            yield from [element] if element else _unsafe_attributes(template, node)


def _unsafe_element(template: Template, node: Any) -> Unsafe | None:
    namespace, _, name = node.tag.rpartition("}")
    allowed = {f"{{{COMPONENTS}": _COMPONENTS, f"{{{NAMESPACE}": _ELEMENTS}.get(namespace, set())
    if name in allowed:
        return None
    key = key_of(template, node)
    edits = [Delete(element=key)] if key else []
    return Unsafe(node, None, Finding.of(Code.ELEMENT, element=key, edits=edits, name=name))


def _unsafe_attributes(template: Template, node: Any) -> Iterator[Unsafe]:
    kind, name = local_name(node), node.get("name", "")
    key = key_of(template, node) if kind not in _DECLARATIONS else None
    for attribute in node.attrib:
        if attribute in _FORBIDDEN_ATTRIBUTES:
            yield Unsafe(node, attribute, Finding.of(Code.ATTRIBUTE, element=key, attribute=attribute, name=kind))
    if node.get("markup", "none") not in _SAFE_MARKUP:
        yield Unsafe(node, "markup", Finding.of(Code.ATTRIBUTE, element=key, attribute="markup", name=kind))
    if len(node.get("pattern", "")) > MAX_PATTERN_CHARS:
        yield Unsafe(node, "pattern", Finding.of(Code.ATTRIBUTE, element=key, attribute="pattern", name=kind))
    if kind == "jasperReport" and node.get("language", "java") != "java":
        yield Unsafe(node, "language", Finding.of(Code.LANGUAGE))
    java_class = node.get("class")
    if java_class is not None and java_class not in _CLASSES and not kind.endswith("xpression"):
        yield Unsafe(node, "class", _unsafe_class(kind, name, java_class))
    if kind in _NAMED_IN_JAVA and _NO_NAME_IN_JAVA.search(name):
        yield Unsafe(node, "name", Finding.of(Code.ATTRIBUTE, element=key, attribute="name", name=kind))
    if kind in ("property", "propertyExpression") and not is_harmless(name):
        yield Unsafe(node, None, Finding.of(Code.PROPERTY, element=key, name=name))


def _unsafe_class(kind: str, name: str, java_class: str) -> Finding:
    if kind not in _NODES_WITH_CLASS:
        return Finding.of(Code.ATTRIBUTE, attribute="class", name=kind)
    return Finding.of(Code.CLASS, kind=Text.of(f"validator.kinds.{kind}"), name=name, java_class=java_class)


CHECK = Check(Stage.GUARD, Code, check)
