"""The template being edited: its elements by name, its bands, the room in them and on the page."""

from __future__ import annotations

import copy
import re
import uuid
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from ..xml import parse
from .bands import COLUMN_SECTIONS, elements_in, named_bands, named_elements
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
from .expressions import expression_nodes, references
from .refusals import no_band, no_element, no_space
from .text_styles import ResolvedStyle, resolve_style

_GROUP_SECTION = re.compile(r"(groupHeader|groupFooter)\((.*)\)(\[\d+\])?")
FREE_GAP_FACTOR = 2
"""A gap so many times as high as what is to go into it is air enough."""
FULL_PAGE_SHARE = 0.9
"""What is higher than this share of the page belongs to the page, not to what is printed there."""


class ElementBox(NamedTuple):
    """Where an element is in its band, in points, whatever frames it lies in."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def center_x(self) -> float:
        return (self.left + self.right) / 2

    def overlap_x(self, other: ElementBox) -> int:
        """Points by which two places share their width; below 0 they are so far apart."""
        return min(self.right, other.right) - max(self.left, other.left)

    def overlap_y(self, other: ElementBox) -> int:
        """Points by which two places share their height; below 0 they are so far apart."""
        return min(self.bottom, other.bottom) - max(self.top, other.top)

    def on_same_line(self, other: ElementBox) -> bool:
        """Whether two places are in one line: they share half of the lower one's height."""
        return 2 * self.overlap_y(other) >= max(1, min(self.height, other.height))


