"""Rename the values, columns and lists of a template and of its data together."""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.rename_field import RenameField
from bandsmith.shared.fields.identifiers import unique_name
from bandsmith.shared.jrxml.dom import J, declared_nodes
from bandsmith.shared.model.plan import Data

from .list_fields import Row, rename_list, rename_list_column
from .named_parts import NamedPart, Parts


def rename_parts(editor: Editor, data: Data, parts: Parts, wanted: Mapping[str, str]) -> tuple[Data, dict[str, str]]:
    """Give parts the names that are wanted, by number. Return the data, and the new name of each that has another one.

    A name that is taken gets a number. Names may be exchanged: all are given up before any is given.
    """
    given = _given_names(editor.root, parts, wanted)
    for number in given:
        _rename(editor, parts[number], parts[number].name, _meanwhile(number))
    for number, name in given.items():
        _rename(editor, parts[number], _meanwhile(number), name)
    return _renamed_data(data, parts, given), given


def _meanwhile(number: str) -> str:
    return f"renamed__{number}"


def _given_names(root: etree._Element, parts: Parts, wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the new name of each part that gets another one."""
    names = {number: name.lower() for number, name in wanted.items() if name.lower() != parts[number].name}
    fields = [node.get("name") or "" for node in root.iter(f"{J}field")]
    taken = {"field": set(fields), "other": {*declared_nodes(root, "parameter"), *declared_nodes(root, "subDataset")}}
    for number in names:
        taken[_kind(parts[number])].discard(parts[number].name)
    given = {}
    for number, name in names.items():
        own = taken[_kind(parts[number])]
        given[number] = unique_name(name, own)
        own.add(given[number])
    return {number: name for number, name in given.items() if name != parts[number].name}


def _kind(part: NamedPart) -> str:
    """Return the kind of names that a part's must differ from: a list is passed by a parameter."""
    return "field" if part.scope == "field" else "other"


def _rename(editor: Editor, part: NamedPart, old: str, new: str) -> None:
    if part.scope == "list":
        rename_list(editor.root, old, new)
    elif part.table:
        rename_list_column(editor.root, old, new)
    else:
        editor.apply([RenameField.model_validate({"scope": part.scope, "name": old, "to": new})])


def _renamed_data(data: Data, parts: Parts, given: Mapping[str, str]) -> Data:
    new = {(parts[number].scope, parts[number].name): name for number, name in given.items()}

    def row(values: Row) -> Row:
        return {new.get(("field", name), name): value for name, value in values.items()}

    return data.model_copy(
        update={
            "parameters": {new.get(("parameter", name), name): value for name, value in data.parameters.items()},
            "rows": [row(values) for values in data.rows],
            "lists": {new.get(("list", name), name): [row(one) for one in rows] for name, rows in data.lists.items()},
        }
    )
