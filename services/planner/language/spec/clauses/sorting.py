"""The order of the rows. What users say is in ``templates/*/spec_sorting.toml``."""

from __future__ import annotations

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.model.spec import Sort

from ...sentence_templates import Slots
from ..labels import cleaned, listed
from .base import Builder, SpecClauses

_AGES = ("integer", "number")


def sort(clauses: SpecClauses, slots: Slots) -> str | None:
    labels = listed(slots["columns"])
    if not labels:
        return None
    clauses.sort += [
        Sort(column=clauses.note(label), descending=_is_descending(slots["direction"], label)) for label in labels
    ]
    return ", "


def _is_descending(direction: str, label: str) -> bool:
    """Whether rows are sorted downwards: the newest have the latest date, but the fewest days."""
    if direction in ("newest", "oldest"):
        return (direction == "newest") is (meaning(label).kind not in _AGES)
    return direction == "descending"


def highest_first(clauses: SpecClauses, slots: Slots) -> str:
    return _first(clauses, slots, descending=True)


def lowest_first(clauses: SpecClauses, slots: Slots) -> str:
    return _first(clauses, slots, descending=False)


def newest_first(clauses: SpecClauses, slots: Slots) -> str:
    return _first(clauses, slots, descending=True, usual="date")


def oldest_first(clauses: SpecClauses, slots: Slots) -> str:
    return _first(clauses, slots, descending=False, usual="date")


def _first(clauses: SpecClauses, slots: Slots, descending: bool, usual: str = "") -> str:
    clauses.sort.append(Sort(column=clauses.note(cleaned(slots["column"]) or usual), descending=descending))
    return ", "


BUILDERS: tuple[Builder, ...] = (sort, highest_first, lowest_first, newest_first, oldest_first)
