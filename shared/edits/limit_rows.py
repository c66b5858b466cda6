"""Print only the first rows."""

from __future__ import annotations

from typing import ClassVar, Literal

from ..jrxml.declarations import group_fields
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, value_refused
from ..jrxml.row_filter import set_row_limit
from ..replies import Text
from .base import Edit, EditClause, KnownNames
from .sort_by import SortBy

MAX_ROWS = 100_000


class LimitRows(Edit):
    """Print only the first rows, or with `field` those with its highest values ("top 5"); totals count them only."""

    do: Literal["limit_rows"] = "limit_rows"
    count: int
    field: str | None = None
    """The field that the rows are sorted by first; None keeps their order."""
    descending: bool = True
    """Whether the highest values come first."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if not 0 < self.count <= MAX_ROWS:
            raise value_refused("row_count", self.count)
        changed = False
        if self.field is not None:
            if group_fields(draft):
                raise EditRefused("group", Text.of("edits.limit_rows.grouped"))
            changed = SortBy(field=self.field, descending=self.descending).apply(draft, exact=exact)
        return set_row_limit(draft, self.count) or changed

    def describe(self, labels: TemplateLabels) -> EditClause:
        if self.field is None:
            return EditClause("edits.limit_rows.done", str(self.count))
        code = "edits.limit_rows.done_highest" if self.descending else "edits.limit_rows.done_lowest"
        return EditClause(code, str(self.count), {"field": labels.field(self.field)})

    def unseen(self) -> str:
        return "edits.unseen.rows"

    def is_known(self, names: KnownNames) -> bool:
        return self.field is None or self.field in names.fields or self.field in names.columns
