"""A value that moves closer to its label. What users say is in ``templates/*/closer.toml``."""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.jrxml.text_styles import resolve_style

from ...references import Target
from ...sentence_templates import Slots
from ..reading import Clause, ClauseReading, templated

GAP_PT = 4
"""Gap between a label and its value."""


def closer(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“盘点日期和后面的日期靠近些”: the value stands right behind the words of its label."""
    view, found = clause.view, clause.known(clause.find(slots["name"]))
    if not isinstance(found, Target):
        return found
    labels = [piece for piece in found.pieces if piece.tag == "staticText"]
    value = view.value_beside(labels[0]) if len(labels) == 1 else None
    if value is None or value.band != labels[0].band or found.column is not None:
        return None
    label, style = labels[0], resolve_style(view.root, labels[0].node)
    width = style.width_of(label.words)
    x = label.x + width + GAP_PT
    if style.align not in ("Left", "Justified") or x >= value.x + value.width:
        return None
    edits: list[AnyEdit] = [Resize(element=label.key, width=width)] if width < label.width else []
    edits += [Move(element=value.key, x=x), SetProperty(element=value.key, name="textAlignment", value="Left")]
    return ClauseReading(edits, target=Target(slots["name"], (label, value), alone=True))


RULES = (templated("closer", closer),)
