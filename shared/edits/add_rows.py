"""Add rows to the data of the report."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..jrxml.dom import declared_nodes
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, no_field
from ..replies import Text
from .base import Edit, EditClause, KnownNames

MAX_ROWS = 1_000


class AddRows(Edit):
    """Add rows of values to the data that the report is filled with, or with `replace` print these rows alone."""

    do: Literal["add_rows"] = "add_rows"
    rows: list[dict[str, str | int | float | bool | None]] = Field(max_length=MAX_ROWS)
    """For each row the values by field; dates as 2026-05-31. Fields that are left out stay empty."""
    replace: bool = False

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """The template stays as it is; the data follows when the change is carried out."""
        fields = declared_nodes(draft.root, "field")
        if not self.rows:
            raise EditRefused("value", Text.of("edits.add_rows.none"))
        for name in dict.fromkeys(name for row in self.rows for name in row):
            if name not in fields:
                raise no_field(name)
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        code = "edits.add_rows.done_replaced" if self.replace else "edits.add_rows.done"
        return EditClause(code, "", {"count": len(self.rows)})

    def is_known(self, names: KnownNames) -> bool:
        return all(name in names.fields for row in self.rows for name in row)

    def names(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.rows for name in row))
