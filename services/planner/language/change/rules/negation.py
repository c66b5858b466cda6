"""What has to stay as it is; it asks for no edit. What users say is in ``templates/*/negation.toml``."""

from __future__ import annotations

from dataclasses import replace

from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.set_format import SetFormat
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_value import SetValue
from bandsmith.shared.jrxml.expressions import sole_reference
from bandsmith.shared.jrxml.tables import column_totals, find_column

from ...references import Target, with_label, with_value
from ...sentence_templates import Slots
from ..reading import Clause, ClauseReading, templated

PHRASES = frozenset({"leaves_out", "takes_back", "open_question", "condition", "no_condition"})
"""Sentences of the files that take something out of what another clause says, or all of it."""
_LOOKS = (SetProperty, SetFormat)
_TEXT_ROLES = ("", "title", "company")
"""Roles of single texts."""
_OF_LETTERS = frozenset({"forecolor", "fontSize", "fontName", "isBold", "isItalic", "isUnderline"})


def keep(clause: Clause, slots: Slots) -> ClauseReading | None:
    if slots["own_total"]:
        return _totals_kept(clause)
    targets = clause.targets(slots["names"])
    if not isinstance(targets, list):
        return None
    if any(_follows(clause, target) for target in targets):
        return None
    return ClauseReading(kept=tuple(piece.key for target in targets for piece in target.pieces), target=targets[-1])


def _follows(clause: Clause, target: Target) -> bool:
    """Whether a column changes with the new value that the clause before gives: “数量改成90，金额不变”."""
    edits = [edit for edit in (clause.before.edits if clause.before else ()) if isinstance(edit, SetValue)]
    if target.column is None or not edits:
        return False
    is_printed = all(sole_reference(cell.expression, "F") for cell in target.column.cells)
    return not is_printed or any(target.column.field in edit.values for edit in edits)


def _totals_kept(clause: Clause) -> ClauseReading | None:
    """“Hide the amount, keep its total”: the totals of the columns that the clause before removes."""
    draft = clause.view.editor.draft
    removed = [edit for edit in (clause.before.edits if clause.before else ()) if isinstance(edit, DeleteColumn)]
    columns = [find_column(draft, edit.field) for edit in removed]
    totals = [node for table, n in columns for node in column_totals(draft, table, table.columns[n])]
    return ClauseReading(kept=tuple(draft.name_of(node) for node in totals)) if totals else None


def leave_alone(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“The label stays as it is”: another edit of the request may have taken it along."""
    if slots["own_label"]:
        return _label_alone(clause)
    if slots["own_heading"]:
        return _heading_alone(clause)
    reading = keep(clause, slots)
    if reading is None or reading.target is None or reading.target.column is not None:
        return reading
    reading.left_alone = reading.kept
    return reading


def needs_none(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“送货地址标红，电话不用”: after a change, what needs none stays as it is; alone, it is to go."""
    if clause.before is None or not clause.before.edits:
        return None
    if slots["unwanted"] and not _is_look_unwanted(clause, slots["names"]):
        return None  # it is to go
    return leave_alone(clause, slots)


def _is_look_unwanted(clause: Clause, names: str) -> bool:
    """Whether what is not wanted is the look that the clause before gives to things of the same kind.

    After a removal, in another sentence, or of a thing of another kind, it is the thing itself.
    """
    before, targets = clause.before, clause.targets(names)
    if before is None or before.target is None or not isinstance(targets, list) or clause.begins_sentence:
        return False
    is_look = all(isinstance(edit, _LOOKS) for edit in before.edits)
    return is_look and {_kind(target) for target in targets} == {_kind(before.target)}


def _kind(target: Target) -> str:
    """Return what a target is, as far as it gets a look: a column, one text, or a part of the report."""
    return "column" if target.column is not None else "" if target.role in _TEXT_ROLES else target.role


def only_that(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Put a € in front of the total. Only the total”: what the clause before changes, and nothing else."""
    before, targets = clause.before, clause.targets(slots["names"])
    if before is None or not before.edits or not isinstance(targets, list):
        return None
    changed = {getattr(edit, "element", None) for edit in before.edits}
    named = {piece.key for target in targets for piece in with_value(clause.view, target).pieces}
    return ClauseReading(target=targets[-1]) if changed <= named else None


def _heading_alone(clause: Clause) -> ClauseReading | None:
    """“Centre the hours, but not the heading”: that of the column which the clause before gave a look."""
    target = clause.before.target if clause.before else None
    if target is None or target.column is None or target.column.head is None:
        return None
    keys = (target.column.head.key,)
    return ClauseReading(kept=keys, left_alone=keys, target=target)


def _label_alone(clause: Clause) -> ClauseReading | None:
    """Keep the label of what the clause before gave a look, together with its value."""
    target = clause.before.target if clause.before else None
    if clause.before is None or target is None:
        return None
    if target.role or target.column is not None:
        letters = any(isinstance(edit, SetProperty) and edit.name in _OF_LETTERS for edit in clause.before.edits)
        return None if letters else ClauseReading(kept=tuple(piece.key for piece in target.pieces), target=target)
    whole = with_label(clause.view, replace(target, alone=False))
    if len(whole.pieces) < 2:
        return None
    keys = (whole.pieces[0].key,)
    return ClauseReading(kept=keys, left_alone=keys, target=target)


def only_left(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“合计大写去掉，只留数字合计”: only behind what is removed, for alone it would ask to remove all the rest."""
    edits = clause.before.edits if clause.before else []
    is_rest = bool(edits) and all(isinstance(edit, Delete | DeleteColumn) for edit in edits)
    return keep(clause, slots) if is_rest else None


def rest_unchanged(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Leave the rest as it is”, 别的不变: what no clause asks for changes anyway."""
    return None if clause.is_first else ClauseReading()


_OF_LOOK: dict[str, frozenset[str]] = {
    "colour": frozenset({"forecolor"}),
    "size": frozenset({"fontSize"}),
    "font": frozenset({"fontName", "isBold", "isItalic", "isUnderline", "fontSize", "pattern"}),
    "place": frozenset({"textAlignment"}),
}
"""The properties that a part of a look stands for."""


def looks_kept(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Call it Receipt, the colour stays”: where the clause before changes something else of it."""
    before = clause.before
    if before is None or not before.edits:
        return None
    look = slots["own_look"]
    names = {edit.name for edit in before.edits if isinstance(edit, SetProperty)}
    is_moved = any(edit.do in ("move", "copy_style") for edit in before.edits)
    if names & _OF_LOOK[look] or (look == "place" and is_moved) or (look == "font" and not _keeps_format(before)):
        return None
    return ClauseReading(target=before.target)


def _keeps_format(before: ClauseReading) -> bool:
    return not any(isinstance(edit, SetFormat) or edit.do == "copy_style" for edit in before.edits)


RULES = tuple(
    templated("negation", rule)
    for rule in (looks_kept, only_left, rest_unchanged, leave_alone, needs_none, only_that, keep)
)
