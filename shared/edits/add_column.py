"""Add a column to the rows."""

from __future__ import annotations

from typing import ClassVar, Literal

from lxml import etree
from pydantic import Field

from ..jrxml.declarations import STRING_CLASS
from ..jrxml.dom import child_text, content_of, insert_child, new_node
from ..jrxml.draft import Draft
from ..jrxml.expressions import reference, references, sole_reference
from ..jrxml.formulas import DECIMAL, java_formula, pattern_of_result
from ..jrxml.labels import TemplateLabels
from ..jrxml.new_columns import NewColumn, insert_column
from ..jrxml.refusals import EditRefused
from ..jrxml.tables import find_column, main_table
from ..jrxml.variables import declare_row_variable
from ..replies import Text
from .add_rows import MAX_ROWS
from .base import Edit, EditClause, KnownNames


class AddColumn(Edit):
    """Add a column to the rows; the others make space. A new field is empty unless `values` are given."""

    do: Literal["add_column"] = "add_column"
    field: str
    label: str
    java_class: str = "java.lang.String"
    pattern: str | None = None
    formula: str | None = None
    """What it prints if not the field itself: numbers, names of fields, + - * / and brackets, such as
    ``quantity * unit_price - 5%``."""
    expression: str | None = None
    """The same as a Java expression, where a formula cannot say it."""
    after: str | None = None
    """The field of the column before it; None is the last position, an empty text the first."""
    values: list[str | int | float | bool | None] = Field(default=[], max_length=MAX_ROWS)
    """What the field has in each row of the data, where the user says it; dates as 2026-05-31. They replace what is
    there, also where the field or its column exists already."""

    multi_step: ClassVar[bool] = True

    @property
    def prints_the_field(self) -> bool:
        """Whether the column prints the values of its field, and computes none."""
        if self.formula:
            return False
        return not self.expression or sole_reference(self.expression) == ("F", self.field)

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """The new column looks like its neighbour; it is as wide as its texts need and the others allow."""
        if self.values and not self.prints_the_field:
            raise EditRefused("value", Text.of("edits.add_column.values_and_formula", field=self.field))
        computed = None
        if not self.prints_the_field:
            computed = java_formula(draft, self.formula) if self.formula else self.expression
        try:
            table, n = find_column(draft, self.field)
        except EditRefused:
            table = main_table(draft)
        else:
            cell = table.columns[n].cell
            if self.values and ("F", self.field) in references(content_of(cell)):
                return True  # the column is there, and the values go into the data
            if computed is None or computed in _computed_expressions(draft, cell):
                raise EditRefused("already", Text.of("edits.add_column.already", field=self.field))
        insert_column(draft, table, self._new_column(draft, computed), self.after)
        return True

    def _new_column(self, draft: Draft, computed: str | None) -> NewColumn:
        """Declare what the column prints, a field or a variable, and return the column."""
        field = draft.declared("field", self.field)
        java_class, pattern = self.java_class, self.pattern
        if self.formula and computed:
            java_class, pattern = DECIMAL, pattern or pattern_of_result(draft, computed)
        if computed is None:
            if field is None:
                insert_child(draft.root, new_node("field", name=self.field, **{"class": java_class}))
            else:
                java_class = field.get("class") or STRING_CLASS
            return NewColumn(self.field, self.label, reference("F", self.field), java_class, pattern)
        shown = computed
        if not sole_reference(computed):  # a single reference needs no variable to compute it
            shown = reference("V", declare_row_variable(draft, self.field, java_class, computed))
        return NewColumn(self.field, self.label, shown, java_class, pattern)

    def unseen(self) -> str:
        return "edits.unseen.covered"

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.add_column.done", self.label)

    def is_known(self, names: KnownNames) -> bool:
        names.fields.add(self.field)
        names.columns.add(self.field)
        return True


def _computed_expressions(draft: Draft, cell: etree._Element) -> set[str]:
    """Return the expression of a cell, and those of the variables in it."""
    found = {content_of(cell)}
    for letter, name in references(content_of(cell)):
        if letter == "V" and (node := draft.declared("variable", name)) is not None:
            found.add(child_text(node, "variableExpression"))
    return found
