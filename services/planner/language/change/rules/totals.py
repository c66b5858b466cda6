"""Totals, averages and counts of columns, below the rows or each group.

What users say is in ``templates/*/totals.toml``.
"""

from __future__ import annotations

import re
from typing import cast

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_group import AddGroup
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.base import Calculation
from bandsmith.shared.jrxml.tables import humanize

from ...sentence_templates import Slots, listed
from ...template_view import TemplateView
from ...view_elements import TableColumn
from ..reading import Clause, ClauseReading, refused, templated

_NOT_ADDABLE = re.compile(
    r"\b(?:prices?|rates?|ratio|percent(?:age)?|numbers?|no|id|code|year|month|day|age|level|score|cost per|phone"
    r"|line)\b"
    r"|单价|税率|折扣率|比率|百分比|序号|编号|编码|年龄|电话",
    re.IGNORECASE,
)
"""Words in the name of a numeric column whose sum means nothing."""
_ADDABLE = re.compile(r"\b(?:sub-?)?total\b|\bamount\b|金额|总价|小计", re.IGNORECASE)
"""Words in the name of a column that can be added up in spite of the words above: "line total"."""


def subtotal(clause: Clause, slots: Slots) -> ClauseReading | None:
    edits: list[AnyEdit] = []
    if slots["group"]:
        group = clause.known(clause.column(slots["group"]))
        if not isinstance(group, TableColumn):
            return group
        field = group.field
        if field not in clause.view.groups:
            edits.append(AddGroup(field=field))
    else:
        groups = [clause.before.group] if clause.before and clause.before.group else clause.view.groups
        if len(groups) != 1:
            return None
        field = groups[0]
    columns = _summed(clause, slots["names"])
    if not isinstance(columns, list):
        return columns
    calculation = cast("Calculation", slots["of_group"] or "Sum")
    edits += [AddTotal(field=column.field, group=field, calculation=calculation) for column in columns]
    return ClauseReading(edits, group=field)


def total(clause: Clause, slots: Slots) -> ClauseReading | None:
    names = slots["names"]
    calculation = cast("Calculation", slots["calculation"] or slots["before_names"] or slots["after_names"] or "Sum")
    if calculation == "Count" and (not names or listed("totals", "rows", names)):
        column = _counted(clause, names)
        return _reading([column], calculation) if column else _no_rows()
    if listed("totals", "no_columns", names) or (not names and calculation not in ("Sum", "Average")):
        return None
    if slots["before_names"] and listed("totals", "no_columns_after_calculation", names):
        return None
    columns = _summed(clause, names)
    if not isinstance(columns, list):
        return columns
    texts = [column for column in columns if not column.numeric]
    if texts and calculation != "Count":
        return refused(f"language.text_has_no_total.{calculation.lower()}", column=texts[0].label)
    return _reading(columns, calculation)


def _reading(columns: list[TableColumn], calculation: Calculation) -> ClauseReading:
    return ClauseReading([AddTotal(field=column.field, calculation=calculation) for column in columns])


def _counted(clause: Clause, names: str) -> TableColumn | None:
    """Return the column whose values are counted: the named one, else the first that holds texts."""
    named = clause.column(names) if names else None
    if isinstance(named, TableColumn):
        return named
    columns = clause.view.columns
    return next((column for column in columns if not column.numeric), columns[0] if columns else None)


def _summed(clause: Clause, names: str) -> list[TableColumn] | ClauseReading | None:
    """Return the columns that are named, or every column that can be added up."""
    if not clause.view.columns:
        return _no_rows()
    if not names or listed("totals", "all_columns", names):
        return summable(clause.view) or refused("language.nothing_to_add_up")
    return clause.known(clause.columns(names))


def _no_rows() -> ClauseReading:
    return refused("language.no_rows_to_add_up")


def summable(view: TemplateView) -> list[TableColumn]:
    """Return the columns whose sum means something: numbers, but no prices, rates or codes."""
    return [column for column in view.columns if column.numeric and _adds_up(column)]


def _adds_up(column: TableColumn) -> bool:
    names = f"{humanize(column.field)}\n{column.label}"
    return _ADDABLE.search(names) is not None or _NOT_ADDABLE.search(names) is None


RULES = (templated("totals", subtotal), templated("totals", total))
