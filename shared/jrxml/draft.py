"""A template that is being edited: its elements by name, its bands, the free space in them and on the page."""

from __future__ import annotations

import copy
import re
import uuid
from collections.abc import Iterator

from lxml import etree

from ..xml import parse
from .bands import COLUMN_SECTIONS, band_of, elements_in, named_bands, named_elements, section_of
from .dom import (
    SECTIONS,
    TEXT_ELEMENTS,
    child,
    insert_child,
    int_attribute,
    is_element,
    local_name,
    new_node,
    report_element,
    tag,
)
from .element_box import ElementBox
from .expressions import expression_nodes, references
from .further_pages import END_OF_ROWS, end_of_rows
from .refusals import no_band, no_element, no_space
from .source_text import write_edited
from .text_styles import ResolvedStyle, resolve_style

_GROUP_SECTION = re.compile(r"(groupHeader|groupFooter)\((.*)\)(\[\d+\])?")
REPEATED_SECTIONS = ("pageHeader", "columnHeader", "columnFooter", "pageFooter")
"""Sections that every page repeats."""
FULL_PAGE_SHARE = 0.9
"""An element higher than this share of the page frames the page, and does not grow with what is printed on it."""
_FREE_GAP_FACTOR = 2
_FREE_GAP_PT = 12
"""A gap takes something up without the band growing if it is `_FREE_GAP_FACTOR` times as high plus this."""
_MAX_KEY_CHARS = 60
_MIN_CHINESE_SHARE = 0.25
"""A report is in Chinese if at least this share of the characters of its fixed texts is."""


