"""Give the page another size, and everything that is printed on it its place there.

Theory of operation
===================

*Across.* The table follows the width of the page if it spans it, through ``column_layout``. Everything else is first
*anchored*: what spans the page stretches, what is centred stays centred, and what stands at a side stays there, in
clusters, so that a label and its value move together. If anchoring would push something off the page, or texts into
each other, the whole band is scaled in proportion instead, and its texts get a smaller font.

*Down.* Bands keep their heights as long as the page can hold them. On a lower page, bands give up the gaps between
their elements, the widest first. If even that is not enough, the edit is refused before anything is changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from ..replies import Text
from .bands import elements_in
from .column_layout import stretch_table
from .dom import (
    TEXT_ELEMENTS,
    child,
    ensure_child,
    int_attribute,
    is_element,
    local_name,
    report_element,
    set_value,
    span_of,
)
from .draft import FULL_PAGE_SHARE, REPEATED_SECTIONS, Draft
from .element_box import ElementBox
from .further_pages import FURTHER_PAGE
from .refusals import EditRefused, value_refused
from .tables import MAX_RULE_WIDTH_PT, DetailTable, main_table

MIN_SIDE_PT, MAX_SIDE_PT = 72, 14_400
_SPANNING_SHARE = 0.6
"""An element spans its band if it is at least this share of its width."""
_CENTRE_TOLERANCE = 0.04
"""An element is centred if its middle is at most this share of the width away from the band's."""
_MAX_WORD_GAP_PT = 12
"""Texts on one line belong together up to this distance, such as a label and its value."""
_MAX_LINE_GAP_PT = 10
"""Lines belong together up to this distance."""
_MIN_GAP_PT = 12
"""What remains of a gap between elements when a lower page takes the rest."""
_USUAL_GAP_PT = 36
"""What remains of the gaps of the summary, as long as there is enough height."""
_SHRINK_BELOW, _MIN_FONT_SCALE = 0.95, 0.65
"""Texts get a smaller font if their elements keep less than the first share of their width, down to the second."""
_MIN_FONT_PT = 6.0
_DEFAULT_MARGINS = {"leftMargin": 20, "rightMargin": 20, "topMargin": 30, "bottomMargin": 30}
"""The engine's margins where a report sets none."""


@dataclass(frozen=True)
class PageSize:
    """The size of a page in points; margins that are not in `margins` stay as they are."""

    width: int
    height: int
    margins: Mapping[str, int]
    """By the attribute of the report: ``leftMargin``."""


def resize_page(draft: Draft, size: PageSize) -> bool:
    """Give the page this size, and adapt what is printed on it. Return whether that changed anything.

    Raises ``EditRefused`` for an impossible size, and if the bands cannot be made low enough.
    """
    for side in (size.width, size.height):
        if not MIN_SIDE_PT <= side <= MAX_SIDE_PT:
            raise value_refused("page_side", side)
    root, old_width, old_height = draft.root, draft.content_width, draft.content_height
    margins = dict(size.margins)
    if bad := next((value for value in margins.values() if not 0 <= value <= MAX_SIDE_PT), None):
        raise value_refused("margin", bad)
    new = {"pageWidth": size.width, "pageHeight": size.height} | margins
    if all(int_attribute(root, name, _DEFAULT_MARGINS.get(name, 0)) == value for name, value in new.items()):
        return False
    now = {name: int_attribute(root, name, standard) for name, standard in _DEFAULT_MARGINS.items()} | margins
    down = size.height - now["topMargin"] - now["bottomMargin"] - old_height
    _check_height(draft, draft.content_height + down)
    widths = {band: draft.band_width(band) for _, band in draft.bands()}
    table = _main_table(draft)
    root.attrib.update({name: str(value) for name, value in margins.items()})
    _set_page_size(draft, size)
    for name, band in draft.bands():
        if name == "background":
            _fit_background(draft, band, draft.content_height - down)
    followed: set[etree._Element] = set()
    scale = _Scale(0, 0, draft.content_width / old_width)
    if table is not None:
        scale = _table_scale(table, widths[table.detail], draft.band_width(table.detail))
        if scale.by != 1 or scale.to != scale.start:
            followed = stretch_table(draft, table, [scale(x) for x in table.bounds])
            shrink_texts(draft, followed, scale.by)
    for _, band in draft.bands():
        _place_across(draft, band, widths[band], draft.band_width(band), followed, scale)
    if (summary := draft.band("summary")) is not None and down < 0:
        _lower_band(draft, summary, -down, _USUAL_GAP_PT)
    _close_gaps(draft)
    return True


