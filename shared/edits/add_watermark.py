"""Print a large pale text behind everything on every page."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from ..jrxml.bands import elements_in
from ..jrxml.dom import child, ensure_child, insert_child, int_attribute, new_node, report_element, set_value
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, value_refused
from ..replies import Text
from .base import Edit, EditClause, KnownNames

KEY = "watermark"
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
MAX_SIZE_PT, MIN_SIZE_PT = 96, 12
_SHARE_OF_WIDTH = 0.85
"""How much of the page's width the text takes at most."""


class AddWatermark(Edit):
    """Print a large pale text, such as DRAFT, behind everything in the middle of every page."""

    do: Literal["watermark"] = "watermark"
    text: str
    colour: str = "#E4E4E4"

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """A report has one watermark: a second one replaces its text."""
        if not self.text.strip():
            raise EditRefused("value", Text.of("edits.add.empty"))
        if not _COLOUR.fullmatch(self.colour):
            raise value_refused("colour", self.colour)
        band = draft.ensure_band("background")
        height, width = draft.content_height, draft.content_width
        old = next((one for one in elements_in(band) if report_element(one).get("key") == KEY), None)
        node = old if old is not None else new_node("staticText")
        if old is None:
            node.append(new_node("reportElement"))
            ensure_child(node, "textElement").attrib.update({"textAlignment": "Center", "verticalAlignment": "Middle"})
            insert_child(node, new_node("text"))
            draft.add_element(band, node, KEY)
        words = child(node, "text")
        assert words is not None
        changed = set_value(words, None, self.text.strip())
        changed |= set_value(report_element(node), "forecolor", self.colour)
        font = ensure_child(ensure_child(node, "textElement"), "font")
        font.attrib.update({"size": "10", "isBold": "true"})
        fits = 10 * _SHARE_OF_WIDTH * width / max(1, draft.style_of(node).width_of(self.text.strip()))
        font.set("size", str(round(min(MAX_SIZE_PT, max(MIN_SIZE_PT, fits)))))
        if int_attribute(band, "height") < height:
            band.set("height", str(height))
        return draft.set_box(node, ElementBox(0, 0, width, height)) or changed

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.add_watermark.done", labels.quote(self.text))

    def is_known(self, names: KnownNames) -> bool:
        names.elements.add(KEY)
        return True
