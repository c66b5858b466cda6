"""The change before, for a part of what it changed, for another row, or with what a new column prints."""

from __future__ import annotations

import re

from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.add_signatures import AddSignatures
from bandsmith.shared.edits.delete_row import DeleteRow
from bandsmith.shared.edits.set_value import SetValue
from bandsmith.shared.fields.value_types import STRING
from bandsmith.shared.jrxml.java_literals import java_string

from ..sentence_templates import Slots
from .follow_up_sentence import FollowUp
from .rule_parser import RequestReading
from .rules.columns import constant
from .rules.row_values import rows_named

_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,4})?")
_RATE = re.compile(r"\d{1,3}(?:\.\d{1,4})?\s?[%％]")


def only_in(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Only in the header, leave the rest green”: of what the change before gave a look, only what is named."""
    last = sentence.last
    found = sentence.targets(last.view, slots["name"])
    if not isinstance(found, list):
        return None
    pieces = [piece for target in found for piece in target.pieces]
    behind = last.view.area_behind(pieces)
    keys = {piece.key for piece in pieces} | ({behind.key} if behind else set())
    edits = [edit for edit in last.edits if getattr(edit, "element", None) in keys]
    is_part = 0 < len(edits) < len(last.edits) and all(edit.do == "set" for edit in last.edits)
    return RequestReading(edits, base=last.base) if is_part else None


def other_row(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Thursday, not Friday”, after a row was deleted or got a new value."""
    last = sentence.last
    if len(last.edits) != 1 or not isinstance(edit := last.edits[0], DeleteRow | SetValue) or len(edit.where) != 1:
        return None
    [value] = edit.where.values()
    old = sentence.words(slots["old"])
    if old and old.casefold() not in str(value).casefold():
        return None
    changed = next(iter(edit.values), "") if isinstance(edit, SetValue) else ""
    rows = rows_named(last.view, sentence.words(slots["row"]), changed)
    if len(rows) != 1 or (isinstance(edit, SetValue) and len(edit.values) != 1):
        return None
    [(at, name)] = rows.items()
    where = {name: last.view.rows[at][name]}
    return RequestReading([edit.model_copy(update={"where": where})], base=last.base) if where != edit.where else None


def side_by_side(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“Put them side by side at the bottom”, after lines to sign on, which are put so."""
    last = sentence.last
    are_lines = all(isinstance(edit, AddSignatures) and len(edit.labels) > 1 for edit in last.edits)
    return RequestReading(list(last.edits), base=last.base) if are_lines else None


def fill_new(sentence: FollowUp, slots: Slots) -> RequestReading | None:
    """“写13%”, after a column was added that prints nothing: the same in each row."""
    last, said = sentence.last, slots["constant"].strip()
    if len(last.edits) != 1 or not isinstance(new := last.edits[0], AddColumn) or new.expression or new.formula:
        return None
    value, is_quoted = sentence.request.with_quotations(said)
    if is_quoted or _RATE.fullmatch(said):
        filled: dict[str, str | None] = {"java_class": STRING, "expression": java_string(value), "pattern": None}
    elif _NUMBER.fullmatch(said):
        filled = constant(said, new.label, is_number=True)
    else:
        return None
    return RequestReading([new.model_copy(update=filled)], base=last.base)