class _Scale(NamedTuple):
    """Maps x of the old page to x of the new one: `start` becomes `to`, and distances are multiplied by `by`."""

    start: int
    to: int
    by: float

    def __call__(self, x: int) -> int:
        return self.to + round((x - self.start) * self.by)


def _set_page_size(draft: Draft, size: PageSize) -> None:
    root = draft.root
    count, spacing = max(1, int_attribute(root, "columnCount", 1)), int_attribute(root, "columnSpacing")
    margins = int_attribute(root, "leftMargin", 20) + int_attribute(root, "rightMargin", 20)
    width = (size.width - margins - (count - 1) * spacing) // count
    if width < MIN_SIDE_PT // 2:
        raise value_refused("page_width", size.width)
    root.set("pageWidth", str(size.width))
    root.set("pageHeight", str(size.height))
    root.set("orientation", "Landscape" if size.width > size.height else "Portrait")
    root.set("columnWidth", str(width))


def _main_table(draft: Draft) -> DetailTable | None:
    try:
        return main_table(draft)
    except EditRefused:
        return None


def _table_scale(table: DetailTable, old: int, new: int) -> _Scale:
    """Return the scale of the table: it keeps its distance to both sides if it spans the page, else it only shrinks."""
    first, last = table.bounds[0], table.bounds[-1]
    if last - first < _SPANNING_SHARE * old:
        return _Scale(0, 0, 1.0 if last <= new else new / old)
    until = last + new - old
    return (
        _Scale(first, first, (until - first) / (last - first))
        if until > first + MIN_SIDE_PT
        else _Scale(0, 0, new / old)
    )


def shrink_texts(draft: Draft, nodes: Iterable[etree._Element], by: float) -> None:
    """Reduce the font and padding of texts whose elements became narrower."""
    if by >= _SHRINK_BELOW:
        return
    share = max(_MIN_FONT_SCALE, by)
    for node in nodes:
        for one in (node, *elements_in(node)):
            if local_name(one) in TEXT_ELEMENTS:
                size = max(_MIN_FONT_PT, round(draft.style_of(one).style.size * share * 2) / 2)
                set_value(ensure_child(ensure_child(one, "textElement"), "font"), "size", f"{size:g}")
                box = child(one, "box")
                for name in ("leftPadding", "rightPadding", "padding") if box is not None else ():
                    if box is not None and (value := box.get(name)) and value.isdecimal():
                        box.set(name, str(int(int(value) * by)))


# --- across ----------------------------------------------------------------------------------------------------------


def _place_across(
    draft: Draft, band: etree._Element, old: int, new: int, followed: set[etree._Element], scale: _Scale
) -> None:
    """Place what did not follow the table: anchored, or in proportion if anything would collide."""
    if old == new:
        return
    before = {node: draft.box_of(node) for node in band if is_element(node)}
    nodes = [node for node in before if node not in followed]
    kept = {node: before[node] for node in before if node in followed}
    boxes = {node: before[node] for node in nodes}
    moved = _anchored_boxes(draft, nodes, boxes, old, new)
    if _collides(boxes, {**moved, **kept}, new):
        moved = {
            node: _scaled_box(boxes[node], scale if scale.by != 1 else _Scale(0, 0, new / old), new) for node in nodes
        }
        shrink_texts(draft, nodes, min(1.0, new / old if scale.by == 1 else scale.by))
    for node, box in moved.items():
        if local_name(node) == "frame" and box.width != before[node].width:
            _scale_frame(node, box.width / max(1, before[node].width))
        if local_name(node) == "image" and box.width != before[node].width:
            node.set("scaleImage", "RetainShape")
        draft.set_box(node, box)


