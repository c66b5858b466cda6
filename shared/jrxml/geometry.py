"""Give texts and elements the space that they need, and keep them where the eye expects them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from lxml import etree

from .clone_style import set_alignment
from .dom import TEXT_ELEMENTS, child, content_of, int_attribute, is_element, local_name, report_element, set_value
from .draft import Draft
from .element_box import ElementBox
from .expressions import counted_words
from .refusals import EditRefused, value_refused
from .tables import printed_sides

Anchor = Literal["", "side", "middle"]
_POSITION = ("x", "y", "width", "height")
_CENTRE_TOLERANCE = 0.03
"""A text is centred if its middle is at most this share of the band's width away from the band's."""
_MIDDLE_TOLERANCE_PT = 2
"""A left-aligned text stands in the middle of its band if its own middle is at most this far from it."""
_MAX_MIDDLE_SHARE = 0.9
"""A text that takes a larger share of its band's width stands in the middle by its width alone."""
_MIN_KEPT_SHARE = 0.6
"""Share of its width that a value keeps where a text beside it needs room."""
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
    """Give a text the space that it needs now: to its sides if it stands free, else downwards.

    Raises ``EditRefused`` if there is none; then nothing has changed.
    """
    if local_name(node) not in TEXT_ELEMENTS:
        return
    style, box = draft.style_of(node), draft.box_of(node)
    words = _known_words(node) or "8"
    width = style.width_of(words)
    widened = _widened(draft, node, box, width) if width > box.width and not style.is_cell else box
    missing = style.height_of(words, widened.width) - box.height
    if missing > 0:
        make_taller(draft, node, missing)
    draft.set_box(node, draft.box_of(node)._replace(left=widened.left, right=widened.right))


def fit_or_restore(
    draft: Draft, node: etree._Element, target: etree._Element, attribute: str | None, old: str | None, anchor: Anchor
) -> None:
    """Give a text the space that it needs after a change; if there is none, undo the change and raise ``EditRefused``.

    `target` and `attribute` (None is the text) say where the change was made, and `old` what was there. A text
    with an `anchor` keeps it.
    """
    box = draft.box_of(node)
    if anchor == "side":
        keep_at_side(draft, node)
    elif anchor == "middle":
        _keep_in_middle(draft, node)
    try:
        fit_text(draft, node)
    except EditRefused:
        if anchor:
            set_alignment(node, "Left")
            draft.set_box(node, box)
        if attribute is None:
            target.text = old
        elif old is None:
            del target.attrib[attribute]
        else:
            target.set(attribute, old)
        raise


def anchor_of(draft: Draft, node: etree._Element) -> Anchor:
    """Return where a left-aligned text of one line stands although its alignment does not say so.

    That is the report's right side, where it ends, or the middle of the band.
    """
    words = _known_words(node)
    if not words or "\n" in words:
        return ""
    style, box, band = draft.style_of(node), draft.box_of(node), draft.band_of(node)
    if style.is_cell or style.align != "Left" or local_name(node.getparent()) == "frame":
        return ""
    width, end = draft.band_width(band), min(box.right, box.left + style.width_of(words))
    if abs(box.left + end - width) <= 2 * _MIDDLE_TOLERANCE_PT and end - box.left < _MAX_MIDDLE_SHARE * width:
        return "middle"
    side = printed_sides(draft, band)[1]
    return "side" if box.left > width / 2 and abs(end - side) <= _SIDE_TOLERANCE_PT / 2 else ""


def _known_words(node: etree._Element) -> str:
    """Return what a text prints, or as wide a text; empty if that depends on the data."""
    return content_of(node) if local_name(node) == "staticText" else counted_words(content_of(node)) or ""


def _keep_in_middle(draft: Draft, node: etree._Element) -> None:
    """Centre a text in its box, and the box in its band."""
    box = draft.box_of(node)
    left = (draft.band_width(draft.band_of(node)) - box.width) // 2
    set_alignment(node, "Center")
    draft.set_box(node, box._replace(left=left, right=left + box.width))


