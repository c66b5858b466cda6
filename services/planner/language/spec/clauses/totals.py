"""What is added up, averaged or counted below the table. What users say is in ``templates/*/spec_totals.toml``."""

from __future__ import annotations

from ...sentence_templates import Slots
from ..labels import listed
from .base import Builder, SpecClauses

_EVERY_COLUMN = frozenset({"amounts", "all amounts", "all columns", "numbers", "all", "everything", "columns"})
"""What names every column that can be added up."""
_NO_COLUMN = ("行", "栏", "值", "数", "一")
"""How words begin that go on with “合计” and name no column: 合计行, 合计一栏."""


def no_totals(clauses: SpecClauses, slots: Slots) -> str:
    clauses.no_totals = True
    return ", "


def sum_of_known(clauses: SpecClauses, slots: Slots) -> str | None:
    """`金额合计` at the end of a request is a total where 金额 is named before it; else it may be a column."""
    last = not clauses.after.strip(" ") or clauses.after.lstrip(" ")[0] in "。\n"
    return sum_of(clauses, slots) if last and slots["columns"] in clauses.before else None


def average_of(clauses: SpecClauses, slots: Slots) -> str:
    clauses.averaged += listed(slots["columns"])
    return ", "


def sum_of(clauses: SpecClauses, slots: Slots) -> str | None:
    named = slots["columns"] or slots["list"]
    if named.startswith(_NO_COLUMN):
        return None
    clauses.wants_totals = True
    labels = [*listed(named), *listed(slots["more"])]
    clauses.summed += [label for label in labels if label.casefold() not in _EVERY_COLUMN]
    return ", "


def count(clauses: SpecClauses, slots: Slots) -> str:
    clauses.counted = True
    return ", "


def totals(clauses: SpecClauses, slots: Slots) -> str:
    clauses.wants_totals = True
    return ", "


BUILDERS: tuple[Builder, ...] = (no_totals, sum_of_known, average_of, sum_of, count, totals)
