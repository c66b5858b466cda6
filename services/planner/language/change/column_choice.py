"""Which column is meant where a sentence names none: the only one that comes into question."""

from __future__ import annotations

from bandsmith.shared.jrxml.declarations import is_row_variable
from bandsmith.shared.jrxml.expressions import sole_reference
from bandsmith.shared.replies import Text, listed

from ..template_view import TemplateView
from ..view_elements import TableColumn
from .reading import Clause, ClauseReading, refused
from .rules.totals import summable


def amount_column(clause: Clause, words: str, code: str) -> TableColumn | ClauseReading | None:
    """Return the column of numbers that words name; without words, the only column of amounts.

    A refusal says that it does not exist or holds no numbers, or with the text `code` that several come into question;
    None that the words are no name.
    """
    if not words:
        found = amounts(clause.view)
        if len(found) == 1:
            return found[0]
        labels = [column.label for column in found or clause.view.columns]
        if not labels:
            return refused("language.no_rows_to_add_up")
        return refused(code, columns=Text(listed(labels, "en"), listed(labels, "zh")))
    column = clause.known(clause.column(words))
    if not isinstance(column, TableColumn):
        return column
    return column if column.numeric else refused("edits.formula.text", field=column.label)


def amounts(view: TemplateView) -> list[TableColumn]:
    """Return the columns that can be added up; only those with decimals if there are some."""
    found = [column for column in summable(view) if _is_value_of_row(view, column)]
    with_decimals = [column for column in found if any("." in cell.pattern for cell in column.cells)]
    return with_decimals or found


def _is_value_of_row(view: TemplateView, column: TableColumn) -> bool:
    """Whether a column prints values of its rows, rather than running totals or shares."""
    printed = sole_reference(column.cells[0].expression, "FV")
    return printed is not None and (printed[0] == "F" or is_row_variable(view.editor.draft, printed[1]))
