"""Convert templates of JasperReports 1 to 5 and of iReport to version 6.

The schema of version 6 still knows every element and attribute of the old DTD, so there is little to convert: the
document type goes, the namespace comes, and what only older engines or designers used is removed.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable
from typing import Any

from lxml import etree

from ..errors import BadInput
from .dom import NAMESPACE, J, local_name
from .expressions import SCOPES, reference

_PROLOG_PART = re.compile(rb"\xef\xbb\xbf|\s+|<\?.*?\?>|<!--.*?-->", re.DOTALL)
"""One part of what may precede the document type."""
# The document type that every tool wrote before there was a schema. It has no internal subset, so it declares nothing.
_DOCTYPE = re.compile(
    rb"""<!DOCTYPE\s+jasperReport\s+PUBLIC\s+
    (["'])-?//JasperReports//DTD\ (?:Report\ Design|JasperReport)//EN\1\s+
    (["'])https?://(?:www\.)?jasperreports\.(?:sourceforge\.net|com)/dtds/jasperreport\.dtd\2\s*>""",
    re.VERBOSE | re.IGNORECASE,
)
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_DEFAULT_IMPORT = re.compile(
    r"(?:java\.lang|java\.util|java\.math|java\.text|java\.io|net\.sf\.jasperreports\.engine(?:\.data)?)\.\*"
)
"""Packages that the engine imports anyway."""
_DESIGNER_PREFIXES = ("ireport.", "com.jaspersoft.")
_FILE_CLASSES = ("java.lang.String", "java.io.File", "java.net.URL")
"""Classes of an image's expression that name a file or an address."""
_FILE_NAME = re.compile(r'^"[^"]*"$|\.(?:png|jpe?g|gif|bmp|svg|tiff?)"', re.IGNORECASE)
_PDF_FONT_ATTRIBUTES = ("pdfFontName", "pdfEncoding", "isPdfEmbedded")


def to_utf8(content: bytes) -> bytes:
    """Return the text in UTF-8 if it is in UTF-16, so that it can be read as bytes. Raises ``BadInput``."""
    if not content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content
    try:
        return _XML_DECLARATION.sub("", content.decode("utf-16")).encode()
    except UnicodeError:
        raise BadInput.of("xml.encoding", code="template.encoding") from None


def remove_doctype(content: bytes) -> tuple[bytes, list[str]]:
    """Remove JasperReports' own document type without reading it. Any other is left for the parser to reject.

    Returns the text and a note for the user if something was removed.
    """
    start = 0
    while part := _PROLOG_PART.match(content, start):
        start = part.end()
    doctype = _DOCTYPE.match(content, start)
    if doctype is None:
        return content, []
    # Its line breaks stay, so that line numbers in errors are right.
    line_breaks = b"\n" * doctype[0].count(b"\n")
    return content[: doctype.start()] + line_breaks + content[doctype.end() :], ["The old document type was taken out."]


def convert(root: Any, *, keep_property: Callable[[str], bool]) -> list[str]:
    """Convert a report in place. Return a note for the user on each kind of change.

    Properties that designers wrote are removed, except those for whose name `keep_property` returns True.
    """
    notes = []
    if not root.tag.startswith("{"):
        for node in root.iter(etree.Element):
            if not node.tag.startswith("{"):
                node.tag = J + node.tag
        etree.cleanup_namespaces(root, top_nsmap={None: NAMESPACE})
        notes.append("It was of an old form and is now one of JasperReports 6.")
    if root.get("language") in ("groovy", "java"):
        if root.get("language") == "groovy":
            notes.append("Its expressions were Groovy and are now read as Java.")
        del root.attrib["language"]
    for name in ("scriptletClass", "resourceBundle", "formatFactoryClass"):
        if not root.get(name, "x").strip():
            del root.attrib[name]
    _remove(node for node in root.findall(f"{J}import") if _DEFAULT_IMPORT.fullmatch(node.get("value", "")))
    _remove(
        node
        for node in root.iter(f"{J}property", f"{J}propertyExpression")
        if node.get("name", "").startswith(_DESIGNER_PREFIXES)
        and not (local_name(node) == "property" and keep_property(node.get("name", "")))
    )
    for chart in root.iter(f"{J}chart"):
        for name in ("theme", "renderType"):
            chart.attrib.pop(name, None)
    if _remove_pdf_fonts(root):
        notes.append("Its fonts for PDF were left out; the fonts of its texts are embedded instead.")
    if _blank_missing_images(root):
        notes.append("Its pictures lie in files that did not come along: their places stay blank here.")
    if next(root.iter(f"{J}queryString"), None) is not None:
        notes.append("Its query is kept but not run; sample values stand in for its rows.")
    return notes


def _remove(nodes: Iterable[Any]) -> None:
    for node in list(nodes):
        node.getparent().remove(node)


def _blank_missing_images(root: Any) -> bool:
    """Make images from files and addresses print blank when those are missing. Return whether there are any."""
    found = False
    classes = {
        reference(scope, node.get("name")): node.get("class", "java.lang.String")
        for scope, kind in SCOPES.items()
        for node in root.findall(f"{J}{kind}")
    }
    for image in root.iter(f"{J}image"):
        node = image.find(f"{J}imageExpression")
        expression = (node.text or "").strip() if node is not None else ""
        java_class = node.get("class", classes.get(expression, "")) if node is not None else ""
        if java_class in _FILE_CLASSES or _FILE_NAME.search(expression):
            found = True
            if image.get("onErrorType", "Error") == "Error":
                image.set("onErrorType", "Blank")
    return found


def _remove_pdf_fonts(root: Any) -> bool:
    """Remove fonts that apply to PDF only: the engine lacks them, and could not print Chinese at all with them."""
    found = False
    for node in root.iter(f"{J}font", f"{J}style", f"{J}conditionalStyle", f"{J}reportFont"):
        for name in _PDF_FONT_ATTRIBUTES:
            if name in node.attrib:
                del node.attrib[name]
                found = True
    return found
