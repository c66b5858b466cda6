"""Band windows: the elements of a template in groups small enough for a prompt, which can be refined concurrently."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.jrxml.dom import ELEMENTS, local_name, report_element

MAX_WINDOW_CHARS = 4_000
"""Characters of XML in one window."""


class PageWindow(NamedTuple):
    """Consecutive elements of one band."""

    band: str
    keys: tuple[str, ...]


def windows(editor: Editor) -> list[PageWindow]:
    """Divide a template into windows in document order. Only a single element may exceed the size of a window."""
    found: list[PageWindow] = []
    for name, band in editor.bands():
        keys: list[str] = []
        length = 0
        for node in band:
            if local_name(node) not in ELEMENTS:
                continue
            size = len(xml_of(node))
            if keys and length + size > MAX_WINDOW_CHARS:
                found.append(PageWindow(name, tuple(keys)))
                keys, length = [], 0
            report = report_element(node)
            keys.append(report.get("key") or report.get("uuid") or "")
            length += size
        if keys:
            found.append(PageWindow(name, tuple(keys)))
    return found


def xml_of(node: etree._Element) -> str:
    """Return the XML of an element without namespace declarations."""
    return re.sub(r' xmlns(:\w+)?="[^"]*"', "", etree.tostring(node, encoding="unicode", with_tail=False))
