"""The number that a column prints in each row, as an expression for totals and shares."""

from __future__ import annotations

from ..replies import Text
from .declarations import NUMBER_CLASSES, STRING_CLASS, is_row_variable
from .dom import content_of
from .draft import Draft
from .expressions import reference, sole_reference
from .refusals import EditRefused
from .tables import RowColumn


def column_value(draft: Draft, column: RowColumn, name: str) -> tuple[str, str]:
    """Return the reference to a column's number, and its class. Raises ``EditRefused`` if it prints no number."""
    printed = sole_reference(content_of(column.cell), "FV")
    if printed is None or (printed[0] == "V" and not is_row_variable(draft, printed[1])):
        raise EditRefused("class", Text.of("edits.formula.text", field=name))
    node = draft.declared("field" if printed[0] == "F" else "variable", printed[1])
    java_class = (node.get("class") if node is not None else None) or STRING_CLASS
    if java_class not in NUMBER_CLASSES:
        raise EditRefused("class", Text.of("edits.formula.text", field=name))
    return reference(*printed), java_class
