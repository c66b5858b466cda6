"""Give the page another size, and put everything that is printed on it in its place."""

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
    tag,
)
from .draft import FULL_PAGE_SHARE, Draft, ElementBox
from .refusals import EditRefused, value_refused
from .tables import MAX_RULE_WIDTH_PT, DetailTable, main_table

MIN_SIDE_PT, MAX_SIDE_PT = 72, 14_400
_SPANS = 0.6
"""What takes this share of its band's width spans it."""
_CENTRED = 0.04
_TOGETHER = 12
"""Points between words of one line that belong together, such as a label and its value."""
_GAP = 12
"""Points of air that stay where a lower page takes the rest."""
_AIR = 36
"""Points of air that are let be on a page that has room."""
_BELOW = 10
"""Points between lines that stand together."""
_READABLE, _SMALLEST = 0.95, 0.65
"""Words are set smaller where their elements keep less than the one share of their width, down to the other."""
_MARGINS = {"leftMargin": 20, "rightMargin": 20, "topMargin": 30, "bottomMargin": 30}
"""As wide as the engine makes them where a report says nothing."""
_STANDING = ("pageHeader", "columnHeader", "columnFooter", "pageFooter")


@dataclass(frozen=True)
class PageSize:
    """The size of a page in points; margins that are not in `margins` stay as they are."""

    width: int
    height: int
    margins: Mapping[str, int]
    """By the attribute of the report: ``leftMargin``."""


def resize_page(draft: Draft, size: PageSize) -> bool:
    """Columns and what spans the page follow its width; what stands at a side or in the middle stays there."""
    for side in (size.width, size.height):
        if not MIN_SIDE_PT <= side <= MAX_SIDE_PT:
            raise value_refused("page_side", side)
    root, old_inner, old_room = draft.root, draft.content_width, draft.content_height
    margins = dict(size.margins)
    if bad := next((value for value in margins.values() if not 0 <= value <= MAX_SIDE_PT), None):
        raise value_refused("margin", bad)
    new = {"pageWidth": size.width, "pageHeight": size.height} | margins
    if all(int_attribute(root, name, _MARGINS.get(name, 0)) == value for name, value in new.items()):
        return False
    now = {name: int_attribute(root, name, standard) for name, standard in _MARGINS.items()} | margins
    down = size.height - now["topMargin"] - now["bottomMargin"] - old_room
    _check_room(draft, draft.content_height + down)
    widths = {band: draft.band_width(band) for _, band in draft.bands()}
    table = _table(draft)
    root.attrib.update({name: str(value) for name, value in margins.items()})
    _set_size(draft, size)
    for name, band in draft.bands():
        if name == "background":
            _background(draft, band, draft.content_height - down)
    followed: set[etree._Element] = set()
    scale = _Scale(0, 0, draft.content_width / old_inner)
    if table is not None:
        scale = _scale(table, widths[table.detail], draft.band_width(table.detail))
        if scale.by != 1 or scale.to != scale.start:
            followed = stretch_table(draft, table, [scale(x) for x in table.bounds])
            _smaller(draft, followed, scale.by)
    for _, band in draft.bands():
        _across(draft, band, widths[band], draft.band_width(band), followed, scale)
    if (summary := draft.band("summary")) is not None and down < 0:
        _lower(draft, summary, -down, _AIR)
    _tighten(draft)
    return True


class _Scale(NamedTuple):
    """x of the old page as x of the new one: `start` comes to `to`, and distances are multiplied."""

    start: int
    to: int
    by: float

    def __call__(self, x: int) -> int:
        return self.to + round((x - self.start) * self.by)


def _set_size(draft: Draft, size: PageSize) -> None:
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


def _table(draft: Draft) -> DetailTable | None:
    try:
        return main_table(draft)
    except EditRefused:
        return None


def _scale(table: DetailTable, old: int, new: int) -> _Scale:
    """The table keeps its distance to both sides where it spans the page; any other is only made to fit_text."""
    first, last = table.bounds[0], table.bounds[-1]
    if last - first < _SPANS * old:
        return _Scale(0, 0, 1.0 if last <= new else new / old)
    until = last + new - old
    return (
        _Scale(first, first, (until - first) / (last - first))
        if until > first + MIN_SIDE_PT
        else _Scale(0, 0, new / old)
    )


