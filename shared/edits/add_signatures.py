"""Add lines to sign on."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from ..jrxml.bands import elements_in
from ..jrxml.dom import ensure_child, int_attribute, new_node, set_value
from ..jrxml.draft import Draft
from ..jrxml.element_box import ElementBox
from ..jrxml.labels import TemplateLabels
from ..jrxml.new_text import text_like
from ..jrxml.tables import printed_sides
from ..replies import listed
from .base import Edit, EditClause, KnownNames

MAX_SIGNATURES = 12
_GAP_ABOVE_PT = 28
"""Room above the line, to sign in."""
_GAP_BETWEEN_PT = 18
_MIN_LINE_PT = 56
"""The line that has to fit beside its label; fewer signatures stand on one row otherwise."""


class AddSignatures(Edit):
    """Add lines to sign on at the end of the report, each with its label, side by side."""

    do: Literal["signatures"] = "signatures"
    labels: Annotated[list[str], Field(min_length=1, max_length=MAX_SIGNATURES)]
    """What is written before each line: ``Prepared by``, ``审核``."""
    band: Literal["summary", "pageFooter", "lastPageFooter"] = "summary"
    """At the end of the report, or at the foot of every page or of the last one."""
    side: Literal["left", "right"] | None = None
    """The half of the page that they stand in; None is its whole width."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        band = draft.ensure_band(self.band)
        words = [_with_colon(label) for label in self.labels]
        texts = [text_like(draft, band, word) for word in words]
        for node in texts:
            set_value(ensure_child(ensure_child(node, "textElement"), "font"), "isBold", "false")
        left, right = printed_sides(draft, band)
        if self.side:
            middle = (left + right) // 2
            left, right = (left, middle) if self.side == "left" else (middle, right)
        needed = max(draft.style_of(node).width_of(word) for node, word in zip(texts, words, strict=True))
        height = max(draft.style_of(node).height_of(word, needed) for node, word in zip(texts, words, strict=True))
        in_row = max(1, min(len(words), (right - left + _GAP_BETWEEN_PT) // (needed + _MIN_LINE_PT + _GAP_BETWEEN_PT)))
        rows = -(-len(words) // in_row)
        top = max((draft.box_of(node).bottom for node in elements_in(band)), default=0)
        bottom = top + rows * (_GAP_ABOVE_PT + height)
        draft.grow_band(band, int_attribute(band, "height"), bottom - int_attribute(band, "height"))
        slot = (right - left + _GAP_BETWEEN_PT) // in_row
        for n, (node, word) in enumerate(zip(texts, words, strict=True)):
            x = left + n % in_row * slot
            y = top + n // in_row * (_GAP_ABOVE_PT + height) + _GAP_ABOVE_PT
            label_end = x + draft.style_of(node).width_of(word)
            draft.add_element(band, node, "signature")
            draft.set_box(node, ElementBox(x, y, label_end, y + height))
            line = new_node("line")
            line.append(new_node("reportElement"))
            draft.add_element(band, line, "signature_line")
            draft.set_box(line, ElementBox(label_end, y + height - 1, x + slot - _GAP_BETWEEN_PT, y + height))
        return True

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause(
            "edits.add_signatures.done", listed([labels.quote(one) for one in self.labels], labels.language)
        )

    def is_known(self, names: KnownNames) -> bool:
        return True


def _with_colon(label: str) -> str:
    label = label.strip().rstrip(":：")
    return f"{label}: " if label.isascii() else f"{label}："
