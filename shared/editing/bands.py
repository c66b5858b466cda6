"""Bands: a text put into one, and one whose XML is replaced as a whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from lxml import etree

from ..errors import BadInput
from ..jrxml.bands import elements_in
from ..jrxml.clone_style import clone_as_static_text, clone_as_text_field, set_alignment
from ..jrxml.dom import NAMESPACE, child, int_attribute, local_name, new_node, report_element
from ..jrxml.draft import Draft, ElementBox
from ..jrxml.expressions import references
from ..jrxml.refusals import EditRefused, not_allowed
from ..jrxml.tables import printed_sides
from ..model.edits import Add, ReplaceBand
from ..xml import parse

_DOWNWARDS = frozenset({"summary", "columnFooter", "groupFooter", "noData"})
"""Sections that are read to their end: what is added stands below what is there."""
_AIR = 4
"""Points between what is there and what is added below it."""
_EDGE = 8
"""Points at the edge of the page that stay free."""
_LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')
_SPACES = f'xmlns="{NAMESPACE}" xmlns:jr="{NAMESPACE}" xmlns:c="{NAMESPACE}/components"'
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")


def add(draft: Draft, edit: Add) -> bool:
    if not (edit.text or edit.expression):
        raise EditRefused("value", "There are no words to add.", "没有要添加的文字。")
    like = draft.require_element(edit.like) if edit.like is not None else None
    band = draft.ensure_band(edit.band)
    node = _text(draft, edit, band, like)
    look = draft.style_of(node)
    width = edit.width or min(look.width_of(_printed(edit)), draft.band_width(band))
    height = edit.height or look.height_of(_printed(edit), width)
    place = _place(draft, band, edit, width, height)
    draft.add_element(band, node, edit.key)
    draft.set_box(node, place)
    return True


def _text(draft: Draft, edit: Add, band: etree._Element, like: etree._Element | None) -> etree._Element:
    model = like if like is not None else _neighbour(draft, band)
    if model is None:
        model = new_node("staticText")
        model.append(new_node("reportElement"))
    node = (
        clone_as_static_text(model, edit.text)
        if edit.text
        else clone_as_text_field(model, edit.expression or "", model.get("pattern") if like is not None else None)
    )
    words = child(node, "textElement")
    if like is None:  # a neighbour's letters, not its borders, colours and side
        if (box := child(node, "box")) is not None:
            node.remove(box)
        for name in ("mode", "backcolor", "forecolor"):
            report_element(node).attrib.pop(name, None)
        if words is not None:
            words.attrib.pop("textAlignment", None)
            words.attrib.pop("rotation", None)
    if edit.align != "Left" and like is None:
        set_alignment(node, edit.align)
    return node


def _neighbour(draft: Draft, band: etree._Element) -> etree._Element | None:
    """A text of the band in the size that most of its texts have; of the whole report where it has none."""
    texts = draft.texts(band) or [node for _, one in draft.bands() for node in draft.texts(one)]
    if not texts:
        return None
    sizes = Counter(draft.style_of(node).style.size for node in texts[:200])
    usual = min(size for size, count in sizes.items() if count == max(sizes.values()))
    return next(node for node in texts if draft.style_of(node).style.size == usual)


def _printed(edit: Add) -> str:
    """What the element will print, as near as one can tell."""
    if edit.text:
        return edit.text
    literal = "".join(_LITERAL.findall(edit.expression or ""))
    values = "".join(
        "888" if name.endswith(("NUMBER", "COUNT")) else "8888888888" for _, name in references(edit.expression or "")
    )
    return literal + values or "8888888888"


def _place(draft: Draft, band: etree._Element, edit: Add, width: int, height: int) -> ElementBox:
    left, right = printed_sides(draft, band)
    x = edit.x
    if x is None:
        x = {"Left": left, "Right": right - width, "Center": (draft.band_width(band) - width) // 2}[edit.align]
    x = max(0, min(x, draft.band_width(band) - width))
    y = edit.y
    if y is None:
        standing = _standing(draft, band)
        places = (ElementBox(x, top, x + width, top + height) for top in _tops(draft, band, height))
        y = next((place.top for place in places if _free(standing, place)), None)
    if y is None:
        lowest = max((draft.box_of(node).bottom for node in elements_in(band)), default=0)
        y = max(lowest, int_attribute(band, "height")) if lowest else 0
        y = lowest + _AIR if lowest and local_name(band.getparent()) in _DOWNWARDS else y
    wanted = ElementBox(x, y, x + width, y + height)
    try:
        _grow(draft, band, wanted.bottom)
    except EditRefused:
        found = next(_anywhere(draft, band, width, height), None)
        if edit.y is not None or found is None:
            raise
        return found
    return wanted


def _grow(draft: Draft, band: etree._Element, bottom: int) -> None:
    """Let a band reach down so far; the page's foot takes it from the margin, so that nothing moves to another page."""
    more = bottom - int_attribute(band, "height")
    if more > 0 and local_name(band.getparent()) == "pageFooter":
        margin = int_attribute(draft.root, "bottomMargin", 30)
        draft.root.set("bottomMargin", str(max(min(margin, _EDGE), margin - more)))
    draft.grow_band(band, int_attribute(band, "height"), more)


