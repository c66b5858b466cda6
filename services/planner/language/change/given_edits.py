"""Edits that a user made without words: by the bar of the page, or in its table of data."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from bandsmith.shared.actor import Store
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_rows import AddRows
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.set_parameters import SetParameters
from bandsmith.shared.edits.set_value import SetValue
from bandsmith.shared.events import ReadChange
from bandsmith.shared.jrxml.dom import declared_nodes
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.labels import TemplateLabels
from bandsmith.shared.jrxml.patterns import printed_patterns, shows_time_only
from bandsmith.shared.model.filling import Cell
from bandsmith.shared.replies import Text
from bandsmith.shared.turns.request import ChangeRequest
from bandsmith.shared.xml import parse

from ...filling.values import Unreadable, ValueStyle, kind_of, read

Row = dict[str, Cell]


async def read_edits(store: Store, command: ReadChange) -> ChangeRequest:
    """Return the command's edits as a change. Raises ``BadInput`` when the template cannot be read.

    Values get the types of their fields. An edit with a value that its field cannot have is left out and explained.
    """
    root = await asyncio.to_thread(parse, await store.get(command.template))
    return checked_edits(command.edits, root)


def checked_edits(edits: Sequence[AnyEdit], root: etree._Element) -> ChangeRequest:
    fields, parameters = _types(root, "field"), _types(root, "parameter")
    kept: list[AnyEdit] = []
    refusals: list[Text] = []
    for edit in edits:
        try:
            match edit:
                case AddRows():
                    rows = [_typed(row, fields, number, root) for number, row in enumerate(edit.rows, 1)]
                    kept.append(edit.model_copy(update={"rows": rows}))
                case SetParameters():
                    kept.append(edit.model_copy(update={"values": _typed(edit.values, parameters, 0, root)}))
                case SetValue():
                    kept.append(edit.model_copy(update={"values": _typed(edit.values, fields, edit.row or 0, root)}))
                case _:
                    kept.append(edit)
        except _WrongValue as error:
            refusals.append(error.reason)
    removed = [edit.element for edit in kept if isinstance(edit, Delete)]
    return ChangeRequest(edits=kept, refusals=refusals, asked=removed)


class _WrongValue(Exception):
    def __init__(self, reason: Text) -> None:
        super().__init__()
        self.reason = reason


class _Type(NamedTuple):
    java_class: str
    pattern: str

    @property
    def kind(self) -> str:
        """What a value has to be, for a message."""
        return "time" if shows_time_only(self.pattern) else kind_of(self.java_class) or "other"


def _types(root: etree._Element, tag: str) -> dict[str, _Type]:
    patterns = printed_patterns(root, "F" if tag == "field" else "P")
    return {
        name: _Type(node.get("class", "java.lang.String"), patterns.get(name, ""))
        for name, node in declared_nodes(root, tag).items()
    }


def _typed(values: Mapping[str, Cell], types: Mapping[str, _Type], row: int, root: etree._Element) -> Row:
    """Return the values as the sample data has them: numbers for numbers, ISO texts for dates. Raises ``_WrongValue``.

    What the template does not declare stays as it is: the edit refuses it.
    """
    typed: Row = {}
    for name, value in values.items():
        try:
            typed[name] = _of_type(value, types[name]) if name in types else value
        except Unreadable:
            kind = Text.of(f"planner.filling.kinds.{types[name].kind}")
            code = "planner.given.row" if row else "planner.given.value"
            shown = _heading(name, root) if row else name
            raise _WrongValue(Text.of(code, name=shown, value=str(value)[:40], kind=kind, row=row)) from None
    return typed


def _heading(field: str, root: etree._Element) -> str:
    """Return the heading of a field's column, by which the user knows it."""
    return TemplateLabels(Draft(etree.tostring(root)), "en").field(field)


def _of_type(value: Cell, wanted: _Type) -> Cell:
    read_value = read(value, wanted.java_class, ValueStyle(), wanted.pattern)
    match kind_of(wanted.java_class):
        case "whole":
            return int(str(read_value)) if read_value is not None else None
        case "decimal":
            return float(str(read_value)) if read_value is not None else None
    return read_value
