"""Write the template as a person would read it: elements in reading order, attributes in one order, nothing left over.

Elements are drawn in the order in which they are written, so that only those move that nothing opaque overlaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from lxml import etree

from ..bands import list_rows
from ..dom import TEXT_ELEMENTS, int_attribute, is_element, local_name, report_element, tag
from ..writer import SOURCE

LINE_PT = 6
"""Texts whose middles lie in the same step of this height stand in one line, and are read from left to right."""
_ORDER = {
    "reportElement": (
        "key", "style", "x", "y", "width", "height", "mode", "forecolor", "backcolor", "stretchType", "positionType",
        "isRemoveLineWhenBlank", "uuid",
    ),
    "textField": ("evaluationTime", "evaluationGroup", "pattern", "textAdjust", "isBlankWhenNull"),
}  # fmt: skip


def tidy(root: etree._Element) -> None:
    """Put elements and their attributes into order, and indent all nodes."""
    for band in (*root.iter(tag("band")), *list_rows(root)):
        _sort_texts(band)
    for name, order in _ORDER.items():
        for node in root.iter(tag(name)):
            _sort_attributes(node, order)
    for node in root.iter(etree.Element):
        if not len(node) and node.text and not node.text.strip():
            node.text = None
    for node in list(root.iter(tag("textElement"))):
        if not len(node) and not node.attrib:
            node.getparent().remove(node)
    for node in root.iter(etree.Element):
        if node.text and (local_name(node) == "text" or local_name(node).endswith("Expression")):
            node.text = etree.CDATA(node.text)
    etree.indent(root, space="\t")


def drop_sources(root: etree._Element) -> bool:
    """Remove the marks that elements were made from. Return whether there were any."""
    found = [node for node in root.iter(tag("property")) if node.get("name") == SOURCE]
    for node in found:
        parent = node.getparent()
        parent.remove(node)
        if not len(parent) and not (parent.text or "").strip():
            parent.text = None
    return bool(found)


def _sort_texts(band: etree._Element) -> None:
    """Sort the texts of a band, which are drawn last, from top to bottom and from left to right."""
    texts = [node for node in band if is_element(node) and local_name(node) in TEXT_ELEMENTS]
    others = [node for node in band if is_element(node) and local_name(node) not in TEXT_ELEMENTS]
    if not texts or (others and band.index(others[-1]) > band.index(texts[0])):
        return
    ordered = sorted(texts, key=_reading_position)
    if _swaps_opaque(texts, ordered):
        return
    at = band.index(texts[0])
    for node in texts:
        band.remove(node)
    band[at:at] = ordered


def _swaps_opaque(before: Sequence[etree._Element], after: Sequence[etree._Element]) -> bool:
    """Whether of two overlapping texts, one with a background, another one is drawn last."""
    ranks = {id(node): rank for rank, node in enumerate(after)}
    return any(
        ranks[id(one)] > ranks[id(other)] and _overlap(one, other)
        for one, other in combinations(before, 2)
        if "Opaque" in (report_element(one).get("mode"), report_element(other).get("mode"))
    )


def _overlap(one: etree._Element, other: etree._Element) -> bool:
    (left, top, right, bottom), (x, y, end, low) = _box(one), _box(other)
    return min(right, end) > max(left, x) and min(bottom, low) > max(top, y)


def _box(node: etree._Element) -> tuple[int, int, int, int]:
    report = report_element(node)
    x, y, width, height = (int_attribute(report, name) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def _reading_position(node: etree._Element) -> tuple[int, int]:
    left, top, _, bottom = _box(node)
    return (top + bottom) // 2 // LINE_PT, left


def _sort_attributes(node: etree._Element, order: Sequence[str]) -> None:
    attributes = {name: node.get(name) for name in order if node.get(name) is not None}
    attributes |= {str(name): str(value) for name, value in node.attrib.items() if name not in attributes}
    node.attrib.clear()
    for name, value in attributes.items():
        node.set(name, value)
