"""Bind the lists of a JSON file to the further tables of a report: each list by name, its values by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lxml import etree

from bandsmith.shared.jrxml.dom import J, content_of, declared_nodes
from bandsmith.shared.jrxml.expressions import sole_reference
from bandsmith.shared.model.filling import Cell

from .places import FieldPlace, match_columns, pictured, read_for
from .report import FillingNotes
from .values import FormatEvidence, Unreadable, ValueStyle, kind_of, style_of

Row = Mapping[str, Cell]


def list_places(root: etree._Element) -> dict[str, list[FieldPlace]]:
    """Return the fields of each further table, by the name of the parameter that passes its rows."""
    patterns = {
        alone[1]: node.get("pattern", "")
        for node in root.iter(f"{J}textField")
        if (alone := sole_reference(content_of(node), "F"))
    }
    pictures = pictured(root)
    return {
        name: [
            FieldPlace(
                field,
                node.get("class", "java.lang.String"),
                pattern=patterns.get(field, ""),
                is_picture=("F", field) in pictures,
            )
            for node in dataset.iterchildren(f"{J}field")
            if (field := node.get("name", ""))
        ]
        for name, dataset in declared_nodes(root, "subDataset").items()
        if name in declared_nodes(root, "parameter")
    }


def bind_lists(
    places: Mapping[str, Sequence[FieldPlace]], lists: Mapping[str, Sequence[Row]], said: FillingNotes
) -> dict[str, list[dict[str, Cell]]]:
    """Return the rows of each table as the engine takes them. What has no place, or no value, is noted in `said`."""
    match = match_columns([FieldPlace(name, "") for name in places], list(lists))
    names = list(lists)
    taken = {names[number] for number in match.columns.values()}
    said.spare += [name for name in names if name not in taken]
    said.without_value += [name for name in places if name not in match.columns]
    return {
        table: _typed_rows(names[number], places[table], lists[names[number]], said)
        for table, number in match.columns.items()
    }


def _typed_rows(
    source: str, places: Sequence[FieldPlace], rows: Sequence[Row], said: FillingNotes
) -> list[dict[str, Cell]]:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    match = match_columns(places, columns)
    if rows:
        said.missing += [f"{source}.{place.name}" for place in places if place.name not in match.columns]
    used = {columns[number] for number in match.columns.values()}
    said.spare += [f"{source}.{name}" for name in columns if name not in used]
    found = [(place, columns[match.columns[place.name]]) for place in places if place.name in match.columns]
    styles = _styles(found, rows)
    typed: list[dict[str, Cell]] = []
    for number, row in enumerate(rows, 1):
        values: dict[str, Cell] = {}
        for place, column in found:
            try:
                values[place.name] = read_for(place, row.get(column), styles[place.name])
            except Unreadable as error:
                kind = kind_of(place.java_class)
                said.unreadable(f"{source}.{column}", kind, row.get(column), number, error.why)
        typed.append(values)
    return typed


def _styles(found: Sequence[tuple[FieldPlace, str]], rows: Sequence[Row]) -> dict[str, ValueStyle]:
    """Return how the values of each column are written."""
    evidence: dict[str, FormatEvidence] = {}
    for place, column in found:
        evidence[place.name] = one = FormatEvidence()
        for row in rows:
            one.add(row.get(column), kind_of(place.java_class) or "text")
    return {
        place.name: style_of(
            evidence[place.name],
            [other for name, other in evidence.items() if name != place.name],
            semicolons=False,
            pattern=place.pattern,
        )
        for place, _ in found
    }
