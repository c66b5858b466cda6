"""Formulas that a pair of columns implies: a variance beside budget and actual, and its percentage."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.model.spec import Column, Computed

_WHOLE, _PART = "budget", "actual"
_DIFFERENCES = frozenset({"variance", "difference"})


def with_usual_formulas(columns: list[Column]) -> tuple[list[Column], list[str]]:
    """Return the columns with the formulas that their names imply, and the labels of the computed columns."""
    by_name = {meaning(column.label).name: column.label for column in columns}
    if not {_WHOLE, _PART} <= by_name.keys():
        return columns, []
    changed: dict[str, Column] = {}
    for column in columns:
        name, computed = meaning(column.label).name, None
        if column.computed:
            continue
        if column.type == "percent" and (difference := _begun_by(column.label, columns)):
            computed = Computed(operator="/", operands=[difference, by_name[_WHOLE]])
        elif name in _DIFFERENCES and column.type != "percent":
            computed = Computed(operator="-", operands=[by_name[_WHOLE], by_name[_PART]])
        if computed:
            kind = column.type if column.type == "percent" else "money"
            changed[column.label] = column.model_copy(update={"computed": computed, "type": kind})
    return [changed.get(column.label, column) for column in columns], list(changed)


def _begun_by(label: str, columns: Sequence[Column]) -> str | None:
    """Return the difference whose label begins another: `Variance` of `Variance in percent`, 差异 of 差异率."""
    plain = label.casefold()
    return next(
        (
            column.label
            for column in columns
            if meaning(column.label).name in _DIFFERENCES
            and plain.startswith(column.label.casefold())
            and plain != column.label.casefold()
        ),
        None,
    )
