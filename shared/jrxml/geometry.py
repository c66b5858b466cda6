"""Give texts and elements the space that they need, and keep them where the eye expects them."""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

from .clone_style import set_alignment
from .dom import child, content_of, int_attribute, is_element, local_name, report_element, set_value
from .draft import Draft, ElementBox
from .refusals import EditRefused, value_refused
from .tables import printed_sides

_POSITION = ("x", "y", "width", "height")
_CENTRE_TOLERANCE = 0.03
"""A text is centred if its middle is at most this share of the band's width away from the band's."""
_SIDE_TOLERANCE_PT = 15
"""A text stands at the report's right side if it ends at most this far from it."""


def set_position(draft: Draft, node: etree._Element, wanted: Mapping[str, int | None], exact: bool) -> bool:
    """Set the attributes of an element's position or size that are not None. Return whether that changed it.

    Unless the numbers are `exact`, the element is kept on the page.
    """
    report = report_element(node)
    values = {name: value for name, value in wanted.items() if value is not None}
    if exact:
        if negative := next((value for value in values.values() if value < 0), None):
            raise value_refused("position", negative)
    else:
        values = clamped(draft, node, {name: int_attribute(report, name) for name in _POSITION} | values)
    return any([set_value(report, name, str(value)) for name, value in values.items()])


def clamped(draft: Draft, node: etree._Element, box: dict[str, int]) -> dict[str, int]:
    """Return the position nearest to the wanted one that lies on the page; the band grows down to it.

    `box` holds ``x``, ``y``, ``width`` and ``height`` as in the element's ``reportElement``.
    """
    container = node.getparent()
    in_frame = local_name(container) == "frame"
    band = draft.band_of(node)
    owner = report_element(container) if in_frame else band
    max_width = int_attribute(owner, "width") if in_frame else draft.band_width(band)
    width = max(1, min(box["width"], max_width))
    height = max(1, box["height"])
    x = max(0, min(box["x"], max_width - width))
    y = max(0, box["y"])
    bottom = int_attribute(owner, "height")
    if y + height > bottom:
        if in_frame:
            height = min(height, bottom)
            y = bottom - height
        else:
            growth = min(y + height - bottom, max(0, draft.growth_limit(band)))
            draft.grow_band(band, bottom, growth)
            height = min(height, bottom + growth)
            y = min(y, bottom + growth - height)
    return {"x": x, "y": y, "width": width, "height": height}


def fit_text(draft: Draft, node: etree._Element) -> None:
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
        make_taller(draft, node, more)
    draft.set_box(node, draft.box_of(node)._replace(left=wider.left, right=wider.right))


def ends_at_side(draft: Draft, node: etree._Element) -> bool:
    """Whether free words of one line end at the report's right side, though they begin at their element's left."""
    if local_name(node) != "staticText" or "\n" in content_of(node):
        return False
    look, place, band = draft.style_of(node), draft.box_of(node), draft.band_of(node)
    if look.is_cell or look.align != "Left" or local_name(node.getparent()) == "frame":
        return False
    end = min(place.right, place.left + look.width_of(content_of(node)))
    return (
        place.left > draft.band_width(band) / 2 and abs(end - printed_sides(draft, band)[1]) <= _SIDE_TOLERANCE_PT / 2
    )


def keep_at_side(draft: Draft, node: etree._Element) -> None:
    """Let words end at the report's right side, whatever size they have."""
    place, right = draft.box_of(node), printed_sides(draft, draft.band_of(node))[1]
    set_alignment(node, "Right")
    if right > place.left:
        draft.set_box(node, place._replace(right=right))


def make_taller(draft: Draft, node: etree._Element, more: int) -> None:
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
        make_taller(draft, container, wanted)
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
    if align == "Center" or abs(place.center_x - width / 2) <= _CENTRE_TOLERANCE * width:
        left = round(place.center_x - wide / 2)
    elif align == "Right" or (
        place.left > width / 2 and abs(place.right - printed_sides(draft, band)[1]) <= _SIDE_TOLERANCE_PT
    ):
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


def fit_or_restore(
    draft: Draft, node: etree._Element, target: etree._Element, attribute: str | None, old: str | None, at_side: bool
) -> None:
    """Make room for what was written; where there is none it is taken back. Words `at_side` stay there."""
    place = draft.box_of(node)
    if at_side:
        keep_at_side(draft, node)
    try:
        fit_text(draft, node)
    except EditRefused:
        if at_side:
            set_alignment(node, "Left")
            draft.set_box(node, place)
        if attribute is None:
            target.text = old
        elif old is None:
            del target.attrib[attribute]
        else:
            target.set(attribute, old)
        raise
