"""One colour of the report becomes another, wherever it is used. What users say is in ``templates/*/recolour.toml``."""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.set_property import SetProperty

from ...colours import colour, is_shade_of
from ...element_colours import colours_of
from ...sentence_templates import Slots
from ..reading import Clause, ClauseReading, refused, templated


def recolour(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Dark blue instead of green everywhere”."""
    old, new = colour(slots["old_colour"]), colour(slots["colour"])
    if old is None or new is None or old == new:
        return None
    edits: list[AnyEdit] = [
        SetProperty(element=piece.key, name=name, value=new)
        for piece in clause.view.pieces
        for name, used in colours_of(clause.view.root, piece.node)
        if is_shade_of(used, old)
    ]
    return ClauseReading(edits) if edits else refused("language.no_such_colour", colour=slots["old_colour"])


RULES = (templated("recolour", recolour),)
