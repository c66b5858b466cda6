"""Another calculation instead of a total. What users say is in ``templates/*/total_change.toml``."""

from __future__ import annotations

from bandsmith.shared.edits.change_total import ChangeTotal
from bandsmith.shared.jrxml.totals import plain_totals
from bandsmith.shared.replies import Text, listed

from ...sentence_templates import Slots
from ...view_elements import TableColumn
from ..reading import Clause, ClauseReading, refused, templated


def change_total(clause: Clause, slots: Slots) -> ClauseReading | None:
    draft, was = clause.view.editor.draft, slots["was"]
    groups: list[str | None] = [None, *clause.view.groups]
    if slots["name"]:
        column = clause.known(clause.column(slots["name"]))
        if not isinstance(column, TableColumn):
            return column
        columns = [column]
    else:
        columns = clause.view.columns
    found = [(column, group) for column in columns for group in groups if plain_totals(draft, column.field, was, group)]
    if not found:
        return refused("language.no_such_total")
    if len(found) > 1 and not slots["name"]:
        labels = list(dict.fromkeys(column.label for column, _ in found))
        return refused("language.which_total", columns=Text(listed(labels, "en"), listed(labels, "zh")))
    return ClauseReading(
        [
            ChangeTotal.model_validate(
                {"field": column.field, "calculation": slots["calculation"], "was": was, "group": group}
            )
            for column, group in found
        ]
    )


RULES = (templated("total_change", change_total),)
