"""What of a template can be seen on paper, as far as the template itself tells: its elements, contents and bands.

An element that is still there but can never be seen counts as gone: blank, without size or outside its band, in the
colour of its ground, or never printed. What depends on the data counts as seen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

from ..colours import channels
from ..jrxml.bands import elements_in, named_bands, named_elements
from ..jrxml.dom import (
    TEXT_ELEMENTS,
    child_text,
    content_of,
    declared_nodes,
    int_attribute,
    local_name,
    report_element,
    tag,
)
from ..jrxml.draft import Draft
from ..jrxml.expressions import without_names
from ..jrxml.text_styles import style_chain

MIN_CONTRAST = 24
"""Difference of two colour values, from 0 to 255, from which on a text can be told from its ground."""
MIN_FONT_SIZE_PT = 2.0
MIN_TEXT_SIDE_PT = 3
"""A text element that is narrower or lower shows nothing that can be read."""
_DRAWN = frozenset({"rectangle", "ellipse", "line"})
_WHITE = "#FFFFFF"
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_NEVER = re.compile(
    r"[\s(]*(?:false\b|Boolean\.FALSE|new\s+(?:java\.lang\.)?Boolean\(\s*\"?false\"?\s*\)|"
    r"Boolean\.(?:valueOf|parseBoolean)\(\s*\"?false\"?\s*\)|!\s*(?:\(\s*)?true\b|(\d+)\s*==\s*(?!\1\b)\d+)",
)
"""A condition that never holds."""
_BLANK = re.compile(
    r"\s*+(?:null\s*|(?:new\s+String\(\s*)?\"[\s\u200b-\u200f\u2060\ufeff]*\"\s*(?:\)\s*)?(?:\+\s*\"\s*\"\s*)*)?"
)
"""An expression that prints nothing."""
_UNSEEN_CHARACTERS = re.compile(r"[\s\u200b-\u200f\u2060\ufeff]+")

Identity = tuple[str, str]


@dataclass(frozen=True)
class VisibleContent:
    """The visible elements of a template."""

    names: Mapping[Identity, str] = field(default_factory=dict)
    """The name of each, by what identifies it in another version of the template."""
    contents: Mapping[Identity, str] = field(default_factory=dict)
    """The text or expression of each that prints one."""
    homes: Mapping[Identity, str] = field(default_factory=dict)
    """The band of each, areas and lines apart: with the shade behind a page, nothing is lost that one reads."""

    @property
    def bands(self) -> frozenset[str]:
        """The bands that have any, areas and lines apart."""
        return frozenset(self.homes.values())


def visible_content(template: bytes) -> VisibleContent:
    """Return what can be seen of a template. Raises ``BadInput`` if it cannot be read."""
    draft = Draft(template)
    names = {node: name for name, node in named_elements(draft.root)}
    found: dict[Identity, str] = {}
    contents: dict[Identity, str] = {}
    homes: dict[Identity, str] = {}
    for band_name, band in named_bands(draft.root):
        if int_attribute(band, "height") <= 0 or _never(child_text(band, "printWhenExpression")):
            continue
        for node in elements_in(band):
            if not is_visible(draft, band, node):
                continue
            identity = _identity(node, found)
            found[identity] = names[node]
            if local_name(node) not in _DRAWN:
                homes[identity] = band_name
            if content := content_of(node).strip():
                contents[identity] = without_names(content)
    return VisibleContent(found, contents, homes)


def is_visible(draft: Draft, band: etree._Element, node: etree._Element) -> bool:
    """Return whether an element of a band may be seen with some data."""
    frames = list(node.iterancestors(tag("frame")))
    if any(_never(child_text(report_element(one), "printWhenExpression")) for one in (node, *frames)):
        return False
    box = draft.box_of(node)
    least = MIN_TEXT_SIDE_PT if local_name(node) in TEXT_ELEMENTS else 0 if local_name(node) == "line" else 1
    if min(box.width, box.height) < least:
        return False
    if (
        box.left >= draft.band_width(band)
        or box.right < 0
        or box.top >= int_attribute(band, "height")
        or box.bottom < 0
    ):
        return False
    if local_name(node) not in TEXT_ELEMENTS:
        return True
    return not _is_blank(node) and _has_size(draft, node) and _stands_out(draft, band, node)


def _identity(node: etree._Element, taken: Mapping[Identity, str]) -> Identity:
    """Return what identifies an element in two versions: its key, its uuid, else its content, with a number."""
    report = report_element(node)
    for name in ("key", "uuid"):
        value = report.get(name)
        if value and (name, value) not in taken:
            return name, value
    stem = f"{local_name(node)} {without_names(content_of(node))}"
    return next((stem, str(number)) for number in range(len(taken) + 1) if (stem, str(number)) not in taken)


def _never(condition: str) -> bool:
    return _NEVER.match(condition) is not None


def _is_blank(node: etree._Element) -> bool:
    content = content_of(node)
    if local_name(node) == "staticText":
        return not _UNSEEN_CHARACTERS.sub("", content)
    return _BLANK.fullmatch(content) is not None


def _has_size(draft: Draft, node: etree._Element) -> bool:
    return draft.style_of(node).style.size >= MIN_FONT_SIZE_PT


def _stands_out(draft: Draft, band: etree._Element, node: etree._Element) -> bool:
    """Return whether a text has another colour than its ground."""
    colour = _colour(draft, node, "forecolor") or "#000000"
    ground = _ground(draft, band, node)
    return max(abs(one - other) for one, other in zip(channels(colour), channels(ground), strict=True)) >= MIN_CONTRAST


def _ground(draft: Draft, band: etree._Element, node: etree._Element) -> str:
    """Return the colour behind an element: its own, that of what lies under it, else that of paper."""
    if own := _fill(draft, node):
        return own
    box, ground = draft.box_of(node), _WHITE
    for other in elements_in(band):
        if other is node:
            break
        under = draft.box_of(other)
        covers = under.left <= box.center_x <= under.right and under.overlap_y(box) * 2 >= box.height
        if covers and (fill := _fill(draft, other)):
            ground = fill
    return ground


def _fill(draft: Draft, node: etree._Element) -> str | None:
    """Return the colour that an element is filled with, or None if what is behind it shows through."""
    opaque = report_element(node).get("mode") or _inherited(draft, node, "mode")
    if opaque == "Transparent" or (opaque != "Opaque" and local_name(node) not in ("rectangle", "ellipse")):
        return None
    return _colour(draft, node, "backcolor") or _WHITE


def _colour(draft: Draft, node: etree._Element, name: str) -> str | None:
    value = report_element(node).get(name) or _inherited(draft, node, name) or ""
    return value if _COLOUR.fullmatch(value) else None


def _inherited(draft: Draft, node: etree._Element, name: str) -> str | None:
    chain = style_chain(declared_nodes(draft.root, "style"), report_element(node).get("style"))
    return next((value for style in chain if (value := style.get(name))), None)
