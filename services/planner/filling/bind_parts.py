"""Divide a table by the values of one column, and bind each part to the template: a statement for each customer.

How values are written is read from the whole table, so that a date or a number means the same in every part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import orjson

from bandsmith.shared.editing import Editor
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.filling import MAX_PARTS, Filling, TableHead, lines_of, read_table
from bandsmith.shared.replies import Text

from ..language.template_view import TemplateView
from .bind_data import BoundData, bind_data
from .places import FieldPlace, match_columns, places_in
from .report import names_of

MAX_NAME_CHARS = 60


class BoundParts(NamedTuple):
    """The rows of each report by its name, and what could not be filled in any of them."""

    parts: dict[str, BoundData]
    left_out: int
    without_value: int
    notes: list[Text]

    @property
    def row_count(self) -> int:
        return sum(part.row_count for part in self.parts.values())


def bind_parts(template: bytes, table: bytes, filling: Filling, sample: bytes | None = None) -> BoundParts:
    """Return the data of each report. Raises ``BadInput`` for what ``bind_data`` refuses, and for an unknown column."""
    head, _ = read_table(table)
    number = _column(template, head, filling.each)
    if head.lists:
        raise BadInput.of("planner.filling.each_lists", code="each")
    tables, unnamed = _divided(table, head, number, filling.only)
    parts: dict[str, BoundData] = {}
    for value, part in tables.items():
        parts[_free_name(value, parts)] = bind_data(template, part, filling, sample, whole=table)
    notes, left_out = _notes(parts), sum(part.left_out for part in parts.values())
    if unnamed:
        notes.append(Text.of("planner.filling.each_empty", each=head.columns[number], count=unnamed))
    return BoundParts(parts, left_out + unnamed, sum(part.without_value for part in parts.values()), notes)


def place_of(places: list[FieldPlace], each: str) -> FieldPlace | None:
    """Return the field or parameter that is called so; None where it is none, or several."""
    found = [place for place in places if match_columns([place], [each]).columns]
    return found[0] if len(found) == 1 else None


def _column(template: bytes, head: TableHead, each: str) -> int:
    """Return the number of the column that is meant: by its own name, or by what the report calls it."""
    wanted = FieldPlace(each, "java.lang.String", (each,))
    match = match_columns([wanted], head.columns)
    if match.columns:
        return match.columns[each]
    view = TemplateView(Editor(template))
    if (place := place_of([*places_in(view, "P"), *places_in(view, "F")], each)) is not None:
        match = match_columns([place], head.columns)
        if match.columns:
            return match.columns[place.name]
    columns = names_of([name for name in head.columns if name])
    raise BadInput.of("planner.filling.no_each", code="each", each=each, columns=columns)


def _divided(table: bytes, head: TableHead, number: int, only: Sequence[str]) -> tuple[dict[str, bytes], int]:
    """Return a table for each value of the column, in the order in which they come, and how many rows have none.

    `only` names the values that are wanted, if not all are. Raises ``BadInput``.
    """
    found: dict[str, bytearray] = {}
    wanted, others = {_value(one).casefold() for one in only}, dict[str, None]()
    unnamed, first = 0, head.model_dump_json().encode()
    lines = lines_of(table)
    next(lines)
    for line in lines:
        value = _value(orjson.loads(line)[number])
        if wanted and value.casefold() not in wanted:
            others[value] = None
            continue
        if not value:
            unnamed += 1
            continue
        if value not in found and len(found) == MAX_PARTS:
            raise BadInput.of("planner.filling.each_many", code="each", each=head.columns[number], limit=MAX_PARTS)
        part = found.setdefault(value, bytearray(first))
        part += b"\n"
        part += line
    _hold_found(only, found, list(others), head.columns[number])
    return {value: bytes(part) for value, part in found.items()}, unnamed


def _value(cell: object) -> str:
    return " ".join(str("" if cell is None else cell).split())


def _hold_found(only: Sequence[str], found: Iterable[str], others: list[str], each: str) -> None:
    """Hold that there are rows of every value that is wanted. Raises ``BadInput``."""
    known = {value.casefold() for value in found}
    missing = [one for one in only if _value(one).casefold() not in known]
    if missing:
        values = names_of([*found, *others])
        raise BadInput.of(
            "planner.filling.each_missing", code="each", each=each, missing=names_of(missing), values=values
        )
    if not known:
        raise BadInput.of("planner.filling.each_none", code="each", each=each)


def _free_name(value: str, known: dict[str, BoundData]) -> str:
    """Return a value as a part of a file's name that no other part has."""
    plain = "".join(char if char.isalnum() or char in " -_.," else "_" for char in value)[:MAX_NAME_CHARS].strip(" .")
    taken = {name.casefold() for name in known}
    name, number = plain or "_", 2
    while name.casefold() in taken:
        name, number = f"{plain} ({number})", number + 1
    return name


def _notes(parts: dict[str, BoundData]) -> list[Text]:
    """Return what every part has to say once, and what only some have to say with their names."""
    common = set.intersection(*({note.en for note in part.notes} for part in parts.values()))
    first = next(iter(parts.values()))
    notes = [note for note in first.notes if note.en in common]
    for name, part in parts.items():
        notes += [Text(f"{name}: {note.en}", f"{name}：{note.zh}") for note in part.notes if note.en not in common]
    return notes
