"""The template editor: applies typed edits to a template and changes nothing that they do not name."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from ..edits import AnyEdit
from ..edits.move import Move
from ..edits.resize import Resize
from ..jrxml.declarations import drop_unused_fields, used_fields
from ..jrxml.dom import declared_nodes, insert_child, new_node
from ..jrxml.draft import Draft
from ..jrxml.refusals import EditRefused, already_done
from .outcome import EditOutcome

_LOCALE_PROPERTY = "net.sf.jasperreports.default.locale"


class Editor:
    """A template being edited. Raises ``BadInput`` if it cannot be read safely."""

    def __init__(self, template: bytes) -> None:
        self._draft = Draft(template)

    @property
    def root(self) -> etree._Element:
        return self._draft.root

    @property
    def draft(self) -> Draft:
        return self._draft

    def bytes(self) -> bytes:
        """Return the template as it is now, pretty-printed, in UTF-8."""
        return self._draft.bytes()

    def elements(self) -> list[etree._Element]:
        """Return the elements in the bands, in document order, frames before their contents."""
        return self._draft.elements()

    def element(self, name: str) -> etree._Element | None:
        """Return the element with this key, uuid or name in the outline: ``detail.3``."""
        return self._draft.element(name)

    def bands(self) -> list[tuple[str, etree._Element]]:
        """Return (name of the section, band) in document order."""
        return self._draft.bands()

    def apply(self, edits: Iterable[AnyEdit]) -> int:
        """Apply edits that were measured, exactly as they are. Return how many of them changed something."""
        return sum(self._apply(edit, exact=True).changed for edit in edits)

    def carry_out(self, edits: Iterable[AnyEdit]) -> list[EditOutcome]:
        """Apply edits that were asked for in words, and return the outcome of each.

        Nothing leaves the page: positions are kept within it, and texts that grow get space. A field that nothing uses
        any more is no longer declared.
        """
        used = used_fields(self._draft)
        outcomes = [self._apply(edit, exact=False) for edit in _sizes_before_positions(list(edits))]
        if any(outcome.changed and outcome.edit.orphans_fields for outcome in outcomes):
            drop_unused_fields(self._draft, used)
        return outcomes

    def set_locale(self, locale: str) -> None:
        """Set the locale that the report is filled with if its caller names none."""
        node = declared_nodes(self.root, "property").get(_LOCALE_PROPERTY)
        if node is None:
            node = new_node("property", name=_LOCALE_PROPERTY)
            insert_child(self.root, node)
        node.set("value", locale)

    def _apply(self, edit: AnyEdit, *, exact: bool) -> EditOutcome:
        before = self._draft.copy() if edit.multi_step else None
        try:
            if not edit.apply(self._draft, exact=exact):
                raise already_done()
        except EditRefused as refusal:
            self._draft = before or self._draft
            return EditOutcome(edit, False, refusal.code, refusal.reason)
        return EditOutcome(edit, True)


def _sizes_before_positions(edits: list[AnyEdit]) -> list[AnyEdit]:
    """Return the edits, the size of an element before its position: a place on the page is one for the new size."""
    for number, edit in enumerate(edits):
        if isinstance(edit, Resize):
            moves = (n for n, one in enumerate(edits[:number]) if isinstance(one, Move) and one.element == edit.element)
            if (first := next(moves, None)) is not None:
                edits.insert(first, edits.pop(number))
    return edits
