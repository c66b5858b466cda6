"""The order of the rows. What users say is in ``templates/*/spec_sorting.toml``."""

from __future__ import annotations

from bandsmith.shared.model.spec import Sort

from ...sentence_templates import Slots
from ..labels import cleaned, listed
from .base import Builder, SpecClauses


def sort(clauses: SpecClauses, slots: Slots) -> str | None:
    descending = slots["direction"] == "descending"
    labels = listed(slots["columns"])
    if not labels:
        return None
    clauses.sort += [Sort(column=clauses.note(label), descending=descending) for label in labels]
    return ", "


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