def _smaller(draft: Draft, nodes: Iterable[etree._Element], by: float) -> None:
    """Set words smaller, and their padding, where their elements became narrower; they stay readable."""
    if by >= _READABLE:
        return
    share = max(_SMALLEST, by)
    for node in nodes:
        for one in (node, *elements_in(node)):
            if local_name(one) in TEXT_ELEMENTS:
                size = max(6.0, round(draft.style_of(one).style.size * share * 2) / 2)
                set_value(ensure_child(ensure_child(one, "textElement"), "font"), "size", f"{size:g}")
                box = child(one, "box")
                for name in ("leftPadding", "rightPadding", "padding") if box is not None else ():
                    if box is not None and (value := box.get(name)) and value.isdecimal():
                        box.set(name, str(int(int(value) * by)))


# --- across ----------------------------------------------------------------------------------------------------------


def _across(
    draft: Draft, band: etree._Element, old: int, new: int, followed: set[etree._Element], scale: _Scale
) -> None:
    """Put what did not follow the table in its place: by the sides if nothing collides so, else all in proportion."""
    if old == new:
        return
    before = {node: draft.box_of(node) for node in band if is_element(node)}
    nodes = [node for node in before if node not in followed]
    kept = {node: before[node] for node in before if node in followed}
    places = {node: before[node] for node in nodes}
    moved = _anchored(draft, nodes, places, old, new)
    if _collide(places, {**moved, **kept}, new):
        moved = {
            node: _scaled(places[node], scale if scale.by != 1 else _Scale(0, 0, new / old), new) for node in nodes
        }
        _smaller(draft, nodes, min(1.0, new / old if scale.by == 1 else scale.by))
    for node, place in moved.items():
        if local_name(node) == "frame" and place.width != before[node].width:
            _inside_frame(node, place.width / max(1, before[node].width))
        draft.set_box(node, place)


def _inside_frame(frame: etree._Element, by: float) -> None:
    for node in elements_in(frame):
        report = report_element(node)
        left, right = int_attribute(report, "x"), int_attribute(report, "x") + int_attribute(report, "width")
        report.set("x", str(round(left * by)))
        report.set("width", str(max(1, round(right * by) - round(left * by))))


def _anchored(
    draft: Draft, nodes: list[etree._Element], places: Mapping[etree._Element, ElementBox], old: int, new: int
) -> dict[etree._Element, ElementBox]:
    """Places by the side that each stands at; what stands together stays together."""
    moved = {}
    middle = {node for node in nodes if abs(places[node].center_x - old / 2) <= _CENTRED * old}
    single = [node for node in nodes if places[node].width < _SPANS * old and node not in middle]
    together = _clusters([places[node] for node in single])
    for node in nodes:
        place = places[node]
        if place.width >= _SPANS * old:
            moved[node] = place._replace(right=max(place.left + 1, place.right + new - old))
        elif node in middle:
            by = _shift(place, old, new)
            moved[node] = place._replace(left=place.left + by, right=place.right + by)
    for node, whole in zip(single, together, strict=True):
        place = places[node]
        by = _shift(whole if whole.width < _SPANS * old else place, old, new)
        moved[node] = place._replace(left=place.left + by, right=place.right + by)
    return moved


def _clusters(places: Sequence[ElementBox]) -> list[ElementBox]:
    """For each place, from where to where the places reach that stand together with it."""
    owner = list(range(len(places)))

    def root(n: int) -> int:
        while owner[n] != n:
            owner[n] = owner[owner[n]]
            n = owner[n]
        return n

    order = sorted(range(len(places)), key=lambda n: places[n].top)
    for at, a in enumerate(order):
        for b in order[at + 1 :]:
            if places[b].top - places[a].bottom > _BELOW:
                break
            if places[a].overlap_x(places[b]) >= -_TOGETHER:
                owner[root(a)] = root(b)
    whole: dict[int, ElementBox] = {}
    for n, place in enumerate(places):
        other = whole.get(root(n), place)
        whole[root(n)] = ElementBox(
            *(min(pair) for pair in zip(place[:2], other[:2], strict=True)),
            *(max(pair) for pair in zip(place[2:], other[2:], strict=True)),
        )
    return [whole[root(n)] for n in range(len(places))]


