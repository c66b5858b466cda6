"""The bands of a template and the elements in them, each by the name that prompts, edits and findings use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from .dom import COMPONENTS, is_element, local_name, report_element, tag
from .further_pages import called, printed_groups

COLUMN_SECTIONS = frozenset({"columnHeader", "detail", "columnFooter", "groupHeader", "groupFooter"})
"""Sections as wide as a column; all others are as wide as the page inside its margins."""


class NamedBand(NamedTuple):
    """A band with its name and its elements, each by name, frames before their contents."""

    name: str
    node: etree._Element
    elements: list[tuple[str, etree._Element]]


def section_of(band: etree._Element) -> str:
    """Return the name of the section that a band belongs to: ``title``, ``detail``, ``groupHeader`` ..."""
    return called(band.getparent())


def section_in(band_name: str) -> str:
    """Return the section in a band's name: ``detail[2]`` gives ``detail``, ``groupHeader(region)`` ``groupHeader``."""
    return band_name.partition("[")[0].partition("(")[0]


def band_of(node: etree._Element) -> etree._Element:
    """Return the band that contains an element."""
    return next(node.iterancestors(tag("band")))


def named_bands(root: etree._Element, *, always_name_group: bool = False) -> list[tuple[str, etree._Element]]:
    """Return (name, band) in document order.

    A band is called by its section; with its number if the section has several bands (``detail[2]``), and with its
    group if the report has several groups (``groupHeader(region)``) or `always_name_group` is set.
    """
    name_group = always_name_group or len(printed_groups(root)) > 1
    found = []
    for band in root.iter(tag("band")):
        section = band.getparent()
        name = called(section)
        if name.startswith("group") and name_group:
            name += f"({section.getparent().get('name', '')})"
        siblings = section.findall(tag("band"))
        found.append((name if len(siblings) == 1 else f"{name}[{siblings.index(band) + 1}]", band))
    return found


def elements_in(container: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements in a band or frame, frames before their contents."""
    for node in container:
        if local_name(node) == "elementGroup":
            yield from elements_in(node)
        elif is_element(node):
            yield node
            if local_name(node) == "frame":
                yield from elements_in(node)


def list_rows(root: etree._Element) -> list[etree._Element]:
    """Return the contents of the lists: what each prints for a row, as a band does."""
    return list(root.iter(f"{{{COMPONENTS}}}listContents"))


def bands_with_elements(root: etree._Element) -> Iterator[NamedBand]:
    """Yield the bands with their elements.

    An element is called by its key; one without a key, or whose key is taken, by its band and its number there:
    ``detail.3``.
    """
    keys: Counter[str] = Counter()
    for band_name, band in named_bands(root):
        elements = []
        for position, node in enumerate(elements_in(band), 1):
            key = report_element(node).get("key", "")
            keys[key] += 1
            elements.append((key if key and keys[key] == 1 else f"{band_name}.{position}", node))
        yield NamedBand(band_name, band, elements)


def named_elements(root: etree._Element) -> list[tuple[str, etree._Element]]:
    """Return (name, element) for every element, in document order, frames before their contents."""
    return [pair for band in bands_with_elements(root) for pair in band.elements]
