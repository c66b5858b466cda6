"""A line that is drawn beside something: “the line under the title”, 客户签收后面的线.

What users say is in ``templates/*/drawn_lines.toml``.
"""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.set_property import SetProperty

from ...colours import colour
from ...sentence_templates import Slots, matches
from ...view_elements import ViewElement
from ..reading import Clause, ClauseReading, templated
from .page import scaled_line

THINNER, THICKER = 0.5, 2.0

PHRASES = frozenset({"line"})
"""Sentences of the files that name a line."""


def line_removed(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _reading([Delete(element=line.key) for line in _lines(clause, slots["named"])])


def line_changed(clause: Clause, slots: Slots) -> ClauseReading | None:
    """A line gets thinner, thicker or another colour. Of a double line that is to be a thin one, one goes."""
    lines = _lines(clause, slots["named"])
    edits: list[AnyEdit] = []
    if slots["one"]:
        edits += [Delete(element=line.key) for line in lines[1:]]
        lines = lines[:1]
    for line in lines:
        if slots["width"]:
            edits += scaled_line(line, THINNER if slots["width"] == "thinner" else THICKER)
        if slots["colour"]:
            edits.append(SetProperty(element=line.key, name="lineColor", value=colour(slots["colour"]) or ""))
    return _reading(edits)


def _lines(clause: Clause, named: str) -> list[ViewElement]:
    """Return the drawn line that words name, both of a double one."""
    for slots in matches("drawn_lines", "line", named):
        is_drawn = bool(slots["look"]) or not named.isascii()
        if found := clause.names.drawn_lines(slots["relation"], slots["anchor"], is_drawn):
            return found
    return []


def _reading(edits: list[AnyEdit]) -> ClauseReading | None:
    return ClauseReading(edits) if edits else None


RULES = tuple(templated("drawn_lines", rule) for rule in (line_removed, line_changed))
