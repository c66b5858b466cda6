"""What the rows are grouped by. What users say is in ``templates/*/spec_grouping.toml``."""

from __future__ import annotations

from bandsmith.shared.fields.column_kinds import meaning

from ...sentence_templates import Slots
from ..labels import cleaned, split
from .base import Builder, SpecClauses

_ANY_GROUP = frozenset({"组", "个组", "分组", "group", "groups"})
"""What stands for every group and names none."""


def group(clauses: SpecClauses, slots: Slots) -> str | None:
    labels = _labels(slots)
    if not labels:
        return None
    known = {label.casefold() for label in clauses.groups} | _ANY_GROUP
    clauses.groups += [label for label in labels if label.casefold() not in known]
    return ", "


def group_with_totals(clauses: SpecClauses, slots: Slots) -> str | None:
    clauses.wants_totals = True
    return group(clauses, slots)


def subtotals_of_known(clauses: SpecClauses, slots: Slots) -> str | None:
    """`region subtotals` group where the words are a known kind of text or date."""
    return group_with_totals(clauses, slots) if _is_dimension(slots["columns"]) else None


def dimension(clauses: SpecClauses, slots: Slots) -> str | None:
    """`by department` groups where that is a known kind of text or date, and no other clause groups the rows."""
    if clauses.groups or not all(_is_dimension(label) for label in _labels(slots)):
        return None
    return group(clauses, slots)


def _labels(slots: Slots) -> list[str]:
    named = [*split(slots["list"]), *split(slots["columns"]), *split(slots["then"])]
    return [label for part in named if (label := cleaned(part))]


def _is_dimension(label: str) -> bool:
    """Whether rows are likely to be grouped by a label: a term for text or dates."""
    meant = meaning(label)
    return meant.kind in ("text", "date") and meant.known


BUILDERS: tuple[Builder, ...] = (group, group_with_totals, subtotals_of_known, dimension)
