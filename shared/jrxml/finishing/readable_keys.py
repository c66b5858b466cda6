"""Name the elements after what they print, as a person would: ``quantity``, ``quantity_header``, ``bill_to_label``.

Until now they have the names of the marks that they were made from. A value is called like its field, a heading like
the field below it, wording by its own words, and what has no words by the place where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lxml import etree

from ...fields.identifiers import name_for, unique_name
from ..bands import elements_in, list_rows, named_bands, section_in
from ..dom import content_of, int_attribute, local_name, report_element
from ..expressions import references
from ..further_pages import further_pages

MAX_LABEL_WORDS = 4
"""Wording of more words is a note, and called by its first ones."""
PAPER = "paper"
_PLACES = {
    "title": "title", "pageHeader": "page_header", "columnHeader": "header", "detail": "row", "summary": "summary",
    "pageFooter": "footer", "lastPageFooter": "last_footer", "columnFooter": "column_footer", "background": "page",
    "groupHeader": "group_header", "groupFooter": "group_footer",
}  # fmt: skip
_MARKS = {"line": "line", "rectangle": "area", "image": "picture"}
_COUNTERS = {
    "PAGE_NUMBER": "page_number", "CURRENT_PAGE": "page_number", "MASTER_CURRENT_PAGE": "page_number",
    "REPORT_COUNT": "row_number",
}  # fmt: skip


class _Column(NamedTuple):
    """A value of the rows, and the x's between which it is printed."""

    name: str
    left: int
    right: int


def name_elements(root: etree._Element) -> None:
    """Give every element a readable key that no other element has."""
    columns = list(_columns(root))
    taken: set[str] = {PAPER}
    for section, node in _elements(root):
        report = report_element(node)
        if local_name(node) == "componentElement" or report.get("key") == PAPER:
            taken.add(report.get("key") or "")
            continue
        key = unique_name(_stem(node, section, columns), taken)
        taken.add(key)
        report.set("key", key)


def _elements(root: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    pages = {band: number for number, band in enumerate(further_pages(root), 2)}
    for name, band in named_bands(root):
        section = f"page_{pages[band]}" if band in pages else section_in(name)
        yield from ((section, node) for node in elements_in(band))
    for contents in list_rows(root):
        yield from (("detail", node) for node in elements_in(contents))


def _columns(root: etree._Element) -> Iterator[_Column]:
    for section, node in _elements(root):
        if section == "detail" and local_name(node) == "textField":
            yield _Column(_printed_name(node), *_sides(node))


def _stem(node: etree._Element, section: str, columns: list[_Column]) -> str:
    """Return what to call an element, before a number tells it from others of this name."""
    match local_name(node):
        case "textField":
            return _printed_name(node)
        case "staticText":
            return _wording_name(node, section, columns)
        case "image":
            return next((name for _, name in references(content_of(node))), f"{_place(section)}_picture")
        case kind:
            return f"{_place(section)}_{_MARKS.get(kind, kind)}"


def _place(section: str) -> str:
    """Return what a section is called in a key: a further page by its number."""
    return section if section.startswith("page_") else _PLACES.get(section, "page")


def _printed_name(node: etree._Element) -> str:
    """Return the name of what a text field prints first."""
    names = [name for _, name in references(content_of(node))]
    return _COUNTERS.get(names[0], names[0]) if names else "text"


def _wording_name(node: etree._Element, section: str, columns: list[_Column]) -> str:
    words = content_of(node)
    if not words:
        return f"{_place(section)}_cell"
    if section == "columnHeader" and (column := _column_below(node, columns)):
        return f"{column}_header"
    name = name_for(" ".join(words.split()[:MAX_LABEL_WORDS]), "", ())
    if not name:
        return f"{_place(section)}_text"
    if section == "columnHeader":
        return f"{name}_header"
    return f"{name}_{'label' if len(words.split()) <= MAX_LABEL_WORDS else 'note'}"


def _column_below(node: etree._Element, columns: list[_Column]) -> str | None:
    """Return the value of the rows that stands below the most of a heading."""
    left, right = _sides(node)
    shared: Mapping[str, int] = {one.name: min(right, one.right) - max(left, one.left) for one in columns}
    best = max(shared, key=lambda name: shared[name], default=None)
    return best if best is not None and shared[best] > 0 else None


def _sides(node: etree._Element) -> tuple[int, int]:
    report = report_element(node)
    x = int_attribute(report, "x")
    return x, x + int_attribute(report, "width")
