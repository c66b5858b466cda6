"""The template editor: carries out typed edits on a template, and touches nothing that they do not name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lxml import etree

from ..jrxml.dom import insert_child, new_node, tag
from ..jrxml.draft import Draft
from ..jrxml.refusals import EditRefused, already_done
from ..model.edits import (
    Add,
    AddColumn,
    AddGroup,
    AddTotal,
    AnyEdit,
    Declare,
    Delete,
    DeleteColumn,
    DeleteGroup,
    DeleteTotal,
    Highlight,
    Move,
    MoveColumn,
    RenameField,
    ReplaceBand,
    Resize,
    ResizeBand,
    ResizeColumn,
    SetExpression,
    SetPage,
    SetProperty,
    SetReport,
    SetText,
    SortBy,
)
from . import bands, columns, declarations, geometry, groups, highlight, page, properties, totals
from .outcome import EditOutcome


class Editor:
    """A template being edited. Raises ``BadInput`` when it cannot be read safely."""

    def __init__(self, template: bytes) -> None:
        self._draft = Draft(template)

    @property
    def root(self) -> etree._Element:
        return self._draft.root

    def bytes(self) -> bytes:
        """The template as it is now, pretty-printed, in UTF-8."""
        return self._draft.bytes()

    def elements(self) -> list[etree._Element]:
        """What stands in the bands, in document order, frames before what is in them."""
        return self._draft.elements()

    def element(self, name: str) -> etree._Element | None:
        """The element of this name: its key, its uuid, or as the outline calls it: ``detail.3``."""
        return self._draft.element(name)

    def bands(self) -> list[tuple[str, etree._Element]]:
        """(name of the section, band) in document order."""
        return self._draft.bands()

    def apply(self, edits: Iterable[AnyEdit]) -> int:
        """Carry out edits that were measured, to the letter; how many of them changed something."""
        return sum(self._outcome(edit, literal=True).changed for edit in edits)

    def carry_out(self, edits: Iterable[AnyEdit]) -> list[EditOutcome]:
        """Carry out edits that were asked for in words; what became of each.

        Nothing leaves the page: places are held within it, and words that grow are given room. A field that nothing
        shows any more is no longer declared.
        """
        used = declarations.used_fields(self._draft)
        outcomes = [self._outcome(edit, literal=False) for edit in edits]
        if any(one.changed and isinstance(one.edit, Delete | DeleteColumn | DeleteGroup) for one in outcomes):
            declarations.drop_fields(self._draft, used)
        return outcomes

    def set_locale(self, locale: str) -> None:
        """The locale that the report is filled with where its caller names none."""
        name = "net.sf.jasperreports.default.locale"
        node = next((node for node in self.root.findall(tag("property")) if node.get("name") == name), None)
        if node is None:
            node = new_node("property", name=name)
            insert_child(self.root, node)
        node.set("value", locale)

    def _outcome(self, edit: AnyEdit, literal: bool) -> EditOutcome:
        kept = self._draft.copy() if isinstance(edit, _LARGE) else None
        try:
            if not self._do(edit, literal):
                raise already_done()
        except EditRefused as refused:
            self._draft = kept or self._draft
            return EditOutcome(edit, False, refused.code, refused.reason, refused.reason_zh)
        return EditOutcome(edit, True)

    def _do(self, edit: AnyEdit, literal: bool) -> bool:
        """Whether it changed something. Raises ``Refused`` when it cannot be carried out."""
        if type(edit) in _MEASURED:
            return _MEASURED[type(edit)](self._draft, edit, literal)
        return _WORDED[type(edit)](self._draft, edit)


_LARGE = (Add, AddColumn, AddGroup, AddTotal, DeleteTotal, Highlight, ReplaceBand, SetPage)
"""Edits of several steps, after whose refusal the draft from before goes on."""

_MEASURED: dict[type, Callable[[Draft, Any, bool], bool]] = {
    Move: geometry.move,
    Resize: geometry.resize,
    ResizeBand: geometry.resize_band,
    SetProperty: properties.set_property,
    SetText: properties.set_text,
}
"""What carries out an edit that may be taken to the letter; the flag says whether it is."""

_WORDED: dict[type, Callable[[Draft, Any], bool]] = {
    Add: bands.add,
    AddGroup: groups.add,
    DeleteGroup: groups.delete,
    Highlight: highlight.add,
    SetPage: page.resize,
    ReplaceBand: bands.replace,
    Delete: geometry.delete,
    SetExpression: properties.set_expression,
    SetReport: properties.set_report,
    RenameField: declarations.rename,
    Declare: declarations.declare,
    SortBy: declarations.sort,
    AddColumn: columns.add,
    DeleteColumn: columns.delete,
    MoveColumn: columns.move,
    ResizeColumn: columns.resize,
    AddTotal: totals.add,
    DeleteTotal: totals.delete,
}
