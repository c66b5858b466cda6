"""Add a text to a band."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.clone_style import clone_as_static_text, clone_as_text_field, set_alignment
from ..jrxml.dom import child, int_attribute, local_name, new_node, report_element
from ..jrxml.draft import Draft, ElementBox
from ..jrxml.expressions import references, string_literals
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.tables import printed_sides
from ..replies import Text, text
from .base import Clause, Edit, KnownNames

_DOWNWARD_SECTIONS = frozenset({"summary", "columnFooter", "groupFooter", "noData"})
"""Sections that are read to their end: a new text goes below the existing ones."""
_GAP_PT = 4
"""Between the existing elements and one that is added below them."""
_MIN_BOTTOM_MARGIN_PT = 8
"""What stays of the page's margin when the page footer grows into it."""


class Add(Edit):
    """Add a text to a band, which is added if it is missing and grows if it is too low.

    Without a position it goes to its side (`align`) of the band, beside the existing elements; without a size it is as
    large as its text. It gets the style of the element `like`, else that of its neighbours.
    """

    do: Literal["add"] = "add"
    key: str
    band: str
    """A section's name: ``title``, ``pageHeader``, ``columnHeader``, ``detail``, ``pageFooter``, ``summary``."""
    text: str | None = None
    """The text of a static text; or"""
    expression: str | None = None
    """the expression of a text field."""
    align: Literal["Left", "Center", "Right"] = "Left"
    x: int | None = None
    y: int | None = None
    width: int | None = None
    height: int | None = None
    like: str | None = None

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if not (self.text or self.expression):
            raise EditRefused("value", Text.of("edits.add.empty"))
        like = draft.require_element(self.like) if self.like is not None else None
        band = draft.ensure_band(self.band)
        node = _text(draft, self, band, like)
        style, sample = draft.style_of(node), _sample(self)
        width = self.width or min(style.width_of(sample), draft.band_width(band))
        height = self.height or style.height_of(sample, width)
        box = _free_box(draft, band, self, width, height)
        draft.add_element(band, node, self.key)
        draft.set_box(node, box)
        return True

    def describe(self, labels: TemplateLabels) -> Clause:
        expression = self.expression or ""
        if ("V", "PAGE_NUMBER") in references(expression):
            subject = text("edits.page_number", labels.language)
        elif expression == "new java.util.Date()":
            subject = text("edits.print_date", labels.language)
        else:
            subject = labels.quote(self.text or expression)
        return Clause("edits.add.done", subject, {"section": labels.section(self.band)})

    def is_known(self, names: KnownNames) -> bool:
        names.elements.add(self.key)
        return True


def _text(draft: Draft, edit: Add, band: etree._Element, like: etree._Element | None) -> etree._Element:
    """Return the new text with the style of `like`, else with the font of its neighbours."""
    model = like if like is not None else _neighbour(draft, band)
    if model is None:
        model = new_node("staticText")
        model.append(new_node("reportElement"))
    node = (
        clone_as_static_text(model, edit.text)
        if edit.text
        else clone_as_text_field(model, edit.expression or "", model.get("pattern") if like is not None else None)
    )
    text_element = child(node, "textElement")
    if like is None:  # take a neighbour's font, but not its borders, colours and alignment
        if (box := child(node, "box")) is not None:
            node.remove(box)
        for name in ("mode", "backcolor", "forecolor"):
            report_element(node).attrib.pop(name, None)
        if text_element is not None:
            text_element.attrib.pop("textAlignment", None)
            text_element.attrib.pop("rotation", None)
    if edit.align != "Left" and like is None:
        set_alignment(node, edit.align)
    return node


def _neighbour(draft: Draft, band: etree._Element) -> etree._Element | None:
    """Return a text in the most frequent size of the band; of the whole report if the band has no texts."""
    texts = draft.texts(band) or [node for _, one in draft.bands() for node in draft.texts(one)]
    if not texts:
        return None
    sizes = Counter(draft.style_of(node).style.size for node in texts[:200])
    usual = min(size for size, count in sizes.items() if count == max(sizes.values()))
    return next(node for node in texts if draft.style_of(node).style.size == usual)


def _sample(edit: Add) -> str:
    """Return what the element will print, as far as that is known."""
    if edit.text:
        return edit.text
    literal = "".join(string_literals(edit.expression or ""))
    values = "".join(
        "888" if name.endswith(("NUMBER", "COUNT")) else "8888888888" for _, name in references(edit.expression or "")
    )
    return literal + values or "8888888888"


def _free_box(draft: Draft, band: etree._Element, edit: Add, width: int, height: int) -> ElementBox:
    """Return where the text goes; the band grows if it has to. Raises ``EditRefused`` if there is no space."""
    left, right = printed_sides(draft, band)
    x = edit.x
    if x is None:
        x = {"Left": left, "Right": right - width, "Center": (draft.band_width(band) - width) // 2}[edit.align]
    x = max(0, min(x, draft.band_width(band) - width))
    y = edit.y
    if y is None:
        occupied = _occupied(draft, band)
        boxes = (ElementBox(x, top, x + width, top + height) for top in _tops(draft, band, height))
        y = next((box.top for box in boxes if _is_free(occupied, box)), None)
    if y is None:
        lowest = max((draft.box_of(node).bottom for node in elements_in(band)), default=0)
        y = max(lowest, int_attribute(band, "height")) if lowest else 0
        y = lowest + _GAP_PT if lowest and local_name(band.getparent()) in _DOWNWARD_SECTIONS else y
    wanted = ElementBox(x, y, x + width, y + height)
    try:
        _grow(draft, band, wanted.bottom)
    except EditRefused:
        box = next(_free_boxes(draft, band, width, height), None)
        if edit.y is not None or box is None:
            raise
        return box
    return wanted


def _grow(draft: Draft, band: etree._Element, bottom: int) -> None:
    """Make a band reach down to `bottom`. The page footer takes the height from the margin, so that no row moves."""
    more = bottom - int_attribute(band, "height")
    if more > 0 and local_name(band.getparent()) == "pageFooter":
        margin = int_attribute(draft.root, "bottomMargin", 30)
        draft.root.set("bottomMargin", str(max(min(margin, _MIN_BOTTOM_MARGIN_PT), margin - more)))
    draft.grow_band(band, int_attribute(band, "height"), more)


def _tops(draft: Draft, band: etree._Element, height: int) -> list[int]:
    """Return the tops at which a text fits into a band without growing it, the best first."""
    boxes = sorted((draft.box_of(node) for node in draft.texts(band)), key=lambda box: box.top)
    lines = [
        box.top if abs(box.height - height) <= _GAP_PT else max(0, round((box.top + box.bottom - height) / 2))
        for box in boxes
    ]
    lines += [0] + [draft.box_of(node).bottom + 1 for node in elements_in(band)]
    if local_name(band.getparent()) in _DOWNWARD_SECTIONS:
        lowest = max((box.bottom for box in boxes), default=0)
        lines = [top for top in (lowest + _GAP_PT if lowest else 0, *sorted(lines)) if top >= lowest]
    return [top for top in dict.fromkeys(lines) if top + height <= int_attribute(band, "height")]


_Occupied = Sequence[tuple[ElementBox, bool]]
"""The boxes of a band's elements, and whether each is an area that a text may stand on."""


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
