"""Columns that are computed from others. What users say is in ``templates/*/computed.toml``."""

from __future__ import annotations

from bandsmith.shared.edits.add_group import AddGroup
from bandsmith.shared.edits.add_running_total import AddRunningTotal
from bandsmith.shared.edits.add_share import AddShare
from bandsmith.shared.edits.compute_column import ComputeColumn

from ...reference_resolver import Missing
from ...sentence_templates import Slots
from ...template_view import TableColumn
from ..arithmetic import field_formula
from ..column_choice import amount_column
from ..reading import Clause, ClauseReading, templated

_WHICH = "language.which_column"


def compute(clause: Clause, slots: Slots) -> ClauseReading | None:
    """An existing column computed from others: “金额=数量×单价”."""
    column = clause.column(slots["name"])
    if isinstance(column, Missing):
        # A column that does not exist may be meant as a new one; that is asked for only by a whole formula.
        formula = field_formula(clause, _formula(slots))
        return clause.absent(column) if isinstance(formula, str) else None
    if not isinstance(column, TableColumn):
        return None
    formula = field_formula(clause, _formula(slots))
    if not isinstance(formula, str):
        return formula
    return ClauseReading([ComputeColumn(field=column.field, formula=formula)])


def _formula(slots: Slots) -> str:
    if slots["left"]:
        return f"{slots['left']} * {slots['right']}"
    return f"{slots['first']} + {slots['second']}" if slots["first"] else slots["computation"]


def running_total(clause: Clause, slots: Slots) -> ClauseReading | None:
    column = amount_column(clause, slots["name"], _WHICH)
    if not isinstance(column, TableColumn):
        return column
    after = _after(clause, slots)
    if isinstance(after, ClauseReading):
        return after
    if after == "":
        return None
    reading = ClauseReading()
    group: str | None = None
    if slots["group"]:
        grouping = clause.column(slots["group"])
        if not isinstance(grouping, TableColumn):
            return clause.absent(grouping) if isinstance(grouping, Missing) else None
        group = grouping.field
        if group not in clause.view.groups:
            reading.edits.append(AddGroup(field=group))
    heading = clause.words(slots["heading"]) or None
    reading.edits.append(AddRunningTotal(field=column.field, label=heading, after=after, group=group))
    return reading


def share(clause: Clause, slots: Slots) -> ClauseReading | None:
    column = amount_column(clause, slots["name"], _WHICH)
    if not isinstance(column, TableColumn):
        return column
    after = _after(clause, slots)
    if isinstance(after, ClauseReading):
        return after
    if after == "":
        return None
    return ClauseReading([AddShare(field=column.field, label=clause.words(slots["heading"]) or None, after=after)])


def _after(clause: Clause, slots: Slots) -> str | ClauseReading | None:
    """Return the field of the column before the new one; None for the last position, an empty text if unclear."""
    if not slots["after"]:
        return None
    neighbour = clause.column(slots["after"])
    if isinstance(neighbour, Missing):
        return clause.absent(neighbour)
    return neighbour.field if isinstance(neighbour, TableColumn) else ""


RULES = tuple(templated("computed", rule) for rule in (compute, running_total, share))
