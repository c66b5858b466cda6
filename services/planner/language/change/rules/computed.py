"""Columns that are computed from others. What users say is in ``templates/*/computed.toml``."""

from __future__ import annotations

from typing import NamedTuple

from bandsmith.shared.edits.add_group import AddGroup
from bandsmith.shared.edits.add_running_total import AddRunningTotal
from bandsmith.shared.edits.add_share import AddShare
from bandsmith.shared.edits.compute_column import ComputeColumn

from ...references import Missing
from ...sentence_templates import Slots
from ...view_elements import TableColumn
from ..arithmetic import field_formula
from ..column_choice import amount_column
from ..reading import Clause, ClauseReading, templated
from ..unquoted import runs_on

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
    new = _new_column(clause, slots)
    if not isinstance(new, _NewColumn):
        return new
    reading = ClauseReading()
    group: str | None = None
    if slots["group"]:
        grouping = clause.known(clause.column(slots["group"]))
        if not isinstance(grouping, TableColumn):
            return grouping
        group = grouping.field
        if group not in clause.view.groups:
            reading.edits.append(AddGroup(field=group))
    reading.edits.append(AddRunningTotal(field=new.summed, label=new.label, after=new.after, group=group))
    return reading


def share(clause: Clause, slots: Slots) -> ClauseReading | None:
    new = _new_column(clause, slots)
    if not isinstance(new, _NewColumn):
        return new
    return ClauseReading([AddShare(field=new.summed, label=new.label, after=new.after)])


class _NewColumn(NamedTuple):
    """A column that is computed from the total of another one."""

    summed: str
    """The field of that one."""
    label: str | None
    after: str | None
    """The field of the column before it; None for the last position."""


def _new_column(clause: Clause, slots: Slots) -> _NewColumn | ClauseReading | None:
    """Return the column that the slots describe, a refusal, or None if they name no column."""
    column = amount_column(clause, slots["name"], _WHICH)
    if not isinstance(column, TableColumn):
        return column
    heading = slots["heading"]
    label = clause.words(heading) or None
    if label and not clause.is_quotation(heading) and (clause.has_quotes(heading) or runs_on(label)):
        return None  # the clause asks for something else as well
    if not slots["after"]:
        return _NewColumn(column.field, label, None)
    neighbour = clause.known(clause.column(slots["after"]))
    return _NewColumn(column.field, label, neighbour.field) if isinstance(neighbour, TableColumn) else neighbour


RULES = tuple(templated("computed", rule) for rule in (compute, running_total, share))
