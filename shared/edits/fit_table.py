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

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table = main_table(draft)
        left, right = table.bounds[0], table.bounds[-1]
        end = draft.band_width(table.detail) - max(0, left)
        if end - right <= TOLERANCE_PT:
            return False
        by = (end - left) / (right - left)
        stretch_table(draft, table, [left + round((x - left) * by) for x in table.bounds])
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.fit_table.done", "")
