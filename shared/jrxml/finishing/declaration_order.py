"""Declare parameters and fields in the order in which a reader of the page comes to them."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from ..bands import bands_with_elements
from ..dom import int_attribute, report_element, tag
from ..expressions import expression_nodes, references

LINE_PT = 6
"""Elements whose tops lie in the same step of this height stand in one line, and are read from left to right."""


def sort_declarations(root: etree._Element) -> None:
    """Sort the parameters and the fields; what no element prints keeps its order and comes last."""
    first_uses: dict[tuple[str, str], int] = {}
    for at, name in enumerate(_reading_order(root)):
        first_uses.setdefault(name, at)
    for letter, scope in (("P", "parameter"), ("F", "field")):
        nodes = root.findall(tag(scope))
        if not nodes:
            continue
        at = root.index(nodes[0])
        ordered = sorted(nodes, key=lambda node: first_uses.get((letter, node.get("name") or ""), len(first_uses)))
        for node in nodes:
            root.remove(node)
        root[at:at] = ordered


def _reading_order(root: etree._Element) -> Iterator[tuple[str, str]]:
    """Yield the references of all elements, as (letter, name), band by band."""
    for band in bands_with_elements(root):
        for _, node in sorted(band.elements, key=lambda pair: _position(pair[1])):
            for expression in expression_nodes(node):
                yield from references(expression.text or "")


def _position(node: etree._Element) -> tuple[int, int]:
    report = report_element(node)
    return int_attribute(report, "y") // LINE_PT, int_attribute(report, "x")
