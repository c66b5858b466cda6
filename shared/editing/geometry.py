"""Places: moving, resizing and deleting elements, and room for words that have grown."""

from __future__ import annotations

from lxml import etree

from ..jrxml.bands import elements_in
from ..jrxml.clone_style import set_alignment
from ..jrxml.dom import child, content_of, int_attribute, is_element, local_name, report_element, set_value
from ..jrxml.draft import Draft, ElementBox
from ..jrxml.refusals import no_band, not_allowed
from ..jrxml.tables import printed_sides
from ..model.edits import Delete, Move, Resize, ResizeBand

_CENTRED = 0.03
"""A text whose middle is so near to that of its band, as a share of the width, stands in the middle of it."""


_AT_SIDE = 15
"""A text that ends so few points from the report's right side stands there."""


def move(draft: Draft, edit: Move, literal: bool) -> bool:
    """Literally, or as far as the element stays on the page; its band grows where it is put lower."""
    node = draft.require_element(edit.element)
    return _put(draft, node, {"x": edit.x, "y": edit.y}, literal)


def resize(draft: Draft, edit: Resize, literal: bool) -> bool:
    node = draft.require_element(edit.element)
    return _put(draft, node, {"width": edit.width, "height": edit.height}, literal)


def _put(draft: Draft, node: etree._Element, wanted: dict[str, int | None], literal: bool) -> bool:
    report = report_element(node)
    values = {name: value for name, value in wanted.items() if value is not None}
    if literal:
        if bad := next((value for value in values.values() if value < 0), None):
            raise not_allowed("A place", str(bad))
    else:
        values = _clamped(
            draft, node, {name: int_attribute(report, name) for name in ("x", "y", "width", "height")} | values
        )
    return any([set_value(report, name, str(value)) for name, value in values.items()])


def _clamped(draft: Draft, node: etree._Element, place: dict[str, int]) -> dict[str, int]:
    """The place nearest to a wanted one that lies within the page's sides; the band grows down to it."""
    container = node.getparent()
    frame = local_name(container) == "frame"
    across = int_attribute(report_element(container), "width") if frame else draft.band_width(draft.band_of(node))
    width = max(1, min(place["width"], across))
    height = max(1, place["height"])
    x = max(0, min(place["x"], across - width))
    y = max(0, place["y"])
    down = int_attribute(report_element(container), "height") if frame else int_attribute(draft.band_of(node), "height")
    if y + height > down:
        if frame:
            height = min(height, down)
            y = down - height
        else:
            band = draft.band_of(node)
            more = min(y + height - down, max(0, draft.growth_limit(band)))
            draft.grow_band(band, down, more)
            height = min(height, down + more)
            y = min(y, down + more - height)
    return {"x": x, "y": y, "width": width, "height": height}


def delete(draft: Draft, edit: Delete) -> bool:
    draft.remove(draft.require_element(edit.element))
    return True


def resize_band(draft: Draft, edit: ResizeBand, literal: bool) -> bool:
    band = draft.band(edit.band)
    if band is None:
        raise no_band(edit.band)
    height = edit.height
    if height < 0:
        raise not_allowed("A height", str(height))
    if not literal:
        lowest = max((draft.box_of(node).bottom for node in elements_in(band)), default=0)
        height = max(lowest, min(height, int_attribute(band, "height") + max(0, draft.growth_limit(band))))
    return set_value(band, "height", str(height))


def fit(draft: Draft, node: etree._Element) -> None:
    """Give a text the room that its words need now: to its sides where it stands free, else downwards.

    Raises ``Refused`` where there is none; then nothing has changed.
    """
    if local_name(node) not in ("staticText", "textField"):
        return
    look, place = draft.style_of(node), draft.box_of(node)
    words = content_of(node) if local_name(node) == "staticText" else "8"
    wide = look.width_of(words)
    wider = _widened(draft, node, place, wide) if wide > place.width and not look.is_cell else place
    more = look.height_of(words, wider.width) - place.height
    if more > 0:
        heighten(draft, node, more)
    draft.set_box(node, draft.box_of(node)._replace(left=wider.left, right=wider.right))


def ends_at_side(draft: Draft, node: etree._Element) -> bool:
    """Whether free words of one line end at the report's right side, though they begin at their element's left."""
    if local_name(node) != "staticText" or "\n" in content_of(node):
        return False
    look, place, band = draft.style_of(node), draft.box_of(node), draft.band_of(node)
    if look.is_cell or look.align != "Left" or local_name(node.getparent()) == "frame":
        return False
    end = min(place.right, place.left + look.width_of(content_of(node)))
    return place.left > draft.band_width(band) / 2 and abs(end - printed_sides(draft, band)[1]) <= _AT_SIDE / 2


def keep_at_side(draft: Draft, node: etree._Element) -> None:
    """Let words end at the report's right side, whatever size they have."""
    place, right = draft.box_of(node), printed_sides(draft, draft.band_of(node))[1]
    set_alignment(node, "Right")
    if right > place.left:
        draft.set_box(node, place._replace(right=right))


def heighten(draft: Draft, node: etree._Element, more: int) -> None:
    """Make an element higher, and with a cell the cells beside it; what is below moves down, what is around grows."""
    container, place = node.getparent(), draft.box_of(node)
    is_cell = draft.style_of(node).is_cell
    around = {one: draft.box_of(one) for one in container if is_element(one)}
    in_frame = local_name(container) == "frame"
    row = [one for one, at in around.items() if one is node or ((is_cell or in_frame) and _side_by_side(at, place))]
    lower = [one for one, at in around.items() if at.top >= place.bottom - 1 and one not in row]
    floor = draft.box_of(container).bottom if in_frame else int_attribute(container, "height")
    # What stands lower keeps its place where there is air enough.
    air = 0 if is_cell else min((around[one].top for one in lower), default=floor) - place.bottom
    wanted = more - max(0, air)
    if wanted > 0 and in_frame:
        heighten(draft, container, wanted)
        for one in lower:
            old = draft.box_of(one)
            draft.set_box(one, old._replace(top=old.top + wanted, bottom=old.bottom + wanted))
    elif wanted > 0:
        draft.grow_band(container, place.bottom, wanted)
    for one in row:
        old = draft.box_of(one)
        if old.bottom < place.bottom + more:
            draft.set_box(one, old._replace(bottom=old.bottom + more))


def _side_by_side(a: ElementBox, b: ElementBox) -> bool:
    return abs(a.top - b.top) <= 1 >= abs(a.bottom - b.bottom)


def _widened(draft: Draft, node: etree._Element, place: ElementBox, wide: int) -> ElementBox:
    """A free text made wider: to the side that its alignment leaves free, to both in the middle of the page."""
    band = draft.band_of(node)
    width = draft.band_width(band)
    align = draft.style_of(node).align
    wide = min(wide, width)
    if align == "Center" or abs(place.center_x - width / 2) <= _CENTRED * width:
        left = round(place.center_x - wide / 2)
    elif align == "Right" or (place.left > width / 2 and abs(place.right - printed_sides(draft, band)[1]) <= _AT_SIDE):
        left = place.right - wide
    else:
        left = place.left
    left = max(0, min(left, width - wide))
    others = [
        other
        for one in draft.texts(band)
        if one is not node
        and (other := draft.box_of(one)).on_same_line(place)
        and child(report_element(one), "printWhenExpression") is None
    ]
    low = max((one.right for one in others if one.right <= place.left), default=0)
    high = min((one.left for one in others if one.left >= place.right), default=width)
    left = max(left, low)
    return place._replace(left=left, right=max(place.right, min(left + wide, high)))
