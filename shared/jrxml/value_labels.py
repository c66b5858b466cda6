"""The label of a value: the fixed text before it on its line."""

from __future__ import annotations

from lxml import etree

from .dom import content_of, local_name
from .draft import Draft

MAX_OVERLAP_PT = 4
"""How far a label may reach into the box of its value."""


def text_before(draft: Draft, node: etree._Element) -> etree._Element | None:
    """Return the text with content that ends next before an element, on the same line of its band."""
    box = draft.box_of(node)
    before = [
        one
        for one in draft.texts(draft.band_of(node))
        if one is not node
        and content_of(one)
        and draft.box_of(one).right <= box.left + MAX_OVERLAP_PT
        and draft.box_of(one).on_same_line(box)
    ]
    return max(before, key=lambda one: draft.box_of(one).right, default=None)


def label_of(draft: Draft, value: etree._Element) -> etree._Element | None:
    """Return the fixed text before a value; None where another value is between them, which the text then labels."""
    nearest = text_before(draft, value)
    return nearest if nearest is not None and local_name(nearest) == "staticText" else None
