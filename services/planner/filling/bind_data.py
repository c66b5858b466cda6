"""Bind a table to a template: each column to a field, each value to its field's class. What does not match is reported.

The table is read twice as it is parsed, line by line, so that its rows are never held as objects: the first time for
how its values are written (`values.FormatEvidence`), the second time to write the rows for the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import ValidationError

from bandsmith.shared.editing import Editor
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.filling import Cell, FilledData, Filling, encode_lines, read_table
from bandsmith.shared.model.plan import Data
from bandsmith.shared.replies import Text

from ..language.template_view import TemplateView
from .bind_lists import bind_lists, list_places
from .places import FieldPlace, match_columns, places_in, read_for
from .report import FillingNotes, names_of
from .values import FormatEvidence, Unreadable, ValueStyle, kind_of, read, style_of

LOCALE = "REPORT_LOCALE"
"""The engine's own parameter for the language of dates and numbers."""


@dataclass(frozen=True)
class BoundData:
    """The rows for the engine, and what could not be filled."""

    lines: bytes
    """JSON Lines: a ``FilledData``, then an object with the values by field for each row."""
    row_count: int
    """Number of rows, those of the further tables included."""
    left_out: int
    without_value: int
    """Number of single values that the report prints and that nothing fills."""
    notes: list[Text]


@dataclass
class _Column:
    """A column of the file that a place of the report takes."""

    number: int
    place: FieldPlace
    evidence: FormatEvidence = field(default_factory=FormatEvidence)
    style: ValueStyle = field(default_factory=ValueStyle)
    values: set[Cell] = field(default_factory=set)
    """Its first two different values, where the place is a parameter."""


def bind_data(
    template: bytes, table: bytes, filling: Filling, sample: bytes | None = None, *, whole: bytes | None = None
) -> BoundData:
    """Return the data that fills the template. Takes seconds for many rows.

    `sample` is the ``Data`` that came with the template: a picture that the table does not bring is taken from it.
    `whole` is the table that this one is a part of: it shows how values are written.

    Raises ``BadInput`` where nothing of the file is on the report, for a parameter that the report does not have, and
    for a parameter's value of another kind.
    """
    view = TemplateView(Editor(template))
    return _Binding(view, table, filling, _pictures(view, sample), whole or table).result()


def _pictures(view: TemplateView, sample: bytes | None) -> dict[str, Cell]:
    """Return the values of the parameters that the template prints as pictures, such as the logo."""
    printed = {name for picture in view.pictures for scope, name in picture.references if scope == "P"}
    try:
        values = Data.model_validate_json(sample).parameters if sample else {}
    except ValidationError:
        return {}
    return {name: value for name, value in values.items() if name in printed}


