"""Delete one row of the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from ..jrxml.dom import declared_nodes
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, no_field
from ..jrxml.row_values import RowValue
from ..replies import Text
from .base import Edit, EditClause, KnownNames, Row
from .set_value import MAX_VALUES, named_row, row_index


class DeleteRow(Edit):
    """Delete one row of the data, which `row` or `where` names; the columns and the template stay."""

    do: Literal["delete_row"] = "delete_row"
    row: int | None = None
    """The row's number, from 1."""
    where: dict[str, RowValue] = Field(default={}, max_length=MAX_VALUES)
    """Instead of the number, values by field that only this row has, such as {"item": "Hammer"}."""

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """The template stays as it is; the data follows when the change is carried out."""
        fields = declared_nodes(draft.root, "field")
        for name in self.where:
            if name not in fields:
                raise no_field(name)
        if not (self.row or self.where):
            raise EditRefused("value", Text.of("edits.delete_row.incomplete"))
        return True

    def check_rows(self, rows: Sequence[Row]) -> None:
        row_index(rows, self.row, self.where)

    def changed(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows without the one that is named. Raises ``EditRefused`` if not exactly one is."""
        number = row_index(rows, self.row, self.where)
        return [row for n, row in enumerate(rows) if n != number]

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.delete_row.done", named_row(self.row, self.where, labels.language))

    def is_known(self, names: KnownNames) -> bool:
        return set(self.where) <= names.fields | names.columns

    def names(self) -> list[str]:
        return list(self.where)
