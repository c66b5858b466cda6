"""Rows in which a column has something written, in a colour. ``templates/*/filled_rows.toml`` has what users say."""

from __future__ import annotations

from bandsmith.shared.edits.highlight import Highlight
from bandsmith.shared.fields.value_types import STRING

from ...colours import colour
from ...sentence_templates import Slots
from ...view_elements import TableColumn
from ..reading import Clause, ClauseReading, templated


def filled_rows(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“备注里写了字的那行，底色弄成浅黄”: the whole row, wherever the text of a column is not empty."""
    column = clause.known(clause.column(slots["name"]))
    if not isinstance(column, TableColumn):
        return column
    if column.java_class != STRING:
        return None
    shade, background = colour(slots["colour"]), True if slots["fill"] else None
    return ClauseReading(
        [Highlight(field=column.field, comparison="!=", value="", colour=shade, background=background, row=True)]
    )


RULES = (templated("filled_rows", filled_rows),)