class _Binding:
    def __init__(
        self, view: TemplateView, table: bytes, filling: Filling, pictures: dict[str, Cell], whole: bytes
    ) -> None:
        self._whole = whole
        self._table, self._filling, self._pictures = table, filling, pictures
        self._head, _ = read_table(table)
        self._lists = list_places(view.root)
        self._fields = places_in(view, "F")
        self._parameters = [place for place in places_in(view, "P") if place.name not in self._lists]
        self._said = FillingNotes()
        self._rows = 0
        names = self._head.columns
        fillable = [place for place in self._fields if kind_of(place.java_class)]
        match = match_columns(fillable, names)
        left = ["" if number in match.columns.values() else name for number, name in enumerate(names)]
        once = match_columns([place for place in self._parameters if kind_of(place.java_class)], left)
        self._columns = [_Column(match.columns[p.name], p) for p in fillable if p.name in match.columns]
        self._once = [_Column(once.columns[p.name], p) for p in self._parameters if p.name in once.columns]
        self._said.ambiguous = [name for name in match.ambiguous if name not in _taken(names, self._once)]

    def result(self) -> BoundData:
        self._check_anything_matches()
        self._read_evidence()
        parameters = self._parameter_values()
        self._note_missing(parameters)
        has_rows = bool(self._fields)
        lists = bind_lists(self._lists, self._head.lists, self._said)
        head = FilledData(parameters=parameters, lists=lists, rows=self._rows if has_rows else None)
        lines = encode_lines(head, self._typed_rows() if has_rows else ())
        row_count = self._rows + sum(map(len, lists.values()))
        return BoundData(lines, row_count, self._said.left_out, len(self._said.without_value), self._said.notes())

    def _check_anything_matches(self) -> None:
        named = [name for name in self._head.columns if name]
        if named and not (self._columns or self._once):
            fields = [place.shown for place in self._fields if place.is_printed]
            raise BadInput.of(
                "planner.filling.no_match", code="columns", columns=names_of(named), fields=names_of(fields)
            )

    def _read_evidence(self) -> None:
        """Read the table for the first time: how its values are written, and whether a column has one value only."""
        typed = [(one, kind) for one in (*self._columns, *self._once) if (kind := kind_of(one.place.java_class))]
        for row in read_table(self._whole)[1]:
            for column, kind in typed:
                column.evidence.add(row[column.number], kind)
        for row in read_table(self._table)[1]:
            self._rows += 1
            for column in self._once:
                if len(column.values) < 2:
                    column.values.add(row[column.number])
        everything = [column.evidence for column, _ in typed]
        for column, _ in typed:
            others = [one for one in everything if one is not column.evidence]
            pattern, semicolons = column.place.pattern, self._head.semicolons
            column.style = style_of(column.evidence, others, semicolons=semicolons, pattern=pattern)
            if column.style.is_assumed:
                self._said.assumed(self._head.columns[column.number], column.evidence.doubtful)

    def _typed_rows(self) -> Iterator[dict[str, Cell]]:
        """Read the table again, and yield each row as the engine takes it."""
        columns = [(one.number, one.place, one.style, self._head.columns[one.number]) for one in self._columns]
        _, rows = read_table(self._table)
        for number, row in enumerate(rows, 1):
            values: dict[str, Cell] = {}
            for index, place, style, header in columns:
                try:
                    values[place.name] = read_for(place, row[index], style)
                except Unreadable as error:
                    self._said.unreadable(header, kind_of(place.java_class), row[index], number, error.why)
            yield values

    # --- parameters ---------------------------------------------------------------------------------------------------

    def _parameter_values(self) -> dict[str, Cell]:
        """Return the parameters: those of the file's own values, then those of its columns, then what the user says."""
        names = list(self._head.parameters)
        own = match_columns(self._parameters, names)
        by_name = {place.name: place for place in self._parameters}
        values = {
            name: self._own(by_name[name], names[number], self._head.parameters[names[number]])
            for name, number in own.columns.items()
        }
        if isinstance(locale := self._head.parameters.get(LOCALE), str):
            values[LOCALE] = locale
        used = {names[number] for number in own.columns.values()} | {LOCALE}
        self._said.spare += [name for name in names if name not in used]
        for column in self._once:
            header = self._head.columns[column.number]
            if len(column.values) == 1 and column.place.name not in values:
                values[column.place.name] = self._own(column.place, header, next(iter(column.values)), column.style)
            elif len(column.values) > 1:
                self._said.varying.append(header)
        given = {name: self._given(name, text) for name, text in self._filling.parameters.items()}
        return self._pictures | values | given

    def _own(self, place: FieldPlace, header: str, cell: Cell, style: ValueStyle | None = None) -> Cell:
        """Return a value of the file for a parameter; None where it is not of its kind, which is reported."""
        style = style or _style_of_one(cell, place)
        try:
            return read_for(place, cell, style)
        except Unreadable as error:
            self._said.unreadable(header, kind_of(place.java_class), cell, 0, error.why)
            return None

    def _given(self, name: str, text: str) -> Cell:
        """Return what the user says a parameter is. Raises ``BadInput``."""
        if name == LOCALE:
            return text
        place = next((place for place in self._parameters if place.name == name), None)
        if place is None:
            known = names_of([place.name for place in self._parameters])
            code = "planner.filling.no_parameter" if self._parameters else "planner.filling.no_parameters"
            raise BadInput.of(code, code="parameter", name=name, names=known)
        try:
            return read(text, place.java_class, _style_of_one(text, place), place.pattern)
        except Unreadable:
            kind = Text.of(f"planner.filling.kinds.{kind_of(place.java_class) or 'other'}")
            raise BadInput.of("planner.filling.parameter_value", code="parameter", name=name, kind=kind) from None

    # --- what is missing ----------------------------------------------------------------------------------------------

    def _note_missing(self, parameters: dict[str, Cell]) -> None:
        columns, said = self._head.columns, self._said
        filled = {column.place.name for column in self._columns}
        taken = {column.number for column in (*self._columns, *self._once)}
        if columns:
            said.missing = [one.shown for one in self._fields if one.is_printed and one.name not in filled]
        said.spare += [
            name
            for number, name in enumerate(columns)
            if name and number not in taken and name not in (*said.ambiguous, self._filling.each)
        ]
        said.without_value = [
            place.shown
            for place in self._parameters
            if place.is_printed and not place.has_default and parameters.get(place.name) is None
        ]


def _style_of_one(cell: Cell, place: FieldPlace) -> ValueStyle:
    """Return how a single value is written."""
    evidence = FormatEvidence()
    evidence.add(cell, kind_of(place.java_class) or "text")
    return style_of(evidence, [], semicolons=False, pattern=place.pattern)


def _taken(names: list[str], columns: list[_Column]) -> set[str]:
    return {names[column.number] for column in columns}
