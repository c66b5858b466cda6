"""Letters as large as those of another text. What users say is in ``templates/*/like_size.toml``."""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.set_property import SetProperty

from ...references import Target, with_value
from ...sentence_templates import Slots
from ..reading import Clause, ClauseReading, templated

_SOURCES = ("", "title", "company", "header", "row")
"""Roles of what has one size; the table and everything have several."""


def as_large(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Make the number as large as the date”, “单号跟日期一样大”: the size alone, where the other text has one."""
    found, source = clause.known(clause.find(slots["target"])), clause.known(clause.find(slots["source"]))
    if not isinstance(found, Target) or not isinstance(source, Target):
        return found if isinstance(found, ClauseReading) else source if isinstance(source, ClauseReading) else None
    if source.role not in _SOURCES:
        return None
    sizes = {text.size for text in source.texts}
    texts = with_value(clause.view, found).texts
    if len(sizes) != 1 or not texts or {text.key for text in texts} & {text.key for text in source.texts}:
        return None
    [size] = sizes
    edits: list[AnyEdit] = [SetProperty(element=text.key, name="fontSize", value=f"{size:g}") for text in texts]
    return ClauseReading(edits, target=found)


RULES = (templated("like_size", as_large),)
