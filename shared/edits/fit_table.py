"""Let the table reach from the left side of the page to the right one."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..jrxml.column_layout import stretch_table
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.tables import main_table
from .base import Edit, EditClause

TOLERANCE_PT = 6
"""A table that ends this close to where it would is left as it is."""


class FitTable(Edit):
    """Widen the table's columns in proportion, so that it ends as far from the right edge of the page's content as it
    begins from the left one."""

    do: Literal["fit_table"] = "fit_table"
    from_margin: bool = False
    """Whether it also begins at the left margin, and ends at the right one."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table = main_table(draft)
        left, right = table.bounds[0], table.bounds[-1]
        start = 0 if self.from_margin else left
        end = draft.band_width(table.detail) - max(0, start)
        if end - right <= TOLERANCE_PT and left - start <= TOLERANCE_PT:
            return False
        by = (end - start) / (right - left)
        stretch_table(draft, table, [start + round((x - left) * by) for x in table.bounds])
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.fit_table.done", "")