def _shift(place: ElementBox, old: int, new: int) -> int:
    """How far something goes to the right: nothing at the left, all at the right, half in the middle."""
    if abs(place.center_x - old / 2) <= _CENTRED * old:
        return round((new - old) / 2)
    if place.center_x > 2 * old / 3:
        return new - old
    if place.center_x < old / 3 or place.left < old / 5:
        return 0
    return round(place.center_x * new / old - place.center_x)


def _collide(
    before: Mapping[etree._Element, ElementBox], after: Mapping[etree._Element, ElementBox], width: int
) -> bool:
    """Whether something would leave the page, or words that stood apart would meet."""
    if any(after[node].left < min(0, place.left) or after[node].right > width for node, place in before.items()):
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


def _scaled(place: ElementBox, scale: _Scale, width: int) -> ElementBox:
    left = max(0, min(scale(place.left), width - 1))
    right = min(width, scale(place.right))
    if place.width <= MAX_RULE_WIDTH_PT:
        right = left + place.width
    return place._replace(left=left, right=max(left + 1, right))


# --- down ------------------------------------------------------------------------------------------------------------


def _background(draft: Draft, band: etree._Element, old: int) -> None:
    """The background is as high as the page; what fills it still does, what would leave it is held."""
    new = draft.content_height
    for node in [node for node in band if is_element(node)]:
        place = draft.box_of(node)
        if place.height >= FULL_PAGE_SHARE * old:
            place = place._replace(bottom=max(place.top + 1, place.bottom + new - old))
        elif place.bottom > new:
            top = max(0, min(place.top, new - place.height))
            place = place._replace(top=top, bottom=min(new, top + place.height))
        draft.set_box(node, place)
    if int_attribute(band, "height") >= FULL_PAGE_SHARE * old or int_attribute(band, "height") > new:
        band.set("height", str(new))


def _check_room(draft: Draft, room: int) -> None:
    """Raises ``EditRefused`` where the bands cannot be made low enough."""
    least: dict[str, int] = {}
    for name, band in draft.bands():
        if name != "background":
            low = min(int_attribute(band, "height"), _least(draft, band))
            least[name] = max(least.get(name, 0), low) if name == "detail" else least.get(name, 0) + low
    always = sum(least.get(name, 0) for name in _STANDING)
    needed = max([always + least.get("title", 0), always + least.get("detail", 0), least.get("summary", 0)])
    if needed > room:
        raise EditRefused("room", Text.of("edits.set_page.space", points=needed - room))


def _least(draft: Draft, band: etree._Element) -> int:
    """How low a band can be: what is in it, with little air between."""
    floor = taken = 0
    for place in _places_down(draft, band):
        if place.bottom > floor:
            taken += min(_GAP, max(0, place.top - floor)) + place.bottom - max(place.top, floor)
            floor = place.bottom
    return taken


def _places_down(draft: Draft, band: etree._Element) -> list[ElementBox]:
    return sorted((draft.box_of(node) for node in band if is_element(node)), key=lambda place: place.top)


def _tighten(draft: Draft) -> None:
    """Take air out of bands that the page cannot hold any more."""
    for name in ("title", "summary", "pageHeader", "columnHeader", "pageFooter", "columnFooter", "detail"):
        section = child(draft.root, name)
        for band in section.findall(tag("band")) if section is not None else ():
            excess = -draft.growth_limit(band)
            if excess > 0:
                _lower(draft, band, excess, _GAP)


def _lower(draft: Draft, band: etree._Element, excess: int, air: int) -> None:
    """Lower a band by so much at most: by the air below what is in it, then by all but `air` of its widest gaps."""
    places = _places_down(draft, band)
    height = int_attribute(band, "height")
    cut = min(excess, height - max((place.bottom for place in places), default=0))
    band.set("height", str(height - cut))
    excess -= cut
    while excess > 0:
        floor, gaps = 0, []
        for place in _places_down(draft, band):
            gaps.append((place.top - floor, place.top))
            floor = max(floor, place.bottom)
        widest, at = max(gaps, default=(0, 0))
        cut = min(excess, widest - air)
        if cut <= 0:
            return
        for node in [node for node in band if is_element(node)]:
            place = draft.box_of(node)
            if place.top >= at:
                draft.set_box(node, place._replace(top=place.top - cut, bottom=place.bottom - cut))
        band.set("height", str(int_attribute(band, "height") - cut))
        excess -= cut
