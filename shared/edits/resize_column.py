"""Give a column of the rows another width."""

from __future__ import annotations

from typing import Literal

from ..jrxml.column_layout import reorder_columns
from ..jrxml.column_widths import MIN_COLUMN_WIDTH_PT, distribute, min_width, widths_between
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.tables import DetailTable, column_number, find_column
from ..replies import Text
from .base import Edit, EditClause, KnownNames


class ResizeColumn(Edit):
    """Give a column this width in whole points; the others, or the column that is named, share the rest."""

    do: Literal["resize_column"] = "resize_column"
    field: str
    width: int
    other: str | None = None
    """The field of the column that gives or takes the width; null is all others."""

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        table, n = find_column(draft, self.field)
        if self.other is not None:
            return self._exchange(draft, table, n, column_number(table.columns, self.other))
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

    def _exchange(self, draft: Draft, table: DetailTable, n: int, other: int) -> bool:
        """Let one other column have what this one gives, or give what it takes."""
        if other == n:
            raise EditRefused("room", Text.of("edits.resize_column.itself"))
        widths = [one.width for one in table.columns]
        both = widths[n] + widths[other]
        width = max(min_width(draft, table.columns[n]), min(self.width, both - min_width(draft, table.columns[other])))
        if width == widths[n] or (width < widths[n]) != (self.width < widths[n]):
            raise EditRefused("room", Text.of("edits.resize_column.space"))
        widths[n], widths[other] = width, both - width
        reorder_columns(draft, table, table.columns, widths)
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        if self.other is not None:
            other = labels.field(self.other)
            return EditClause(
                "edits.resize_column.exchanged", labels.field(self.field), {"width": self.width, "other": other}
            )
        return EditClause("edits.resize_column.done", labels.field(self.field), {"width": self.width})

    def is_known(self, names: KnownNames) -> bool:
        known = {*names.columns, *names.fields}
        return self.field in known and (self.other is None or self.other in known)
