"""Add rows to the data of the report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from ..jrxml.dom import declared_nodes
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused, no_field
from ..jrxml.row_values import MAX_SHOWN_CHARS, RowValue, in_form_of, is_of_class
from ..replies import Text
from .base import Edit, EditClause, KnownNames, Row

MAX_ROWS = 1_000


class AddRows(Edit):
    """Add rows of values to the data that the report is filled with, or with `replace` print these rows alone."""

    do: Literal["add_rows"] = "add_rows"
    rows: list[dict[str, RowValue]] = Field(max_length=MAX_ROWS)
    """For each row the values by field; dates as 2026-05-31, times as 17:00. Fields that are left out stay empty."""
    replace: bool = False

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """The template stays as it is; the data follows when the change is carried out."""
        fields = declared_nodes(draft.root, "field")
        if not self.rows:
            raise EditRefused("value", Text.of("edits.add_rows.none"))
        for name in dict.fromkeys(name for row in self.rows for name in row):
            if name not in fields:
                raise no_field(name)
        for name, value in (pair for row in self.rows for pair in row.items()):
            if not is_of_class(value, fields[name].get("class", "java.lang.String")):
                shown, heading = str(value)[:MAX_SHOWN_CHARS], TemplateLabels(draft, "en").field(name)
                raise EditRefused("value", Text.of("edits.set_value.value", field=heading, value=shown))
        return True

    def added_to(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows with the new ones, whose values have the form of the others in their column."""
        names = dict.fromkeys(name for row in rows for name in row)
        others = {name: [row.get(name) for row in rows] for name in names}
        new = [{name: in_form_of(value, others.get(name, ())) for name, value in row.items()} for row in self.rows]
        return [*([] if self.replace else rows), *({**dict.fromkeys(names), **row} for row in new)]

    def describe(self, labels: TemplateLabels) -> EditClause:
        code = "edits.add_rows.done_replaced" if self.replace else "edits.add_rows.done"
        return EditClause(code, "", {"count": len(self.rows)})

    def is_known(self, names: KnownNames) -> bool:
        return all(name in names.fields for row in self.rows for name in row)

    def names(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.rows for name in row))
