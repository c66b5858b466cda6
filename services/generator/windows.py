"""Band windows: a template's elements in parts small enough to be looked at alone, and so at the same time."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.jrxml.dom import ELEMENTS, local_name, report_element

MOST_CHARACTERS = 4_000


class Window(NamedTuple):
    """Elements of one band that stand in a row in the template."""

    band: str
    keys: tuple[str, ...]


def windows(editor: Editor) -> list[Window]:
    """The template's windows, in document order: each at most 4,000 characters of XML, unless one element is longer."""
    found: list[Window] = []
    for name, band in editor.bands():
        keys: list[str] = []
        length = 0
        for node in band:
            if local_name(node) not in ELEMENTS:
                continue
            size = len(xml_of(node))
            if keys and length + size > MOST_CHARACTERS:
                found.append(Window(name, tuple(keys)))
                keys, length = [], 0
            report = report_element(node)
            keys.append(report.get("key") or report.get("uuid") or "")
            length += size
        if keys:
            found.append(Window(name, tuple(keys)))
    return found


def xml_of(node: etree._Element) -> str:
    """An element's own XML, without the namespaces that its template declares once for all."""
    return re.sub(r' xmlns(:\w+)?="[^"]*"', "", etree.tostring(node, encoding="unicode", with_tail=False))
