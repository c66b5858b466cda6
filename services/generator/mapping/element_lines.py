"""Which elements stand on one line."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from bandsmith.shared.jrxml.dom import int_attribute, report_element

LINE_TOLERANCE_PT = 3
"""Elements of one line begin this near to the next of them, at most."""


def lines_of(elements: Iterable[etree._Element]) -> list[list[etree._Element]]:
    """Return the elements of a band by the line that they stand on, from top to bottom."""
    lines: list[list[etree._Element]] = []
    for element in sorted(elements, key=top_of):
        if lines and top_of(element) - top_of(lines[-1][-1]) <= LINE_TOLERANCE_PT:
            lines[-1].append(element)
        else:
            lines.append([element])
    return lines


def top_of(element: etree._Element) -> int:
    """Return where an element begins in its band."""
    return int_attribute(report_element(element), "y")