def keep_at_side(draft: Draft, node: etree._Element) -> None:
    """Make a text end at the report's right side, whatever size it gets."""
    box, right = draft.box_of(node), printed_sides(draft, draft.band_of(node))[1]
    set_alignment(node, "Right")
    if right > box.left:
        draft.set_box(node, box._replace(right=right))


def make_taller(draft: Draft, node: etree._Element, more: int) -> None:
    """Make an element higher, and with a cell the cells beside it; what is below moves down, frames around it grow.

    Raises ``EditRefused`` if the page has no space.
    """
    container, box = node.getparent(), draft.box_of(node)
    is_cell = draft.style_of(node).is_cell
    in_frame = local_name(container) == "frame"
    boxes = {one: draft.box_of(one) for one in container if is_element(one)}
    row = [one for one, other in boxes.items() if one is node or ((is_cell or in_frame) and _same_height(other, box))]
    lower = [one for one, other in boxes.items() if other.top >= box.bottom - 1 and one not in row]
    bottom = draft.box_of(container).bottom if in_frame else int_attribute(container, "height")
    # What is lower keeps its position if the gap is large enough.
    gap = 0 if is_cell else min((boxes[one].top for one in lower), default=bottom) - box.bottom
    needed = more - max(0, gap)
    if needed > 0 and in_frame:
        make_taller(draft, container, needed)
        for one in lower:
            draft.set_box(one, draft.box_of(one).moved(y=needed))
    elif needed > 0:
        draft.grow_band(container, box.bottom, needed)
    for one in row:
        current = draft.box_of(one)
        if current.bottom < box.bottom + more:
            draft.set_box(one, current._replace(bottom=current.bottom + more))


def _same_height(a: ElementBox, b: ElementBox) -> bool:
    return abs(a.top - b.top) <= 1 >= abs(a.bottom - b.bottom)


def _widened(draft: Draft, node: etree._Element, box: ElementBox, width: int) -> ElementBox:
    """Return the box of a free text made wider: to the side that its alignment leaves free, to both if centred.

    It grows no further than to the texts beside it.
    """
    band = draft.band_of(node)
    band_width = draft.band_width(band)
    align = draft.style_of(node).align
    width = min(width, band_width)
    is_at_right = align == "Right"
    if align == "Center" or abs(box.center_x - band_width / 2) <= _CENTRE_TOLERANCE * band_width:
        left = round(box.center_x - width / 2)
    elif is_at_right or (
        box.left > band_width / 2 and abs(box.right - printed_sides(draft, band)[1]) <= _SIDE_TOLERANCE_PT
    ):
        left = box.right - width
    else:
        left = box.left
    left = max(0, min(left, band_width - width))
    beside = {
        one: other
        for one in draft.texts(band)
        if one is not node
        and (other := draft.box_of(one)).on_same_line(box)
        and child(report_element(one), "printWhenExpression") is None
    }
    ends = {other.right: one for one, other in beside.items() if other.right <= box.left}
    if ends:
        left = max(left, _given_up(draft, ends[max(ends)], left))
    max_right = min((other.left for other in beside.values() if other.left >= box.right), default=band_width)
    return box._replace(left=left, right=box.right if is_at_right else max(box.right, min(left + width, max_right)))


def _given_up(draft: Draft, node: etree._Element, wanted: int) -> int:
    """Return where a text beside another one ends at the latest, and let it end there.

    A value to the left has more width than it needs wherever that was free, and gives up some of it.
    """
    box, style = draft.box_of(node), draft.style_of(node)
    if local_name(node) != "textField" or style.is_cell or style.align != "Left" or wanted >= box.right:
        return box.right
    end = max(wanted, box.left + round(_MIN_KEPT_SHARE * box.width))
    draft.set_box(node, box._replace(right=end))
    return end
