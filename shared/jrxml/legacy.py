"""Bring the text of an old template into a form that can be read: UTF-8, without a document type, with the namespace.

The schema of version 6 knows every element and attribute of the old DTD, so nothing else has to change. The text is
edited in place: whatever is not named here keeps its bytes.
"""

from __future__ import annotations

import codecs
import re
from html import escape

from ..errors import BadInput
from ..replies import Text
from .dom import NAMESPACE

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
_ROOT_TAG = re.compile(rb"""<jasperReport\b((?:[^>"']|"[^"]*"|'[^']*')*?)/?>""")
_DEFAULT_NAMESPACE = re.compile(rb"""\sxmlns\s*=""")
_NAME = re.compile(rb"""\sname\s*=\s*(["'])\s*(?!\1)\S""")
_EMPTY_NAME = re.compile(rb"""\sname\s*=\s*(["'])\s*\1""")


def to_utf8(content: bytes) -> tuple[bytes, list[Text]]:
    """Return the text in UTF-8 if it is in UTF-16, so that it can be read as bytes. Raises ``BadInput``."""
    if not content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content, []
    try:
        text = _XML_DECLARATION.sub("", content.decode("utf-16"))
    except UnicodeError:
        raise BadInput.of("xml.encoding", code="template.encoding") from None
    return text.encode(), [Text.of("validator.import.converted.encoding")]


def remove_doctype(content: bytes) -> tuple[bytes, list[Text]]:
    """Remove JasperReports' own document type without reading it. Any other is left for the parser to reject.

    Returns the text and a note for the user if something was removed.
    """
    doctype = _DOCTYPE.match(content, _end_of_prolog(content))
    if doctype is None:
        return content, []
    # Its line breaks stay, so that line numbers in errors are right.
    line_breaks = b"\n" * doctype[0].count(b"\n")
    without = content[: doctype.start()] + line_breaks + content[doctype.end() :]
    return without, [Text.of("validator.import.converted.doctype")]


def add_namespace(content: bytes) -> tuple[bytes, list[Text]]:
    """Add the namespace to a report that has none, as those of the old document type."""
    tag = _root_tag(content)
    if tag is None or _DEFAULT_NAMESPACE.search(tag[1]):
        return content, []
    namespace = f' xmlns="{NAMESPACE}"'.encode()
    return _with_attribute(content, tag, namespace), [Text.of("validator.import.converted.namespace")]


def add_name(content: bytes, name: str) -> tuple[bytes, list[Text]]:
    """Name a report that has no name, which the engine requires."""
    tag = _root_tag(content)
    if tag is None or _NAME.search(tag[1]):
        return content, []
    attribute = f' name="{escape(name)}"'.encode("ascii", "xmlcharrefreplace")
    if empty := _EMPTY_NAME.search(tag[1]):
        start = tag.start(1)
        named = content[: start + empty.start()] + attribute + content[start + empty.end() :]
    else:
        named = _with_attribute(content, tag, attribute)
    return named, [Text.of("validator.import.converted.name", name=name)]


def _with_attribute(content: bytes, tag: re.Match[bytes], attribute: bytes) -> bytes:
    return content[: tag.start(1)] + attribute + content[tag.start(1) :]


def _root_tag(content: bytes) -> re.Match[bytes] | None:
    """Return the start tag of the root, with its attributes as group 1; None if there is something else."""
    return _ROOT_TAG.match(content, _end_of_prolog(content))


def _end_of_prolog(content: bytes) -> int:
    end = 0
    while part := _PROLOG_PART.match(content, end):
        end = part.end()
    return end
