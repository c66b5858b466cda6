"""The printed total of a column, as words name it: “the total of the hours”, 金额合计."""

from __future__ import annotations

from collections.abc import Callable

from bandsmith.shared.jrxml.tables import column_totals, find_column

from .references import Target, prints_total
from .sentence_templates import matches
from .template_view import TemplateView
from .view_elements import TableColumn

RULE = "column_total"


def names_column_total(words: str) -> bool:
    return any(slots["total"] for slots in matches("references", RULE, words))


def total_of_column(view: TemplateView, words: str, column_of: Callable[[str], object]) -> Target | None:
    """Return the one total that is printed below the column which words name."""
    for slots in matches("references", RULE, words):
        column = column_of(slots["name"]) if slots["total"] else None
        if isinstance(column, TableColumn):
            draft = view.editor.draft
            table, n = find_column(draft, column.field)
            keys = [draft.name_of(node) for node in column_totals(draft, table, table.columns[n])]
            pieces = [piece for key in keys if (piece := view.piece(key)) and prints_total(piece)]
            if len(pieces) == 1:
                return Target(words, (pieces[0],), alone=True)
    return None
