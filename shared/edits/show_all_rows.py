"""Print all rows again."""

from __future__ import annotations

from typing import Literal

from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..jrxml.row_filter import clear_row_filter
from ..replies import Text
from .base import Edit, EditClause


class ShowAllRows(Edit):
    """Print all rows again: remove every condition and limit of the rows."""

    do: Literal["show_all_rows"] = "show_all_rows"

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if not clear_row_filter(draft):
            raise EditRefused("already", Text.of("edits.show_all_rows.none"))
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.show_all_rows.done", "")
