"""Letters as large as those of another text, or in the same colour.

What users say is in ``templates/*/like_size.toml``.
"""

from __future__ import annotations

from collections.abc import Callable

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.jrxml.text_styles import resolve_style

from ...references import Target, with_value
from ...sentence_templates import Slots
from ...view_elements import ViewElement
from ..reading import Clause, ClauseReading, templated

_SOURCES = ("", "title", "company", "header", "row")
"""Roles of what has one look; the table and everything have several."""


def as_large(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Make the number as large as the date”, “单号跟日期一样大”: the size alone, where the other text has one."""
    return _like(clause, slots, "fontSize", lambda text: f"{text.size:g}")


def as_coloured(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“The same colour as the number”, “颜色跟单号一样”: the colour of the letters, where the other text has one."""
    return _like(clause, slots, "forecolor", lambda text: resolve_style(clause.view.root, text.node).colour)


def _like(clause: Clause, slots: Slots, name: str, look: Callable[[ViewElement], str]) -> ClauseReading | None:
    """Give what a clause names the look of what it compares that with; a pronoun is what was spoken of before."""
    found, source = clause.known(clause.find(slots["target"])), clause.known(clause.find(slots["source"]))
    if not isinstance(found, Target) or not isinstance(source, Target):
        return found if isinstance(found, ClauseReading) else source if isinstance(source, ClauseReading) else None
    if source.role not in _SOURCES:
        return None
    looks = {look(text) for text in source.texts}
    texts = with_value(clause.view, found).texts
    if len(looks) != 1 or not texts or {text.key for text in texts} & {text.key for text in source.texts}:
        return None
    [value] = looks
    edits: list[AnyEdit] = [SetProperty(element=text.key, name=name, value=value) for text in texts]
    return ClauseReading(edits, target=found)


RULES = (templated("like_size", as_large), templated("like_size", as_coloured))