def _tops(draft: Draft, band: etree._Element, height: int) -> list[int]:
    """Heights at which a text may stand in a band as it is, the best first."""
    places = sorted((draft.box_of(node) for node in draft.texts(band)), key=lambda place: place.top)
    lines = [
        place.top if abs(place.height - height) <= _AIR else max(0, round((place.top + place.bottom - height) / 2))
        for place in places
    ]
    lines += [0] + [draft.box_of(node).bottom + 1 for node in elements_in(band)]
    if local_name(band.getparent()) in _DOWNWARDS:
        lowest = max((place.bottom for place in places), default=0)
        lines = [top for top in (lowest + _AIR if lowest else 0, *sorted(lines)) if top >= lowest]
    return [top for top in dict.fromkeys(lines) if top + height <= int_attribute(band, "height")]


_Standing = Sequence[tuple[ElementBox, bool]]
"""Where the elements of a band are, and whether each is an area that words may stand on."""


def _standing(draft: Draft, band: etree._Element) -> _Standing:
    return [(draft.box_of(node), local_name(node) in ("rectangle", "frame", "image")) for node in elements_in(band)]


def _free(standing: _Standing, place: ElementBox) -> bool:
    """Whether nothing stands at a place, but for areas that lie wholly behind it."""
    for other, is_area in standing:
        behind = is_area and other.overlap_x(place) == place.width and other.overlap_y(place) == place.height
        if place.overlap_x(other) > 0 < place.overlap_y(other) and not behind:
            return False
    return True


def _anywhere(draft: Draft, band: etree._Element, width: int, height: int) -> Iterator[ElementBox]:
    """Places of a band that are free, wherever they are."""
    everything = _standing(draft, band)
    for top in sorted(_tops(draft, band, height)):
        standing = [one for one in everything if one[0].top < top + height and one[0].bottom > top]
        for left in sorted({0, *(place.right + _AIR for place, _ in standing)}):
            place = ElementBox(left, top, left + width, top + height)
            if place.right <= draft.band_width(band) and _free(standing, place):
                yield place


def replace(draft: Draft, edit: ReplaceBand) -> bool:
    """Put other XML in the place of a band; what it may hold is for the validator to say."""
    new = _band_of(edit.xml)
    if not re.fullmatch(r"\d{1,5}", new.get("height", "")):
        raise not_allowed("A band's height", new.get("height", "?"))
    there = draft.band(edit.band) is not None
    old = draft.ensure_band(edit.band)
    if there and etree.tostring(new, method="c14n") == etree.tostring(old, method="c14n", with_tail=False):
        return False
    if int_attribute(new, "height") - int_attribute(old, "height") > max(0, draft.growth_limit(old)):
        raise EditRefused("room", "The page has no room for a band so high.", "页面放不下这么高的带区。")
    for node in [node for node in old if child(node, "reportElement") is not None]:
        draft.remove(node)
    old.getparent().replace(old, new)
    for node in elements_in(new):
        _own_names(draft, node)
        draft.register(node)
    return True


def _own_names(draft: Draft, node: etree._Element) -> None:
    """A key that no other element has; no uuid, for it may be another's."""
    report = report_element(node)
    report.attrib.pop("uuid", None)
    report.set("key", draft.free_key(report.get("key") or local_name(node)))


def _band_of(xml: str) -> etree._Element:
    """The one band that a text holds. Raises ``Refused`` for anything else."""
    body = _DECLARATION.sub("", xml, count=1)
    try:
        around = parse(f"<around {_SPACES}>{body}</around>".encode())
    except BadInput as error:
        raise EditRefused("value", error.message, error.message_zh) from None
    band = around[0] if len(around) == 1 else None
    strange = (around.text or "").strip() or (band is not None and (band.tail or "").strip())
    if band is None or strange or band.tag != new_node("band").tag:
        raise EditRefused("value", "A band's XML is one <band> and nothing else.", "带区的 XML 只能是一个 <band>。")
    band.tail = None
    etree.strip_tags(band, etree.Comment, etree.ProcessingInstruction)
    return band
