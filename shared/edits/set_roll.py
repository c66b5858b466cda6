"""Make the page a paper roll, as receipt printers have."""

from __future__ import annotations

import contextlib
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from ..jrxml.draft import Draft
from ..jrxml.geometry import fit_text
from ..jrxml.labels import TemplateLabels
from ..jrxml.page_layout import PageSize, resize_page
from ..jrxml.refusals import EditRefused
from .base import Edit, EditClause

_POINTS_PER_MM = 72 / 25.4
_MARGIN_MM = 4
"""What receipt printers cannot print at each side."""


class SetRoll(Edit):
    """Make the page a paper roll of a width in millimetres, such as 80 or 58: one page, as long as what is on it."""

    do: Literal["roll"] = "roll"
    width: Annotated[float, Field(ge=40, le=300)]

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        margin = round(_MARGIN_MM * _POINTS_PER_MM)
        sides = dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), margin)
        size = PageSize(round(self.width * _POINTS_PER_MM), max(draft.page_height, draft.page_width), sides)
        changed = resize_page(draft, size)
        endless = draft.root.get("isIgnorePagination") == "true"
        draft.root.set("isIgnorePagination", "true")
        draft.root.set("orientation", "Portrait")
        for node in [one for _, band in draft.bands() for one in draft.texts(band)]:
            with contextlib.suppress(EditRefused):  # what does not fit becomes a finding
                fit_text(draft, node)
        return changed or not endless

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.set_roll.done", f"{self.width:g}")