def _scale_frame(frame: etree._Element, by: float) -> None:
    for node in elements_in(frame):
        report = report_element(node)
        left, right = span_of(node)
        report.set("x", str(round(left * by)))
        report.set("width", str(max(1, round(right * by) - round(left * by))))


def _anchored_boxes(
    draft: Draft, nodes: list[etree._Element], boxes: Mapping[etree._Element, ElementBox], old: int, new: int
) -> dict[etree._Element, ElementBox]:
    """Return the boxes with every element anchored to its side, in clusters."""
    moved = {}
    middle = {node for node in nodes if abs(boxes[node].center_x - old / 2) <= _CENTRE_TOLERANCE * old}
    single = [node for node in nodes if boxes[node].width < _SPANNING_SHARE * old and node not in middle]
    together = _cluster_boxes([boxes[node] for node in single])
    for node in nodes:
        box = boxes[node]
        if box.width >= _SPANNING_SHARE * old:
            moved[node] = box._replace(right=max(box.left + 1, box.right + new - old))
        elif node in middle:
            by = _shift_x(box, old, new)
            moved[node] = box.moved(x=by)
    for node, whole in zip(single, together, strict=True):
        box = boxes[node]
        by = _shift_x(whole if whole.width < _SPANNING_SHARE * old else box, old, new)
        moved[node] = box.moved(x=by)
    return moved


def _cluster_boxes(boxes: Sequence[ElementBox]) -> list[ElementBox]:
    """Return for each box the bounds of the cluster that it belongs to."""
    owner = list(range(len(boxes)))

    def root(n: int) -> int:
        while owner[n] != n:
            owner[n] = owner[owner[n]]
            n = owner[n]
        return n

    order = sorted(range(len(boxes)), key=lambda n: boxes[n].top)
    for at, a in enumerate(order):
        for b in order[at + 1 :]:
            if boxes[b].top - boxes[a].bottom > _MAX_LINE_GAP_PT:
                break
            if boxes[a].overlap_x(boxes[b]) >= -_MAX_WORD_GAP_PT:
                owner[root(a)] = root(b)
    whole: dict[int, ElementBox] = {}
    for n, box in enumerate(boxes):
        other = whole.get(root(n), box)
        whole[root(n)] = ElementBox(
            *(min(pair) for pair in zip(box[:2], other[:2], strict=True)),
            *(max(pair) for pair in zip(box[2:], other[2:], strict=True)),
        )
    return [whole[root(n)] for n in range(len(boxes))]


def _shift_x(box: ElementBox, old: int, new: int) -> int:
    """Return how far an anchored box moves: not at all at the left, fully at the right, halfway in the middle."""
    if abs(box.center_x - old / 2) <= _CENTRE_TOLERANCE * old:
        return round((new - old) / 2)
    if box.center_x > 2 * old / 3:
        return new - old
    if box.center_x < old / 3 or box.left < old / 5:
        return 0
    return round(box.center_x * new / old - box.center_x)


def _collides(
    before: Mapping[etree._Element, ElementBox], after: Mapping[etree._Element, ElementBox], width: int
) -> bool:
    """Return whether an element would leave the page, or texts that were apart would overlap."""
    if any(after[node].left < min(0, box.left) or after[node].right > width for node, box in before.items()):
        return True
    texts = sorted((node for node in after if local_name(node) in TEXT_ELEMENTS), key=lambda node: after[node].top)
    for n, a in enumerate(texts):
        for b in texts[n + 1 :]:
            if after[b].top >= after[a].bottom:
                break
            apart = a not in before or b not in before or before[a].overlap_x(before[b]) <= 0
            if after[a].overlap_x(after[b]) > 0 and apart and (a in before or b in before):
                return True
    return False


