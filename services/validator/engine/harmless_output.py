"""What a filled report may contain for the programs that open it: links to pages and mail, plain markup, few levels.

Runs in the worker, on a filled report, before it is drawn or exported. A template and its data can make the engine
write links that run code (``javascript:``), open files, or name a machine that is then sent the reader's password, and
markup that makes the PDF exporter open a font's file.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

MAX_BOOKMARK_LEVEL = 20
"""The PDF exporter makes an entry for each level above a bookmark's, up to two thousand million."""
_SCHEMES = frozenset({"http", "https", "mailto", "tel"})
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_IGNORED = re.compile(r"[\x00-\x20\x7f-\x9f\u200b-\u200f\u2028\u2029\ufeff]")
"""Characters that browsers leave out of an address."""
_ATTRIBUTES = {
    "style": {"fontName", "size", "isBold", "isItalic", "isUnderline", "isStrikeThrough", "forecolor", "backcolor"},
    "font": {"fontName", "face", "size", "color"},
    "a": {"href"},
    **{tag: set[str]() for tag in ("b", "i", "u", "sup", "sub", "br", "li", "ul", "ol")},
}
"""The tags of the engine's markup that a text may have, with their attributes."""
_NO_FONT = re.compile(r"[/\\]")
_PARSER = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False)


def make_harmless(filled: Any) -> None:
    """Remove from every page of a filled report what is not on the lists, and lift bookmarks that are too deep."""
    for page in filled.getPages():
        for element in _elements(page.getElements()):
            if hasattr(element, "getHyperlinkReference"):
                _clean_link(element)
            if hasattr(element, "getBookmarkLevel") and element.getBookmarkLevel() > MAX_BOOKMARK_LEVEL:
                element.setBookmarkLevel(MAX_BOOKMARK_LEVEL)
            if hasattr(element, "getOriginalText") and str(element.getMarkup() or "none") != "none":
                text = str(element.getOriginalText() or "")
                if (cleaned := clean_markup(text)) != text:
                    element.setText(cleaned)


def is_harmless_link(address: str) -> bool:
    """Whether a link leads to a page or a mail address, or is relative to the document."""
    plain = _IGNORED.sub("", address).replace("\\", "/")
    scheme = _SCHEME.match(plain)
    return not plain.startswith("//") if scheme is None else scheme[1].lower() in _SCHEMES


def clean_markup(text: str) -> str:
    """Return a text with only the tags and attributes on the list. One that is no markup is returned as it is."""
    try:
        root = etree.fromstring(f"<st>{text}</st>", _PARSER)
    except (etree.XMLSyntaxError, ValueError):
        return text  # the engine prints it as it stands
    for node in list(root.iter()):
        if node is root or not isinstance(node.tag, str):
            continue
        allowed = _ATTRIBUTES.get(node.tag)
        if allowed is None:
            node.tag = "style"  # means nothing without attributes
        for name, value in list(node.attrib.items()):
            if not _is_harmless_attribute(name, value, allowed or set()):
                del node.attrib[name]
    etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
    whole = etree.tostring(root, encoding="unicode")
    return whole[whole.index(">") + 1 : -len("</st>")] if whole.endswith("</st>") else ""


def _is_harmless_attribute(name: str, value: str, allowed: set[str]) -> bool:
    if name not in allowed:
        return False
    if name == "href":
        return is_harmless_link(value)
    return not (name in ("fontName", "face") and _NO_FONT.search(value))


def _clean_link(element: Any) -> None:
    reference = element.getHyperlinkReference()
    if reference is not None and not is_harmless_link(str(reference)):
        element.setHyperlinkReference(None)


def _elements(elements: Any) -> Any:
    """Yield the elements of a page, and those in its frames."""
    for element in elements:
        yield element
        if hasattr(element, "getElements"):
            yield from _elements(element.getElements())
