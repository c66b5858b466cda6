"""Templates of JasperReports 1 to 6 and of iReport, brought to the form of 6.x.

The schema of 6.x still knows every element and attribute of the old DTD, so little has to change: the DTD itself goes,
the namespace comes, and what only older engines needed, or a designer kept for itself, is left out.
"""

from __future__ import annotations

import codecs
import re
from typing import Any

from lxml import etree

from bandsmith.shared.errors import BadInput

from .checks import allowed
from .template import NS, J, local

_BEFORE = re.compile(rb"\xef\xbb\xbf|\s+|<\?.*?\?>|<!--.*?-->", re.DOTALL)
"""One piece of what may stand before the document type."""
# The one that every tool wrote before the schema came; without an internal subset, so that it declares nothing.
_DOCTYPE = re.compile(
    rb"""<!DOCTYPE\s+jasperReport\s+PUBLIC\s+
    (["'])-?//JasperReports//DTD\ (?:Report\ Design|JasperReport)//EN\1\s+
    (["'])https?://(?:www\.)?jasperreports\.(?:sourceforge\.net|com)/dtds/jasperreport\.dtd\2\s*>""",
    re.VERBOSE | re.IGNORECASE,
)
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_IMPORTED_ANYWAY = re.compile(
    r"(?:java\.lang|java\.util|java\.math|java\.text|java\.io|net\.sf\.jasperreports\.engine(?:\.data)?)\.\*"
)
_DESIGNERS = ("ireport.", "com.jaspersoft.")
_IN_FILES = ("java.lang.String", "java.io.File", "java.net.URL")
_FILE_NAME = re.compile(r'^"[^"]*"$|\.(?:png|jpe?g|gif|bmp|svg|tiff?)"', re.IGNORECASE)
_PDF_FONTS = ("pdfFontName", "pdfEncoding", "isPdfEmbedded")


def utf8(content: bytes) -> bytes:
    """The text in UTF-8 where it is in UTF-16, so that what follows may read it as bytes. Raises ``BadInput``."""
    if not content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content
    try:
        return _DECLARATION.sub("", content.decode("utf-16")).encode()
    except UnicodeError:
        raise BadInput(
            "The file begins as UTF-16 but is not; save it as UTF-8.",
            message_zh="文件不是有效的 UTF-16 编码;请另存为 UTF-8。",
            code="template.encoding",
        ) from None


def without_doctype(content: bytes) -> tuple[bytes, list[str]]:
    """Take out JasperReports' own document type, unread; any other is left for the parser to refuse."""
    start = 0
    while before := _BEFORE.match(content, start):
        start = before.end()
    found = _DOCTYPE.match(content, start)
    if found is None:
        return content, []
    # Its line breaks stay, so that lines keep their numbers.
    blank = b"\n" * found[0].count(b"\n")
    return content[: found.start()] + blank + content[found.end() :], ["The old document type was taken out."]


def renew(root: Any) -> list[str]:
    """Change a report in place; what was changed, one sentence each."""
    notes = []
    if not root.tag.startswith("{"):
        for node in root.iter(etree.Element):
            if not node.tag.startswith("{"):
                node.tag = J + node.tag
        etree.cleanup_namespaces(root, top_nsmap={None: NS})
        notes.append("It was of an old form and is now one of JasperReports 6.")
    if root.get("language") in ("groovy", "java"):
        if root.get("language") == "groovy":
            notes.append("Its expressions were Groovy and are now read as Java.")
        del root.attrib["language"]
    for name in ("scriptletClass", "resourceBundle", "formatFactoryClass"):
        if not root.get(name, "x").strip():
            del root.attrib[name]
    _remove(node for node in root.findall(f"{J}import") if _IMPORTED_ANYWAY.fullmatch(node.get("value", "")))
    _remove(
        node
        for node in root.iter(f"{J}property", f"{J}propertyExpression")
        if node.get("name", "").startswith(_DESIGNERS) and not _kept(node)
    )
    for chart in root.iter(f"{J}chart"):
        for name in ("theme", "renderType"):
            chart.attrib.pop(name, None)
    if _without_pdf_fonts(root):
        notes.append("Its fonts for PDF were left out; the fonts of its texts are embedded instead.")
    if _blank_without_file(root):
        notes.append("Its pictures lie in files that did not come along: their places stay blank here.")
    if next(root.iter(f"{J}queryString"), None) is not None:
        notes.append("Its query is kept but not run; sample values stand in for its rows.")
    return notes


def _kept(node: Any) -> bool:
    return local(node) == "property" and allowed.harmless(node.get("name", ""))


def _remove(nodes: Any) -> None:
    for node in list(nodes):
        node.getparent().remove(node)


def _blank_without_file(root: Any) -> bool:
    """Let pictures that are read from files or addresses be blank where those are not; whether there are any."""
    found = False
    classes = {
        f"${letter}{{{node.get('name')}}}": node.get("class", "java.lang.String")
        for letter, kind in (("P", "parameter"), ("F", "field"), ("V", "variable"))
        for node in root.findall(f"{J}{kind}")
    }
    for image in root.iter(f"{J}image"):
        node = image.find(f"{J}imageExpression")
        words = (node.text or "").strip() if node is not None else ""
        kind = node.get("class", classes.get(words, "")) if node is not None else ""
        if kind in _IN_FILES or _FILE_NAME.search(words):
            found = True
            if image.get("onErrorType", "Error") == "Error":
                image.set("onErrorType", "Blank")
    return found


def _without_pdf_fonts(root: Any) -> bool:
    """They name fonts that the engine does not have, and would keep it from printing Chinese at all."""
    found = False
    for node in root.iter(f"{J}font", f"{J}style", f"{J}conditionalStyle", f"{J}reportFont"):
        for name in _PDF_FONTS:
            if name in node.attrib:
                del node.attrib[name]
                found = True
    return found
