"""What a template refers to and Bandsmith does not have: pictures and styles in files, fonts of PDF alone, themes.

All of this changes the copy that is printed, never the user's file.
"""

from __future__ import annotations

import re
from typing import Any

from bandsmith.shared.jrxml.dom import J, declared_nodes, new_node
from bandsmith.shared.jrxml.expressions import SCOPES, expression_nodes, reference, referenced_names

from .checks.inert_parts import Code, InertPart

_DEFAULT_IMPORT = re.compile(
    r"(?:java\.lang|java\.util|java\.math|java\.text|java\.io|net\.sf\.jasperreports\.engine(?:\.data)?)\.\*"
)
"""Packages that the engine imports anyway."""
_DESIGNER_PREFIXES = ("ireport.", "com.jaspersoft.")
_FILE_CLASSES = ("java.lang.String", "java.io.File", "java.net.URL")
"""Classes of an image's expression that name a file or an address."""
_FILE_NAME = re.compile(r'^"[^"]*"$|\.(?:png|jpe?g|gif|bmp|svg|tiff?)"', re.IGNORECASE)
_BUILT_IN = re.compile(r"(?:XML|JSON|CSV|XLSX?|HIBERNATE|JPA|EJBQL|MONDRIAN|OLAP4J|XMLA|DATA)_|net\.sf\.")
"""Parameters that the engine adds for a query of some language."""
_LINE_BREAK = re.compile(r"<br\s*>", re.IGNORECASE)
_PDF_FONT_ATTRIBUTES = ("pdfFontName", "pdfEncoding", "isPdfEmbedded")
_CHART_ATTRIBUTES = ("theme", "renderType")


def is_default_import(node: Any) -> bool:
    return _DEFAULT_IMPORT.fullmatch(node.get("value", "")) is not None


def is_of_designer(property_name: str) -> bool:
    """Whether a property only concerns the program that the template was drawn with."""
    return property_name.startswith(_DESIGNER_PREFIXES)


_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\'((?:\\.|[^\'\\])*)\'')
"""A text in Java's quotation marks, or in the ones that Groovy knows as well; its words are group 1."""


def read_as_java(root: Any) -> None:
    """Write Groovy's texts in the quotation marks that Java knows."""
    for node in expression_nodes(root):
        node.text = as_java(node.text or "")


def as_java(expression: str) -> str:
    return _QUOTED.sub(_in_double_quotes, expression)


def _in_double_quotes(quoted: re.Match[str]) -> str:
    if quoted[1] is None:
        return quoted[0]
    return '"' + quoted[1].replace("\\'", "'").replace('"', '\\"') + '"'


def read_as_styled_text(node: Any) -> None:
    """Have a text read as the engine's own markup, which knows the common tags of HTML if they are closed."""
    node.set("markup", "styled")
    element = next(node.iterancestors(f"{J}textField", f"{J}staticText"), None)
    for text in element.iterchildren(f"{J}text", f"{J}textFieldExpression") if element is not None else ():
        text.text = _LINE_BREAK.sub("<br/>", text.text or "")


def declare_built_in_parameters(root: Any) -> None:
    """Declare the parameters that a query would bring along, for each dataset whose query is about to be removed."""
    for query in root.iter(f"{J}queryString"):
        dataset = query.getparent()
        declared = set(declared_nodes(dataset, "parameter"))
        for name in sorted(_parameters_of(root, dataset) - declared):
            if _BUILT_IN.match(name):
                query.addprevious(new_node("parameter", name=name, **{"class": "java.lang.Object"}))


def _parameters_of(root: Any, dataset: Any) -> set[str]:
    """Return the names of the parameters that a dataset uses, or is given by those who run it."""
    runs = root.iter(f"{J}datasetRun") if dataset is not root else ()
    mine = [run for run in runs if run.get("subDataset") == dataset.get("name")]
    given = {node.get("name", "") for run in mine for node in run.iter(f"{J}datasetParameter")}
    used = {name for node in expression_nodes(dataset) for name in referenced_names(node.text or "", "P")}
    return given | used


def leave_out_unavailable(root: Any) -> list[InertPart]:
    """Take out of a report what cannot be had here. Return what the user should know of."""
    for chart in root.iter(f"{J}chart"):
        for name in _CHART_ATTRIBUTES:
            chart.attrib.pop(name, None)
    for node in root.iter(f"{J}font", f"{J}style", f"{J}conditionalStyle", f"{J}reportFont"):
        for name in _PDF_FONT_ATTRIBUTES:
            node.attrib.pop(name, None)
    root.set("whenResourceMissingType", "Key")  # its texts in the user's language did not come along
    _drop_missing_styles(root)
    return _blank_missing_pictures(root)


def _drop_missing_styles(root: Any) -> None:
    """Remove references to styles that are declared in a file of styles."""
    declared = set(declared_nodes(root, "style"))
    for node in root.iter(f"{J}reportElement", f"{J}style", f"{J}cellContents", f"{J}conditionalStyle"):
        if node.get("style") and node.get("style") not in declared:
            del node.attrib["style"]


def _blank_missing_pictures(root: Any) -> list[InertPart]:
    """Make every picture print blank if it cannot be had, and name each that lies in a file or at an address."""
    classes = {
        reference(scope, name): node.get("class", "java.lang.String")
        for scope, kind in SCOPES.items()
        for name, node in declared_nodes(root, kind).items()
    }
    parts = []
    for image in root.iter(f"{J}image"):
        image.set("onErrorType", "Blank")  # the icon for a missing picture is a file of the engine, which is not opened
        image.attrib.pop("isLazy", None)  # a lazy picture is opened when the page is drawn, where no error is caught
        node = image.find(f"{J}imageExpression")
        expression = (node.text or "").strip() if node is not None else ""
        java_class = node.get("class", classes.get(expression, "")) if node is not None else ""
        if java_class in _FILE_CLASSES or _FILE_NAME.search(expression):
            parts.append(InertPart(Code.PICTURE, expression))
    return parts
