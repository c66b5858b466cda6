"""Give the page another size."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.page_layout import PageSize, resize_page
from ..replies import listed, text
from .base import Edit, EditClause

_SIDES = ("left", "right", "top", "bottom")


class SetPage(Edit):
    """Give the page another size in whole points. Everything follows, title and summary too: the table and what spans
    the page get its width, what is centred stays centred, and what stands at a side stays there."""

    do: Literal["page"] = "page"
    width: int
    height: int
    left: int | None = None
    """The margins; None keeps them."""
    right: int | None = None
    top: int | None = None
    bottom: int | None = None

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        margins = {f"{side}Margin": value for side, value in self._margins().items()}
        return resize_page(draft, PageSize(self.width, self.height, margins))

    def describe(self, labels: TemplateLabels) -> EditClause:
        margins = self._margins()
        if margins:
            widths = "、".join(dict.fromkeys(str(value) for value in margins.values()))
            if len(margins) == len(_SIDES):
                return EditClause("edits.set_page.done_margins", widths)
            sides = listed([text(f"edits.set_page.side.{side}", labels.language) for side in margins], labels.language)
            return EditClause("edits.set_page.done_some_margins", widths, {"sides": sides})
        landscape = self.width > self.height
        code = "edits.set_page.done_landscape" if landscape else "edits.set_page.done_portrait"
        return EditClause(code, f"{self.width} x {self.height}")

    def _margins(self) -> dict[str, int]:
        return {side: value for side in _SIDES if (value := getattr(self, side)) is not None}
