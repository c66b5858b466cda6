"""Give a band another height."""

from __future__ import annotations

from typing import Literal

from ..jrxml.bands import elements_in
from ..jrxml.dom import int_attribute, set_value
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import no_band, value_refused
from .base import Edit, EditClause


class ResizeBand(Edit):
    """Give a band this height in whole points."""

    do: Literal["band"] = "band"
    band: str
    height: int

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        band = draft.band(self.band)
        if band is None:
            raise no_band(self.band)
        height = self.height
        if height < 0:
            raise value_refused("height", height)
        if not exact:
            lowest = max((draft.box_of(node).bottom for node in elements_in(band)), default=0)
            height = max(lowest, min(height, int_attribute(band, "height") + max(0, draft.growth_limit(band))))
        return set_value(band, "height", str(height))

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.resize_band.done", labels.section(self.band), {"height": self.height})

    def follows(self, added: frozenset[str]) -> bool:
        return bool(added)
