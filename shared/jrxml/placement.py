"""Find free space for a new element in a band; the band grows if it has to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from lxml import etree

from .bands import elements_in, section_of
from .dom import child, content_of, int_attribute, local_name
from .draft import Draft
from .element_box import ElementBox
from .refusals import EditRefused
from .tables import printed_sides

Align = Literal["Left", "Center", "Right"]
DOWNWARD_SECTIONS = frozenset({"summary", "columnFooter", "groupFooter", "noData"})
"""Sections that are read to their end: a new element goes below the existing ones."""
_GAP_PT = 4
"""Between the existing elements and one that is added below them."""
_MIN_BOTTOM_MARGIN_PT = 8
"""What stays of the page's margin when the page footer grows into it."""


def free_box(
    draft: Draft,
    band: etree._Element,
    width: int,
    height: int,
    align: Align = "Left",
    x: int | None = None,
    y: int | None = None,
) -> ElementBox:
    """Return where a new element goes; the band grows if it has to. Raises ``EditRefused`` if there is no space.

    Without `x` it goes to the side `align` of what is printed, without `y` beside or below the existing elements.
    """
    left, right = printed_sides(draft, band)
    if x is None:
        x = {"Left": left, "Right": right - width, "Center": (draft.band_width(band) - width) // 2}[align]
    x = max(0, min(x, draft.band_width(band) - width))
    is_placed = y is not None
    if y is None:
        occupied = _occupied(draft, band)
        boxes = (ElementBox(x, top, x + width, top + height) for top in _tops(draft, band, height))
        y = next((box.top for box in boxes if _is_free(occupied, box)), None)
    if y is None:
        y = _top_in_grown(draft, band, x, width, height)
    wanted = ElementBox(x, y, x + width, y + height)
    try:
        grow_down_to(draft, band, wanted.bottom)
    except EditRefused:
        box = next(_free_boxes(draft, band, width, height), None)
        if is_placed or box is None:
            raise
        return box
    return wanted


def put_behind(band: etree._Element, node: etree._Element) -> None:
    """Let an element of a band be printed before the others, so that they are seen on it."""
    first = next(one for one in band if child(one, "reportElement") is not None)
    if first is not node:
        first.addprevious(node)


def lines_in_front(draft: Draft, node: etree._Element) -> None:
    """Let the lines that touch an element be printed after it, so that its background does not cover them."""
    band, box = node.getparent(), draft.box_of(node)
    earlier = [one for one in node.itersiblings(preceding=True) if local_name(one) == "line"]
    for line in reversed(earlier):
        other = draft.box_of(line)
        if box.overlap_x(other) >= 0 and box.overlap_y(other) >= 0:
            band.append(line)


def box_beside(draft: Draft, band: etree._Element, width: int, height: int, align: Align) -> ElementBox | None:
    """Return where a drawing fits into a band as it is, beside the texts; None if there is no space.

    The boxes of texts that would overlap it, but do not print there, are made narrower.
    """
    left, right = printed_sides(draft, band)
    x = {"Left": left, "Right": right - width, "Center": (draft.band_width(band) - width) // 2}[align]
    x = max(0, min(x, draft.band_width(band) - width))
    boxes = {node: draft.box_of(node) for node in elements_in(band)}
    texts = {node: _printed_box(draft, node) for node in draft.texts(band)}
    solid = [texts.get(node, box) for node, box in boxes.items() if node in texts or local_name(node) != "rectangle"]
    for top in dict.fromkeys((0, *(box.top for box in boxes.values()), *(box.bottom + 1 for box in boxes.values()))):
        wanted = ElementBox(x, top, x + width, top + height)
        fits = wanted.bottom <= int_attribute(band, "height")
        if fits and not any(wanted.overlap_x(box) > 0 < wanted.overlap_y(box) for box in solid):
            for node in texts:
                if wanted.overlap_x(boxes[node]) > 0 < wanted.overlap_y(boxes[node]):
                    draft.set_box(node, _narrowed(draft, node, boxes[node], wanted))
            return wanted
    return None


def _printed_box(draft: Draft, node: etree._Element) -> ElementBox:
    """Return the part of a fixed text's box that it prints in; the whole box of any other text."""
    box, style = draft.box_of(node), draft.style_of(node)
    if local_name(node) != "staticText" or style.is_cell or local_name(node.getparent()) == "frame":
        return box
    width = min(box.width, style.width_of(content_of(node)))
    if style.align == "Center":
        left = round(box.center_x - width / 2)
        return box._replace(left=left, right=left + width)
    return box._replace(left=box.right - width) if style.align == "Right" else box._replace(right=box.left + width)


def _narrowed(draft: Draft, node: etree._Element, box: ElementBox, other: ElementBox) -> ElementBox:
    """Return a text's box without the part that overlaps another box; a centred text stays in its place."""
    on_left = other.center_x < box.center_x
    cut = other.right - box.left if on_left else box.right - other.left
    if draft.style_of(node).align == "Center":
        return box._replace(left=box.left + cut, right=box.right - cut)
    return box._replace(left=box.left + cut) if on_left else box._replace(right=box.right - cut)


def grow_down_to(draft: Draft, band: etree._Element, bottom: int) -> None:
    """Make a band reach down to `bottom`. The page footer takes the height from the margin, so that no row moves.

    Raises ``EditRefused`` if the page has no space.
    """
    more = bottom - int_attribute(band, "height")
    if more > 0 and local_name(band.getparent()) == "pageFooter":
        margin = int_attribute(draft.root, "bottomMargin", 30)
        draft.root.set("bottomMargin", str(max(min(margin, _MIN_BOTTOM_MARGIN_PT), margin - more)))
    draft.grow_band(band, int_attribute(band, "height"), more)


def _top_in_grown(draft: Draft, band: etree._Element, x: int, width: int, height: int) -> int:
    """Return the top of an element for which the band has to grow: beside the others where that is free, else below."""
    boxes = [draft.box_of(node) for node in elements_in(band)]
    lowest = max((box.bottom for box in boxes), default=0)
    if not lowest or section_of(band) in DOWNWARD_SECTIONS:
        return lowest + _GAP_PT if lowest else 0
    occupied = _occupied(draft, band)
    beside = (box.top for box in sorted(boxes, key=lambda box: box.top))
    free = (top for top in beside if _is_free(occupied, ElementBox(x, top, x + width, top + height)))
    return next(free, max(lowest, int_attribute(band, "height")))


def _tops(draft: Draft, band: etree._Element, height: int) -> list[int]:
    """Return the tops at which an element fits into a band without growing it, the best first."""
    boxes = sorted((draft.box_of(node) for node in draft.texts(band)), key=lambda box: box.top)
    lines = [
        box.top if abs(box.height - height) <= _GAP_PT else max(0, round((box.top + box.bottom - height) / 2))
        for box in boxes
    ]
    lines += [0] + [draft.box_of(node).bottom + 1 for node in elements_in(band)]
    if section_of(band) in DOWNWARD_SECTIONS:
        lowest = max((box.bottom for box in boxes), default=0)
        lines = [top for top in (lowest + _GAP_PT if lowest else 0, *sorted(lines)) if top >= lowest]
    return [top for top in dict.fromkeys(lines) if top + height <= int_attribute(band, "height")]


_Occupied = Sequence[tuple[ElementBox, bool]]
"""The boxes of a band's elements, and whether each is an area that a text may be printed on."""


def _occupied(draft: Draft, band: etree._Element) -> _Occupied:
    return [(draft.box_of(node), local_name(node) in ("rectangle", "frame", "image")) for node in elements_in(band)]


def _is_free(occupied: _Occupied, box: ElementBox) -> bool:
    """Return whether a box is free, except for areas that are entirely behind it."""
    for other, is_area in occupied:
        behind = is_area and other.overlap_x(box) == box.width and other.overlap_y(box) == box.height
        if box.overlap_x(other) > 0 < box.overlap_y(other) and not behind:
            return False
    return True


def _free_boxes(draft: Draft, band: etree._Element, width: int, height: int) -> Iterator[ElementBox]:
    """Yield the free boxes of this size in a band, from the top."""
    all_occupied = _occupied(draft, band)
    for top in sorted(_tops(draft, band, height)):
        occupied = [one for one in all_occupied if one[0].top < top + height and one[0].bottom > top]
        for left in sorted({0, *(box.right + _GAP_PT for box, _ in occupied)}):
            box = ElementBox(left, top, left + width, top + height)
            if box.right <= draft.band_width(band) and _is_free(occupied, box):
                yield box
