"""Let the texts of values grow with their values, and everything around them make room.

The engine stretches a text downwards, and with it its band, in most sections. It does not in the background and the
footers, nor for a text that is printed later than its band; there the type is set smaller until the text fits. So it is
for numbers, since a number that breaks into two lines is read as two.

In a row of the table all cells and vertical lines stretch with the row, and what closes the row stays at its end. In
the other bands an element that stands below a growing one floats; cells beside each other would end at different
heights, so the text of a cell there gets smaller instead.
"""

from __future__ import annotations

from lxml import etree

from ..bands import elements_in, list_rows, section_of
from ..declarations import NUMBER_CLASSES
from ..dom import child, content_of, int_attribute, local_name, report_element, tag
from ..expressions import SCOPES, references, sole_reference

ROWS = frozenset({"detail"})
FIXED_SECTIONS = frozenset({"background", "pageFooter", "lastPageFooter", "columnFooter"})
"""Sections whose height the engine does not change."""
_COUNTERS = frozenset({("V", "PAGE_NUMBER"), ("V", "CURRENT_PAGE"), ("V", "REPORT_COUNT")})
"""Numbers of pages and rows: long ones in a report of thousands of rows."""
CLOSING_PT = 3
"""A horizontal line this near the end of a row closes it."""


def let_values_grow(root: etree._Element) -> None:
    """Set how the elements of all bands stretch and move."""
    for band in root.iter(tag("band")):
        section = section_of(band)
        nodes = list(elements_in(band))
        growing = [node for node in nodes if _let_grow(root, node, section)]
        if section in ROWS:
            _stretch_rows(band, nodes, bool(growing))
        else:
            _float_below(nodes, growing)

    for contents in list_rows(root):
        nodes = list(elements_in(contents))
        _stretch_rows(contents, nodes, any([_let_grow(root, node, "detail") for node in nodes]))


def _let_grow(root: etree._Element, node: etree._Element, section: str) -> bool:
    """Let a text field hold longer values. Return whether its element grows."""
    if local_name(node) != "textField" or not references(content_of(node)):
        return False
    is_late = node.get("evaluationTime", "Now") != "Now"
    may_stretch = section not in FIXED_SECTIONS and not is_late and (section in ROWS or not _is_cell(node))
    may_stretch = may_stretch and not _prints_number(root, node) and not _prints_counter(node)
    node.set("textAdjust", "StretchHeight" if may_stretch else "ScaleFont")
    return may_stretch


def _prints_counter(node: etree._Element) -> bool:
    """Whether a text field prints only numbers of pages or rows: "Page 120 of 715"."""
    return set(references(content_of(node))) <= _COUNTERS


def _prints_number(root: etree._Element, node: etree._Element) -> bool:
    found = sole_reference(content_of(node))
    if found is None:
        return False
    scope, name = SCOPES[found[0]], found[1]
    return any(node.get("name") == name and node.get("class") in NUMBER_CLASSES for node in root.iter(tag(scope)))


def _stretch_rows(band: etree._Element, nodes: list[etree._Element], grows: bool) -> None:
    """Let what belongs to the whole height of a row stretch with it, and what closes it stay at its end."""
    height = int_attribute(band, "height")
    if not grows:
        return
    for node in nodes:
        report = report_element(node)
        top, own = int_attribute(report, "y"), int_attribute(report, "height")
        is_rule = local_name(node) == "line" and own <= 1
        if is_rule and top > height / 2 and height - top <= CLOSING_PT:
            report.set("positionType", "FixRelativeToBottom")
        elif not is_rule and local_name(node) != "image" and (own >= height - 2 * CLOSING_PT or _is_cell(node)):
            report.set("stretchType", "ContainerHeight")


def _float_below(nodes: list[etree._Element], growing: list[etree._Element]) -> None:
    """Let elements float that stand below a growing one."""
    ends = [_bottom(node) for node in growing]
    if not ends:
        return
    for node in nodes:
        report = report_element(node)
        if int_attribute(report, "y") >= min(ends) - 1:
            report.set("positionType", "Float")


def _bottom(node: etree._Element) -> int:
    report = report_element(node)
    return int_attribute(report, "y") + int_attribute(report, "height")


def _is_cell(node: etree._Element) -> bool:
    box = child(node, "box")
    return (box is not None and len(box) > 0) or report_element(node).get("mode") == "Opaque"
