"""Make a new text that looks like the texts beside it."""

from __future__ import annotations

from collections import Counter

from lxml import etree

from .clone_style import clone_as_static_text, clone_as_text_field, set_alignment
from .dom import child, new_node, report_element
from .draft import Draft
from .placement import Align


def text_like(
    draft: Draft,
    band: etree._Element,
    text: str | None = None,
    expression: str | None = None,
    *,
    like: etree._Element | None = None,
    align: Align = "Left",
) -> etree._Element:
    """Return a static text, or a text field of an expression, in no band yet.

    It has the style of the element `like`, else the font of the texts of its band. Only an `align` other than ``Left``
    overrides the alignment of `like`.
    """
    model = like if like is not None else _neighbour(draft, band)
    if model is None:
        model = new_node("staticText")
        model.append(new_node("reportElement"))
    node = (
        clone_as_static_text(model, text)
        if text
        else clone_as_text_field(model, expression or "", model.get("pattern") if like is not None else None)
    )
    if like is None:
        _without_borders_and_colours(node)
    if align != "Left":
        set_alignment(node, align)
    return node


def _without_borders_and_colours(node: etree._Element) -> None:
    """Leave of a neighbour's style only its font."""
    if (box := child(node, "box")) is not None:
        node.remove(box)
    for name in ("mode", "backcolor", "forecolor"):
        report_element(node).attrib.pop(name, None)
    if (text_element := child(node, "textElement")) is not None:
        text_element.attrib.pop("textAlignment", None)
        text_element.attrib.pop("rotation", None)


def _neighbour(draft: Draft, band: etree._Element) -> etree._Element | None:
    """Return a text in the most frequent size of the band; of the whole report if the band has no texts."""
    texts = draft.texts(band) or [node for _, one in draft.bands() for node in draft.texts(one)]
    if not texts:
        return None
    sizes = Counter(draft.style_of(node).style.size for node in texts[:200])
    usual = min(size for size, count in sizes.items() if count == max(sizes.values()))
    return next(node for node in texts if draft.style_of(node).style.size == usual)
