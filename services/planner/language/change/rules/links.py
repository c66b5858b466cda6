"""Links, and values that are printed only where there are some. What users say is in ``templates/*/links.toml``."""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_link import AddLink
from bandsmith.shared.edits.hide_empty import HideEmpty

from ...references import Missing, Target
from ...sentence_templates import Slots
from ...view_elements import TableColumn, ViewElement
from ..reading import Clause, ClauseReading, refused, templated

_WEB = re.compile(r"(?:https?://|mailto:)\S+", re.IGNORECASE)
_BARE_WEB = re.compile(r"www\.\S+\.\S+", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def link(clause: Clause, slots: Slots) -> ClauseReading | None:
    elements = _texts(clause, slots["name"])
    if not isinstance(elements, list):
        return elements
    words = clause.words(slots["address"])
    address, field = _address(words), None
    if address is None:
        column = clause.column(slots["address"])
        if not isinstance(column, TableColumn) or column.field not in clause.view.classes:
            return (
                clause.absent(column) if isinstance(column, Missing) and clause.has_quotes(slots["address"]) else None
            )
        field = column.field
    return ClauseReading([AddLink(element=one.key, address=address, field=field) for one in elements])


def _address(words: str) -> str | None:
    """Return the address that words are; None for other words."""
    if _WEB.fullmatch(words):
        return words
    if _BARE_WEB.fullmatch(words):
        return f"https://{words}"
    return f"mailto:{words}" if _MAIL.fullmatch(words) else None


def hide_empty(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _hidden(clause, slots["name"], zero=False)


def hide_zero(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _hidden(clause, slots["name"], zero=True)


def hide_zeros(clause: Clause, slots: Slots) -> ClauseReading | None:
    cells = [cell for column in clause.view.columns if column.numeric for cell in column.cells if _has_value(cell)]
    if not cells:
        return refused("language.no_numbers")
    return ClauseReading([HideEmpty(element=cell.key, zero=True) for cell in cells])


def _hidden(clause: Clause, name: str, *, zero: bool) -> ClauseReading | None:
    elements = _texts(clause, name)
    if not isinstance(elements, list):
        return elements
    values = [one for one in elements if _has_value(one)]
    edits: list[AnyEdit] = [HideEmpty(element=one.key, zero=zero) for one in values]
    return ClauseReading(edits) if edits else None


def _has_value(element: ViewElement) -> bool:
    return element.tag == "textField" and bool(element.references)


def _texts(clause: Clause, name: str) -> list[ViewElement] | ClauseReading | None:
    """Return the texts that a name means: the values of a column, else what stands on the page."""
    found = clause.known(clause.find(name))
    if not isinstance(found, Target):
        return found
    return list(found.column.cells) if found.column is not None else found.texts or None


RULES = tuple(templated("links", rule) for rule in (link, hide_zero, hide_zeros, hide_empty))
