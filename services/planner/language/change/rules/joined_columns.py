"""Two columns that become one. What users say is in ``templates/*/joined_columns.toml``."""

from __future__ import annotations

from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.fields.value_types import INTEGER, STRING
from bandsmith.shared.jrxml.expressions import reference, sole_reference

from ...sentence_templates import Slots
from ...view_elements import TableColumn
from ..reading import Clause, ClauseReading, templated
from ..unquoted import runs_on

_PLAIN = (STRING, INTEGER)
"""Classes whose values are printed as they are: a pattern would be lost in a text."""


def join(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Merge Code and Name into one column”: the values of each row behind each other, in the place of the first."""
    named = clause.known(clause.columns(slots["names"]))
    if not isinstance(named, list):
        return named
    heading = clause.words(slots["heading"])
    if len(named) != len({one.field for one in named}) or len(named) < 2 or runs_on(heading):
        return None
    first, *others = named
    values = [_value(one) for one in named]
    if first.head is None or None in values:
        return None
    label = heading or ("/" if clause.view.chinese else " / ").join(one.label for one in named)
    joined = ' + " " + '.join(value for value in values if value)
    return ClauseReading([
        SetExpression(element=first.cells[0].key, expression=f"({joined}).trim()"),
        SetText(element=first.head.key, text=label),
        *(DeleteColumn(field=one.field) for one in others),
    ])  # fmt: skip


def _value(column: TableColumn) -> str | None:
    """Return what a column prints as a text that is empty where there is no value; None for what has a pattern."""
    if len(column.cells) != 1 or column.java_class not in _PLAIN or column.cells[0].pattern:
        return None
    printed = sole_reference(column.cells[0].expression, "F")
    if printed is None:
        return None
    value = reference(*printed)
    return f'({value} == null ? "" : String.valueOf({value}))'


RULES = (templated("joined_columns", join),)
