"""How groups are laid out on pages. What users say is in ``templates/*/group_layout.toml``."""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_group import AddGroup
from bandsmith.shared.edits.set_group import SetGroup

from ...sentence_templates import Slots, listed
from ...view_elements import TableColumn
from ..reading import Clause, ClauseReading, refused, templated


def new_page(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _laid_out(clause, slots, adds=True, new_page=True)


def same_page(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _laid_out(clause, slots, adds=False, new_page=False)


def keep_together(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _laid_out(clause, slots, adds=True, keep_together=True)


def repeat_header(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _laid_out(clause, slots, adds=False, repeat_header=True)


def restart_numbers(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _laid_out(clause, slots, adds=False, restart_page_numbers=True)


def _laid_out(clause: Clause, slots: Slots, adds: bool, **layout: bool) -> ClauseReading | None:
    """Return the edit of the group that is named; `adds` says whether rows that are not grouped by it become so."""
    field = _group_field(clause, slots["name"])
    if not isinstance(field, str):
        return field
    edits: list[AnyEdit] = []
    is_new = bool(clause.before and clause.before.group == field)
    if field not in clause.view.groups and not is_new:
        if not adds:
            return refused("language.rows_not_grouped_by", column=clause.words(slots["name"]))
        edits.append(AddGroup(field=field))
    return ClauseReading([*edits, SetGroup.model_validate({"field": field, **layout})], group=field)


def _group_field(clause: Clause, words: str) -> str | ClauseReading | None:
    """Return the field of the group that words name; for "group", that of the only one."""
    if not words or listed("group_layout", "group", words):
        groups = [clause.before.group] if clause.before and clause.before.group else clause.view.groups
        if not groups:
            return refused("language.rows_not_grouped")
        return groups[0] if len(groups) == 1 else None
    if words in clause.view.groups:
        return words
    column = clause.known(clause.column(words))
    return column.field if isinstance(column, TableColumn) else column


RULES = tuple(
    templated("group_layout", rule) for rule in (same_page, new_page, keep_together, repeat_header, restart_numbers)
)