class Draft:
    """A template on its way to the next. Raises ``BadInput`` when it cannot be read safely."""

    def __init__(self, template: bytes) -> None:
        self.root = parse(template)
        self._named: dict[str, etree._Element] = {}
        for name, node in named_elements(self.root):
            self._named[name] = node
        for node in self.elements():
            if identity := report_element(node).get("uuid"):
                self._named.setdefault(identity, node)

    def bytes(self) -> bytes:
        """The template as it is now, pretty-printed, in UTF-8."""
        for node in (*self.root.iter(tag("text")), *expression_nodes(self.root)):
            if node.text and len(node) == 0:
                node.text = etree.CDATA(node.text)
        etree.indent(self.root, space="\t")
        return bytes(etree.tostring(self.root, xml_declaration=True, encoding="UTF-8", pretty_print=True))

    def copy(self) -> Draft:
        """A draft in the same state, whose elements go by the same names."""
        twin = Draft.__new__(Draft)
        twin.root = copy.deepcopy(self.root)
        same = dict(zip(self.root.iter(), twin.root.iter(), strict=True))
        twin._named = {name: same[node] for name, node in self._named.items()}
        return twin

    # --- elements ----------------------------------------------------------------------------------------------------

    def elements(self) -> list[etree._Element]:
        """What stands in the bands, in document order, frames before what is in them."""
        return [node for node in self.root.iter() if is_element(node)]

    def element(self, name: str) -> etree._Element | None:
        """The element with this key or uuid, or with this number in its band: ``detail.3``."""
        return self._named.get(name)

    def names(self) -> set[str]:
        """Return every name, key and uuid that an element is known by."""
        return set(self._named)

    def name_of(self, node: etree._Element) -> str:
        """Return the name of an element in the outline; its key if it has one of its own."""
        return next(name for name, one in self._named.items() if one is node)

    def require_element(self, name: str) -> etree._Element:
        """The element of this name. Raises ``Refused`` where there is none."""
        node = self.element(name)
        if node is None:
            raise no_element(name)
        return node

    def add_element(self, container: etree._Element, node: etree._Element, key: str) -> None:
        """Put a new element in front of all others of a band or frame; its key is made unique."""
        report = report_element(node)
        report.set("key", self.free_key(key))
        report.set("uuid", str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.root.get('uuid', '')}/{report.get('key')}")))
        container.append(node)
        self.register(node)

    def register(self, node: etree._Element) -> None:
        """Let a new element, and what is in it, be found by its key."""
        for one in (node, *elements_in(node)):
            if key := report_element(one).get("key"):
                self._named[key] = one

    def remove(self, node: etree._Element) -> None:
        gone = {id(one) for one in (node, *elements_in(node))}
        for name in [name for name, one in self._named.items() if id(one) in gone]:
            del self._named[name]
        node.getparent().remove(node)

    def free_key(self, key: str) -> str:
        """A key that no element has yet."""
        stem = re.sub(r"[^\w.-]+", "_", key).strip("_")[:60] or "element"
        return next(name for name in _counted(stem) if name not in self._named)

    def style_of(self, node: etree._Element) -> ResolvedStyle:
        return resolve_style(self.root, node)

    # --- bands -------------------------------------------------------------------------------------------------------

    def bands(self) -> list[tuple[str, etree._Element]]:
        """(name of the section, band) in document order."""
        return [(local_name(node.getparent()), node) for node in self.root.iter(tag("band"))]

    def band(self, name: str) -> etree._Element | None:
        """The band of this name, as the outline gives it: ``detail``, ``detail[2]``, ``groupHeader(region)``."""
        found = dict(reversed(named_bands(self.root)))
        if name in found:
            return found[name]
        plain = {local_name(band.getparent()): band for band in reversed(found.values())}
        if said := _GROUP_SECTION.fullmatch(name):
            group = self.group(said[2])
            section = child(group, said[1]) if group is not None else None
            return child(section, "band") if section is not None else None
        return plain.get(name.partition("[")[0]) if name.endswith("[1]") or name in plain else None

    def ensure_band(self, name: str) -> etree._Element:
        """The first band of a section, made where it is missing. Raises ``Refused`` for what is no section's name."""
        found = self.band(name)
        if found is not None:
            return found
        if name not in SECTIONS:
            raise no_band(name)
        section = child(self.root, name)
        if section is None:
            section = new_node(name)
            insert_child(self.root, section)
        return self._new_band(section)

    def group_band(self, group: etree._Element, name: str) -> etree._Element:
        """A group's header or footer, made where it is missing."""
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
        return next(node.iterancestors(tag("band")))

    def band_width(self, band: etree._Element) -> int:
        """How wide a band is, in points."""
        if local_name(band.getparent()) in COLUMN_SECTIONS:
            return int_attribute(self.root, "columnWidth", 555)
        return self.content_width

    @property
    def content_width(self) -> int:
        """Points between the left and the right margin."""
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
        """Points between the upper and the lower margin."""
        return (
            self.page_height - int_attribute(self.root, "topMargin", 30) - int_attribute(self.root, "bottomMargin", 30)
        )

    # --- places ------------------------------------------------------------------------------------------------------

    def box_of(self, node: etree._Element) -> ElementBox:
        """Where an element is in its band."""
        x, y = self._origin(node)
        report = report_element(node)
        left, top = x + int_attribute(report, "x"), y + int_attribute(report, "y")
        return ElementBox(left, top, left + int_attribute(report, "width"), top + int_attribute(report, "height"))

    def set_box(self, node: etree._Element, place: ElementBox) -> bool:
        """Put an element at a place of its band; whether that changed it."""
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
        """How far below the margin a band begins on the first page; None below the rows, where nobody knows."""
        top = 0
        for name in ("title", "pageHeader", "columnHeader", "detail"):
            section = child(self.root, name)
            for one in section if section is not None else ():
                if one is band:
                    return top
                top += int_attribute(one, "height")
        return None

    def growth_limit(self, band: etree._Element) -> int:
        """Points by which a band may grow before the engine says that the page cannot hold it."""
        heights: dict[str, int] = {}
        for name, one in self.bands():
            high = int_attribute(one, "height")
            heights[name] = max(heights.get(name, 0), high) if name == "detail" else heights.get(name, 0) + high
        always = sum(heights.get(name, 0) for name in ("pageHeader", "columnHeader", "columnFooter", "pageFooter"))
        section = local_name(band.getparent())
        room = self.content_height
        if section in ("pageHeader", "columnHeader", "columnFooter", "pageFooter"):
            return room - always - max(heights.get("title", 0), heights.get("detail", 0))
        if section in ("title", "detail"):
            return room - always - (int_attribute(band, "height") if section == "detail" else heights.get("title", 0))
        if section in ("groupHeader", "groupFooter"):
            return room - always - int_attribute(band, "height")
        return room - int_attribute(band, "height")

    def grow_band(self, band: etree._Element, at: int, more: int) -> None:
        """Let a band grow by `more` points at the height `at`: what is below moves down, what reaches across grows.

        What lies in the background beneath moves along. Raises ``Refused`` where the page has no room.
        """
        if more <= 0:
            return
        if (floor := self._air(band, at, more)) is not None:
            self._open(band, at, more, int_attribute(band, "height"), floor)
            return
        if more > self.growth_limit(band):
            raise no_space()
        top = self.band_top(band)
        background = child(self.root, "background")
        back = child(background, "band") if background is not None else None
        if back is not None and back is not band and top is not None:
            self._open(back, top + at, more, int_attribute(back, "height"))
        band.set("height", str(int_attribute(band, "height") + more))
        self._open(band, at, more, int_attribute(band, "height"))

    def remove_row(self, band: etree._Element, top: int, bottom: int) -> None:
        """Take the height between two places out of a band, with its rules, where nothing else stands there.

        What is below moves up; a band with nothing left in it goes.
        """
        standing = {node: self.box_of(node) for node in band if is_element(node)}
        thin = [
            node
            for node, at in standing.items()
            if local_name(node) == "line" and at.top >= top - 1 and at.bottom <= bottom + 1 and len(standing) > 0
        ]
        if any(at.top < bottom and at.bottom > top and node not in thin for node, at in standing.items()):
            return
        for node in thin:
            self.remove(node)
        for node, at in standing.items():
            if node not in thin and at.top >= bottom:
                self.set_box(node, at._replace(top=at.top - bottom + top, bottom=at.bottom - bottom + top))
        band.set("height", str(max(0, int_attribute(band, "height") - bottom + top)))
        section = band.getparent()
        if len(standing) == len(thin) and child(band, "printWhenExpression") is None:
            section.remove(band)
            if len(section) == 0:
                section.getparent().remove(section)

    def _air(self, band: etree._Element, at: int, more: int) -> int | None:
        """Where, below a height of a band, so much is free that the band need not grow; None where nothing is."""
        floor = at
        for place in sorted((self.box_of(node) for node in elements_in(band)), key=lambda place: place.top):
            if place.bottom <= at:
                continue
            if place.top - floor >= FREE_GAP_FACTOR * more + 12:
                return place.top
            floor = max(floor, place.bottom)
        return None

    def _open(self, band: etree._Element, at: int, more: int, most: int, floor: int | None = None) -> None:
        """Move or stretch what lies at and below a height of a band, down to `floor`, as far as the band's end."""
        for node in band:
            if not is_element(node):
                continue
            place = self.box_of(node)
            if floor is not None and place.top >= floor:
                continue
            if place.top >= at:
                by = min(more, max(0, most - place.bottom))
                self.set_box(node, place._replace(top=place.top + by, bottom=place.bottom + by))
            elif (
                place.bottom > at and place.height < FULL_PAGE_SHARE * self.page_height and place.bottom + more <= most
            ):
                self.set_box(node, place._replace(bottom=place.bottom + more))

    # --- declarations ------------------------------------------------------------------------------------------------

    def declared(self, scope: str, name: str) -> etree._Element | None:
        """The report's own field, parameter, variable or style of this name."""
        return next((node for node in self.root.findall(tag(scope)) if node.get("name") == name), None)

    def group(self, name: str) -> etree._Element | None:
        """The group of this name, or that goes by the field of this name."""
        found = self.declared("group", name)
        if found is not None:
            return found
        wanted = f"$F{{{name}}}"
        groups = self.root.findall(tag("group"))
        return next((one for one in groups if (one.findtext(tag("groupExpression")) or "").strip() == wanted), None)

    def free_name(self, scope: str, stem: str) -> str:
        """A name that nothing of this kind has yet."""
        return next(name for name in _counted(stem) if self.declared(scope, name) is None)

    def is_used(self, letter: str, name: str) -> bool:
        """Whether an expression or the rows' order uses a field (``F``), parameter (``P``) or variable (``V``)."""
        kind = {"F": "Field", "V": "Variable"}.get(letter)
        if any(
            one.get("name") == name and one.get("type", "Field") == kind for one in self.root.iter(tag("sortField"))
        ):
            return True
        return any((letter, name) in references(node.text or "") for node in expression_nodes(self.root))

    def is_chinese(self) -> bool:
        """Whether the fixed words of the report are Chinese."""
        words = "".join(node.text or "" for node in self.root.iter(tag("text")))
        return sum("\u4e00" <= char <= "\u9fff" for char in words) > len(words) / 4


def _counted(stem: str) -> Iterator[str]:
    yield stem
    n = 2
    while True:
        yield f"{stem}_{n}"
        n += 1
