"""Elements that are moved by so many points."""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move

from ...reference_resolver import Missing
from ..reading import Clause, Reading
from .page import LENGTH, length

STEP = 10
"""Points that “a little” is."""


def shift(clause: Clause) -> Reading | None:
    found = clause.match(
        rf"(?:move|shift|push|nudge) (?P<name>.+?) (?P<way>up|down|left|right|higher|lower)(?:wards?)?"
        rf"(?: a (?:bit|little))?(?:(?: by)? {LENGTH})?",
        rf"(?:把|将)?(?P<name>.+?)(?:再)?(?:往|向|朝)?(?P<way>上|下|左|右)(?:面"
        rf"|边)?(?:移动?|挪动?)(?:一点|一些|一下)?(?:{LENGTH})?",
    )
    if not found:
        return None
    targets = clause.targets(found["name"])
    if isinstance(targets, Missing):
        return clause.absent(targets)
    if not isinstance(targets, list) or any(target.column is not None for target in targets):
        return None
    step = length(found["length"], found["unit"]) if found["length"] else STEP
    across, down = {
        "up": (0, -1), "higher": (0, -1), "上": (0, -1), "down": (0, 1), "lower": (0, 1), "下": (0, 1),
        "left": (-1, 0), "左": (-1, 0), "right": (1, 0), "右": (1, 0),
    }[found["way"].lower()]  # fmt: skip
    edits: list[AnyEdit] = []
    for target in targets:
        for piece in target.pieces:
            if across:
                edits.append(Move(element=piece.key, x=max(0, piece.x + across * step)))
            else:
                edits.append(Move(element=piece.key, y=max(0, piece.y + down * step)))
    return Reading(edits, target=targets[-1])


RULES = (shift,)
