"""Add a text to a band."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..jrxml.draft import Draft
from ..jrxml.expressions import references, string_literals
from ..jrxml.labels import TemplateLabels
from ..jrxml.new_text import text_like
from ..jrxml.placement import Align, free_box
from ..jrxml.refusals import EditRefused
from ..replies import Text
from .base import Edit, EditClause, KnownNames


class Add(Edit):
    """Add a text to a band, which is added if it is missing and grows if it is too low.

    Without a position it goes to its side (`align`) of the band, beside the existing elements; without a size it is as
    large as its text. With `x` and `y` it stands just there, and pushes nothing away. It gets the style of the element
    `like`, else that of its neighbours.
    """

    do: Literal["add"] = "add"
    key: str
    band: str
    """A section's name: ``title``, ``pageHeader``, ``columnHeader``, ``detail``, ``pageFooter``, ``summary``."""
    text: str | None = None
    """The text of a static text; or"""
    expression: str | None = None
    """the expression of a text field."""
    align: Align = "Left"
    """Its side of the band, and of its words within their box: Center and Right also with `like`, `x` or `width`."""
    x: int | None = None
    y: int | None = None
    width: int | None = None
    height: int | None = None
    like: str | None = None

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if not (self.text or self.expression):
            raise EditRefused("value", Text.of("edits.add.empty"))
        like = draft.require_element(self.like) if self.like is not None else None
        band = draft.ensure_band(self.band)
        node = text_like(draft, band, self.text, self.expression, like=like, align=self.align)
        style, sample = draft.style_of(node), _sample(self)
        width = self.width or min(style.width_of(sample), draft.band_width(band))
        height = self.height or style.height_of(sample, width)
        box = free_box(draft, band, width, height, self.align, self.x, self.y)
        draft.add_element(band, node, self.key)
        draft.set_box(node, box)
        return True

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        subject = labels.quote(self.text) if self.text else labels.printed(self.expression or "")
        return EditClause("edits.add.done", subject, {"section": labels.section(self.band)})

    def is_known(self, names: KnownNames) -> bool:
        names.elements.add(self.key)
        return True


def _sample(edit: Add) -> str:
    """Return what the element will print, as far as that is known."""
    if edit.text:
        return edit.text
    literal = "".join(string_literals(edit.expression or ""))
    values = "".join(
        "88" if name.endswith(("NUMBER", "COUNT")) else "8888888888" for _, name in references(edit.expression or "")
    )
    return literal + values or "8888888888"