def _scaled_box(box: ElementBox, scale: _Scale, width: int) -> ElementBox:
    left = max(0, min(scale(box.left), width - 1))
    right = min(width, scale(box.right))
    if box.width <= MAX_RULE_WIDTH_PT:
        right = left + box.width
    return box._replace(left=left, right=max(left + 1, right))


# --- down ------------------------------------------------------------------------------------------------------------


def _fit_background(draft: Draft, band: etree._Element, old: int) -> None:
    """Fit the background to the page: what fills it still does, and nothing leaves it."""
    new = draft.content_height
    for node in [node for node in band if is_element(node)]:
        box = draft.box_of(node)
        if box.height >= FULL_PAGE_SHARE * old:
            box = box._replace(bottom=max(box.top + 1, box.bottom + new - old))
        elif box.bottom > new:
            top = max(0, min(box.top, new - box.height))
            box = box._replace(top=top, bottom=min(new, top + box.height))
        draft.set_box(node, box)
    if int_attribute(band, "height") >= FULL_PAGE_SHARE * old or int_attribute(band, "height") > new:
        band.set("height", str(new))


def _check_height(draft: Draft, available: int) -> None:
    """Raise ``EditRefused`` if the bands cannot be made low enough for the page."""
    least: dict[str, int] = {}
    for name, band in draft.bands():
        if name != "background":
            low = min(int_attribute(band, "height"), _min_band_height(draft, band))
            least[name] = max(least.get(name, 0), low) if name == "detail" else least.get(name, 0) + low
    always = sum(least.get(name, 0) for name in REPEATED_SECTIONS)
    needed = max([always + least.get("title", 0), always + least.get("detail", 0), least.get("summary", 0)])
    if needed > available:
        raise EditRefused("room", Text.of("edits.set_page.space", points=needed - available))


def _min_band_height(draft: Draft, band: etree._Element) -> int:
    """Return the height of a band's elements with small gaps between them."""
    floor = taken = 0
    for box in _boxes_downwards(draft, band):
        if box.bottom > floor:
            taken += min(_MIN_GAP_PT, max(0, box.top - floor)) + box.bottom - max(box.top, floor)
            floor = box.bottom
    return taken


def _boxes_downwards(draft: Draft, band: etree._Element) -> list[ElementBox]:
    return sorted((draft.box_of(node) for node in band if is_element(node)), key=lambda box: box.top)


def _close_gaps(draft: Draft) -> None:
    """Close the gaps of bands that are too high for the page."""
    order = (
        "title", "summary", FURTHER_PAGE, "pageHeader", "columnHeader", "pageFooter", "columnFooter", "detail",
    )  # fmt: skip
    bands = draft.bands()
    for band in [band for name in order for section, band in bands if section == name]:
        excess = -draft.growth_limit(band)
        if excess > 0:
            _lower_band(draft, band, excess, _MIN_GAP_PT)


def _lower_band(draft: Draft, band: etree._Element, excess: int, min_gap: int) -> None:
    """Lower a band by at most `excess` points: first below its elements, then in its widest gaps, down to `min_gap`."""
    boxes = _boxes_downwards(draft, band)
    height = int_attribute(band, "height")
    cut = min(excess, height - max((box.bottom for box in boxes), default=0))
    band.set("height", str(height - cut))
    excess -= cut
    while excess > 0:
        floor, gaps = 0, []
        for box in _boxes_downwards(draft, band):
            gaps.append((box.top - floor, box.top))
            floor = max(floor, box.bottom)
        widest, at = max(gaps, default=(0, 0))
        cut = min(excess, widest - min_gap)
        if cut <= 0:
            return
        for node in [node for node in band if is_element(node)]:
            box = draft.box_of(node)
            if box.top >= at:
                draft.set_box(node, box.moved(y=-cut))
        band.set("height", str(int_attribute(band, "height") - cut))
        excess -= cut
