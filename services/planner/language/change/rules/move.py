"""Elements that are moved by so many points. What users say is in ``templates/*/move.toml``."""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move

from ...numbers import points_of
from ...references import with_label
from ...sentence_templates import Slots
from ..reading import Clause, ClauseReading, templated

DEFAULT_STEP_PT = 10
"""How far “a little” is."""
_OF_SEVERAL_BANDS = frozenset({"table", "rows", "header", "numbers"})
"""What is more than its texts: moved alone, they would leave the areas and lines behind them, and the totals."""
_DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def move(clause: Clause, slots: Slots) -> ClauseReading | None:
    targets = clause.known(clause.targets(slots["names"]))
    if not isinstance(targets, list):
        return targets
    if any(target.column is not None or target.role in _OF_SEVERAL_BANDS for target in targets):
        return None
    step = points_of(slots["length"]) if slots["length"] else DEFAULT_STEP_PT
    across, down = _DIRECTIONS[slots["direction"]]
    edits: list[AnyEdit] = []
    for piece in (piece for target in targets for piece in with_label(clause.view, target).pieces):
        if across:
            edits.append(Move(element=piece.key, x=max(0, piece.x + across * step)))
        else:
            edits.append(Move(element=piece.key, y=max(0, piece.y + down * step)))
    return ClauseReading(edits, target=targets[-1])


RULES = (templated("move", move),)
