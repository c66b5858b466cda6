"""Columns that are computed from others. What users say is in ``templates/*/computed.toml``."""

from __future__ import annotations

from typing import NamedTuple

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.add_group import AddGroup
from bandsmith.shared.edits.add_running_total import AddRunningTotal
from bandsmith.shared.edits.add_share import AddShare
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.compute_column import ComputeColumn
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fields.value_types import DECIMAL

from ...numbers import plain_amount
from ...references import Missing
from ...sentence_templates import Slots
from ...view_elements import TableColumn
from ..arithmetic import field_formula, java_expression
from ..column_choice import amount_column
from ..reading import Clause, ClauseReading, templated
from ..unquoted import runs_on

_HOURS = ("hours", "duration", "工时", "小时")
"""What a column of hours is called."""
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


def paid(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“She gets 14.50 an hour, put what she earns each day behind the hours, and the sum of it below”."""
    view = clause.view
    hours = next(
        (one for name in (slots["field"], *_HOURS) if isinstance(one := clause.column(name), TableColumn)), None
    )
    after = clause.known(clause.column(slots["after"])) if slots["after"] else hours
    if hours is None or not hours.numeric or not isinstance(after, TableColumn):
        return after if isinstance(after, ClauseReading) else None
    computed = java_expression(clause, f"{hours.label} * {plain_amount(slots['amount'])}")
    heading = clause.words(slots["heading"]) or ("工资" if view.chinese else "Pay")
    if not isinstance(computed, str) or runs_on(heading):
        return computed if isinstance(computed, ClauseReading) else None
    names = set(view.classes) | {node.get("name", "") for node in view.root if isinstance(node.tag, str)}
    field = name_for(heading, "column", names, column=True)
    new = {"field": field, "label": heading, "java_class": DECIMAL, "pattern": "#,##0.00", "expression": computed}
    edits: list[AnyEdit] = [AddColumn.model_validate(new | {"after": after.field})]
    if slots["summed"]:
        edits.append(AddTotal(field=field))
    return ClauseReading(edits)


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


RULES = tuple(templated("computed", rule) for rule in (compute, running_total, share, paid))
