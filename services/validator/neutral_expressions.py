"""Harmless values for expressions that cannot be run: each fits the place of its expression."""

from __future__ import annotations

import re
from typing import Any

from bandsmith.shared.jrxml.dom import J, local_name
from bandsmith.shared.jrxml.expressions import reference_pattern, references
from bandsmith.shared.jrxml.java_literals import java_string

EMPTY_ROWS = 3
"""Rows that a table or list has whose data cannot be had."""
_REMOVED = frozenset({
    "printWhenExpression", "defaultValueExpression", "filterExpression", "patternExpression", "styleExpression",
    "propertyExpression", "anchorNameExpression", "bookmarkLevelExpression", "hyperlinkReferenceExpression",
    "hyperlinkTooltipExpression", "hyperlinkAnchorExpression", "hyperlinkPageExpression", "hyperlinkWhenExpression",
    "parametersMapExpression", "incrementWhenExpression", "rangeAxisMinValueExpression", "rangeAxisMaxValueExpression",
    "domainAxisMinValueExpression", "domainAxisMaxValueExpression", "otherLabelExpression", "otherKeyExpression",
})  # fmt: skip
"""Expressions that an element does without."""
_TEXTS = frozenset({
    "textFieldExpression", "keyExpression", "seriesExpression", "categoryExpression", "labelExpression",
    "titleExpression", "subtitleExpression", "categoryAxisLabelExpression", "valueAxisLabelExpression",
})  # fmt: skip
_SCRIPTLET_METHOD = re.compile(reference_pattern("P", r"(?:\w+_)?SCRIPTLET") + r"\s*\.\s*(?:get)?(\w+)")
"""What is asked of a scriptlet."""
_ROWS = f"new net.sf.jasperreports.engine.JREmptyDataSource({EMPTY_ROWS})"


def neutralize(node: Any) -> None:
    """Replace an expression by a harmless one, or remove it with what it alone determines."""
    name = local_name(node)
    if name in ("connectionExpression", "dataSourceExpression"):
        _replace_data_source(node)
    elif name in ("datasetParameterExpression", "parameterValueExpression"):
        _remove(node.getparent())
    elif name in _REMOVED:
        _remove(node)
    elif name in _TEXTS:
        node.attrib.pop("class", None)
        node.text = java_string(_label(node.text or ""))
    elif name == "bucketExpression":
        node.getparent().set("class", "java.lang.String")
        node.text = java_string(_label(node.text or ""))
    elif name == "conditionExpression":
        node.text = "Boolean.FALSE"
    elif name in ("valueExpression", "measureExpression"):
        node.text = "Integer.valueOf(1)"
    else:
        node.text = "null"


def _label(expression: str) -> str:
    """Return the name of what an expression prints, to stand for its value."""
    if called := _SCRIPTLET_METHOD.search(expression):
        return called[1]
    names = references(expression)
    fields = [name for letter, name in names if letter == "F"] or [name for _, name in names]
    return fields[-1] if fields else "…"


def _replace_data_source(node: Any) -> None:
    """Give a table, list or chart rows without values, whose texts stay blank."""
    node.tag = f"{J}dataSourceExpression"
    node.text = _ROWS
    component = next(node.iterancestors(f"{J}componentElement"), None)
    if component is not None:
        for text in component.iter(f"{J}textField"):
            text.set("isBlankWhenNull", "true")


def _remove(node: Any) -> None:
    node.getparent().remove(node)
