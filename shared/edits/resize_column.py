"""Give a column of the rows another width."""

from __future__ import annotations

from typing import Literal

from ..jrxml.column_layout import reorder_columns
from ..jrxml.column_widths import MIN_COLUMN_WIDTH_PT, distribute, min_width, widths_between
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.tables import find_column
from ..replies import Text
from .base import Clause, Edit, KnownNames


class ResizeColumn(Edit):
    """Give a column this width in whole points; the others share the rest."""

    do: Literal["resize_column"] = "resize_column"
    field: str
    width: int

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table, n = find_column(draft, self.field)
        others = [one for one in table.columns if one is not table.columns[n]]
        total = table.bounds[-1] - table.bounds[0]
        most = total - sum(min_width(draft, one) for one in others)
        width = max(MIN_COLUMN_WIDTH_PT, min(self.width, most if others else total))
        if width == table.columns[n].width:
            if self.width > width:
                raise EditRefused("room", Text.of("edits.resize_column.space"))
            return False
        widths = widths_between(
            distribute([one.width for one in others], [min_width(draft, one) for one in others], [0, total - width])
        )
        reorder_columns(draft, table, table.columns, [*widths[:n], width, *widths[n:]])
        return True

    def describe(self, labels: TemplateLabels) -> Clause:
        return Clause("edits.resize_column.done", labels.field(self.field), {"width": self.width})

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.columns or self.field in names.fields