class Draft:
    """A template that is being edited. Raises ``BadInput`` if it cannot be read safely."""

    def __init__(self, template: bytes) -> None:
        self._source = template
        self.root = parse(template)
        self._named: dict[str, etree._Element] = {}
        for name, node in named_elements(self.root):
            self._named[name] = node
        for node in self.elements():
            if identity := report_element(node).get("uuid"):
                self._named.setdefault(identity, node)

    def bytes(self) -> bytes:
        """Return the template as it is now. What no edit changed keeps its bytes."""
        return write_edited(self._source, self.root) or _pretty_printed(self.root)

    def copy(self) -> Draft:
        """Return an independent draft in the same state, whose elements have the same names."""
        twin = Draft.__new__(Draft)
        twin._source = self._source
        twin.root = copy.deepcopy(self.root)
        same = dict(zip(self.root.iter(), twin.root.iter(), strict=True))
        twin._named = {name: same[node] for name, node in self._named.items()}
        return twin

    # --- elements ----------------------------------------------------------------------------------------------------

    def elements(self) -> list[etree._Element]:
        """Return the elements in the bands, in document order, frames before their contents."""
        return [node for node in self.root.iter() if is_element(node)]

    def element(self, name: str) -> etree._Element | None:
        """Return the element with this key, uuid or number in its band: ``detail.3``."""
        return self._named.get(name)

    def names(self) -> set[str]:
        """Return every name, key and uuid that an element is known by."""
        return set(self._named)

    def name_of(self, node: etree._Element) -> str:
        """Return the name of an element in the outline; its key if it has one of its own."""
        return next(name for name, one in self._named.items() if one is node)

    def require_element(self, name: str) -> etree._Element:
        """Return the element of this name. Raises ``EditRefused`` if there is none."""
        node = self.element(name)
        if node is None:
            raise no_element(name)
        return node

    def add_element(self, container: etree._Element, node: etree._Element, key: str) -> None:
        """Add a new element on top of the others of a band or frame; its key is made unique."""
        report = report_element(node)
        report.set("key", self.free_key(key))
        report.set("uuid", str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.root.get('uuid', '')}/{report.get('key')}")))
        container.append(node)
        self.register(node)

    def register(self, node: etree._Element) -> None:
        """Make a new element, and the elements in it, known by their keys."""
        for one in (node, *elements_in(node)):
            if key := report_element(one).get("key"):
                self._named[key] = one

    def remove(self, node: etree._Element) -> None:
        gone = {id(one) for one in (node, *elements_in(node))}
        for name in [name for name, one in self._named.items() if id(one) in gone]:
            del self._named[name]
        node.getparent().remove(node)

    def free_key(self, key: str) -> str:
        """Return a key that no element has yet."""
        stem = re.sub(r"[^\w.-]+", "_", key).strip("_")[:_MAX_KEY_CHARS] or "element"
        return next(name for name in _counted(stem) if name not in self._named)

    def style_of(self, node: etree._Element) -> ResolvedStyle:
        return resolve_style(self.root, node)

    # --- bands -------------------------------------------------------------------------------------------------------

    def bands(self) -> list[tuple[str, etree._Element]]:
        """Return (name of the section, band) in document order."""
        return [(section_of(node), node) for node in self.root.iter(tag("band"))]

    def band(self, name: str) -> etree._Element | None:
        """Return the band of this name, as in the outline: ``detail``, ``detail[2]``, ``groupHeader(region)``."""
        bands = dict(reversed(named_bands(self.root)))
        if name in bands:
            return bands[name]
        by_section = {section_of(band): band for band in reversed(bands.values())}
        if match := _GROUP_SECTION.fullmatch(name):
            group = self.group(match[2])
            section = child(group, match[1]) if group is not None else None
            return child(section, "band") if section is not None else None
        return by_section.get(name.partition("[")[0]) if name.endswith("[1]") or name in by_section else None

    def ensure_band(self, name: str) -> etree._Element:
        """Return the first band of a section, added if it is missing. Raises ``EditRefused`` for an unknown section."""
        found = self.band(name)
        if found is not None:
            return found
        if name not in SECTIONS:
            raise no_band(name)
        if name == "summary" and (end := self.declared("group", END_OF_ROWS)) is not None:
            return self.group_band(end, "groupFooter")
        section = child(self.root, name)
        if section is None:
            section = new_node(name)
            insert_child(self.root, section)
        return self._new_band(section)

    def group_band(self, group: etree._Element, name: str) -> etree._Element:
        """Return the band of a group's header or footer; add it if it is missing."""
        section = child(group, name)
        if section is None:
            section = new_node(name)
            insert_child(group, section)
        found = child(section, "band")
        return found if found is not None else self._new_band(section)

    def _new_band(self, section: etree._Element) -> etree._Element:
        band = new_node("band", height="0", splitType="Stretch")
        section.append(band)
        return band

    def band_of(self, node: etree._Element) -> etree._Element:
        return band_of(node)

    def band_width(self, band: etree._Element) -> int:
        """Return the width of a band in points."""
        if section_of(band) in COLUMN_SECTIONS:
            return int_attribute(self.root, "columnWidth", 555)
        return self.content_width

    @property
    def content_width(self) -> int:
        """The width between the left and right margins, in points."""
        return (
            self.page_width - int_attribute(self.root, "leftMargin", 20) - int_attribute(self.root, "rightMargin", 20)
        )

    @property
    def page_width(self) -> int:
        return int_attribute(self.root, "pageWidth", 595)

    @property
    def page_height(self) -> int:
        return int_attribute(self.root, "pageHeight", 842)

    @property
    def content_height(self) -> int:
        """The height between the top and bottom margins, in points."""
        return (
            self.page_height - int_attribute(self.root, "topMargin", 30) - int_attribute(self.root, "bottomMargin", 30)
        )

    # --- boxes -------------------------------------------------------------------------------------------------------

    def box_of(self, node: etree._Element) -> ElementBox:
        """Return the box of an element in its band."""
        x, y = self._origin(node)
        report = report_element(node)
        left, top = x + int_attribute(report, "x"), y + int_attribute(report, "y")
        return ElementBox(left, top, left + int_attribute(report, "width"), top + int_attribute(report, "height"))

    def set_box(self, node: etree._Element, place: ElementBox) -> bool:
        """Give an element this box in its band. Return whether that changed it."""
        x, y = self._origin(node)
        report = report_element(node)
        values = {"x": place.left - x, "y": place.top - y, "width": place.width, "height": place.height}
        changed = [name for name, value in values.items() if report.get(name) != str(value)]
        for name in changed:
            report.set(name, str(values[name]))
        return bool(changed)

    def _origin(self, node: etree._Element) -> tuple[int, int]:
        frames = [report_element(frame) for frame in node.iterancestors(tag("frame"))]
        return sum(int_attribute(frame, "x") for frame in frames), sum(int_attribute(frame, "y") for frame in frames)

    def texts(self, band: etree._Element) -> list[etree._Element]:
        return [node for node in elements_in(band) if local_name(node) in TEXT_ELEMENTS]

    def band_top(self, band: etree._Element) -> int | None:
        """Return how far below the margin a band begins on the first page; None below the rows, where that varies."""
        top = 0
        for name in ("title", "pageHeader", "columnHeader", "detail"):
            section = child(self.root, name)
            for one in section if section is not None else ():
                if one is band:
                    return top
                top += int_attribute(one, "height")
        return None

    def growth_limit(self, band: etree._Element) -> int:
        """Return by how many points a band can grow before the engine rejects it as too high for the page."""
        heights: dict[str, int] = {}
        for name, one in self.bands():
            height = int_attribute(one, "height")
            heights[name] = max(heights.get(name, 0), height) if name == "detail" else heights.get(name, 0) + height
        on_every_page = sum(heights.get(name, 0) for name in REPEATED_SECTIONS)
        section, height, available = section_of(band), int_attribute(band, "height"), self.content_height
        # The band below the rows has to fit on the first page with the title where another page follows the rows.
        end = self._end_of_rows_height()
        title = heights.get("title", 0) + end
        if section in REPEATED_SECTIONS:
            return available - on_every_page - max(title, heights.get("detail", 0))
        if section == "title" or (section == "summary" and self.declared("group", END_OF_ROWS) is not None):
            return available - on_every_page - title
        if section in ("detail", "groupHeader", "groupFooter"):
            return available - on_every_page - height
        return available - height

    def _end_of_rows_height(self) -> int:
        section = end_of_rows(self.root)
        return max((int_attribute(band, "height") for band in section), default=0) if section is not None else 0

    def grow_band(self, band: etree._Element, at: int, more: int) -> None:
        """Insert `more` points of height into a band at the height `at`.

        What is below moves down, what reaches across grows, and what is behind it in the background follows. The band
        keeps its height if a gap below is large enough. Raises ``EditRefused`` if the page has no space.
        """
        if more <= 0:
            return
        if (gap_end := self._end_of_gap(band, at, more)) is not None:
            self._push_down(band, at, more, int_attribute(band, "height"), gap_end)
            return
        if more > self.growth_limit(band):
            raise no_space()
        top = self.band_top(band)
        background = self._background()
        if background is not None and background is not band and top is not None:
            self._push_down(background, top + at, more, int_attribute(background, "height"))
        band.set("height", str(int_attribute(band, "height") + more))
        self._push_down(band, at, more, int_attribute(band, "height"))

    def _background(self) -> etree._Element | None:
        section = child(self.root, "background")
        return child(section, "band") if section is not None else None

    def remove_row(self, band: etree._Element, top: int, bottom: int) -> None:
        """Remove the height from `top` to `bottom` from a band, with its rules, if nothing else is there.

        What is below moves up; an empty band is removed.
        """
        boxes = {node: self.box_of(node) for node in band if is_element(node)}
        rules = [
            node
            for node, box in boxes.items()
            if local_name(node) == "line" and box.top >= top - 1 and box.bottom <= bottom + 1
        ]
        if any(box.top < bottom and box.bottom > top and node not in rules for node, box in boxes.items()):
            return
        for node in rules:
            self.remove(node)
        for node, box in boxes.items():
            if node not in rules and box.top >= bottom:
                self.set_box(node, box.moved(y=top - bottom))
        band.set("height", str(max(0, int_attribute(band, "height") - bottom + top)))
        section = band.getparent()
        if len(boxes) == len(rules) and child(band, "printWhenExpression") is None:
            section.remove(band)
            if len(section) == 0:
                section.getparent().remove(section)

    def _end_of_gap(self, band: etree._Element, at: int, more: int) -> int | None:
        """Return where the gap ends that can take up `more` points below the height `at`; None if there is none."""
        bottom = at
        for box in sorted((self.box_of(node) for node in elements_in(band)), key=lambda box: box.top):
            if box.bottom <= at:
                continue
            if box.top - bottom >= _FREE_GAP_FACTOR * more + _FREE_GAP_PT:
                return box.top
            bottom = max(bottom, box.bottom)
        return None

    def _push_down(self, band: etree._Element, at: int, by: int, max_bottom: int, until: int | None = None) -> None:
        """Move what is below the height `at` of a band down, and stretch what reaches across it.

        Nothing moves beyond `max_bottom`, and what begins at or below `until` stays.
        """
        for node in band:
            if not is_element(node):
                continue
            box = self.box_of(node)
            if until is not None and box.top >= until:
                continue
            if box.top >= at:
                self.set_box(node, box.moved(y=min(by, max(0, max_bottom - box.bottom))))
            elif box.bottom > at and box.height < FULL_PAGE_SHARE * self.page_height and box.bottom + by <= max_bottom:
                self.set_box(node, box._replace(bottom=box.bottom + by))

    # --- declarations ------------------------------------------------------------------------------------------------

    def declared(self, scope: str, name: str) -> etree._Element | None:
        """Return the report's own field, parameter, variable or style of this name."""
        return next((node for node in self.root.findall(tag(scope)) if node.get("name") == name), None)

    def group(self, name: str) -> etree._Element | None:
        """Return the group of this name, or the one whose rows share the field of this name."""
        found = self.declared("group", name)
        if found is not None:
            return found
        wanted = f"$F{{{name}}}"
        groups = self.root.findall(tag("group"))
        return next((one for one in groups if (one.findtext(tag("groupExpression")) or "").strip() == wanted), None)

    def free_name(self, scope: str, stem: str) -> str:
        """Return a name that no declaration of this kind has yet."""
        return next(name for name in _counted(stem) if self.declared(scope, name) is None)

    def is_used(self, letter: str, name: str) -> bool:
        """Return whether expressions or the sort order use a field (``F``), parameter (``P``) or variable (``V``)."""
        kind = {"F": "Field", "V": "Variable"}.get(letter)
        if any(
            one.get("name") == name and one.get("type", "Field") == kind for one in self.root.iter(tag("sortField"))
        ):
            return True
        return any((letter, name) in references(node.text or "") for node in expression_nodes(self.root))

    def is_chinese(self) -> bool:
        """Return whether the fixed texts of the report are in Chinese."""
        words = "".join(node.text or "" for node in self.root.iter(tag("text")))
        return sum("\u4e00" <= char <= "\u9fff" for char in words) > _MIN_CHINESE_SHARE * len(words)


def _counted(stem: str) -> Iterator[str]:
    yield stem
    n = 2
    while True:
        yield f"{stem}_{n}"
        n += 1


def _pretty_printed(root: etree._Element) -> bytes:
    """Return a template in a layout of our own, in UTF-8."""
    for node in (*root.iter(tag("text")), *expression_nodes(root)):
        if node.text and len(node) == 0:
            node.text = etree.CDATA(node.text)
    etree.indent(root, space="\t")
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True))
