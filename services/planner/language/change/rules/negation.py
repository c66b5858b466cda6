"""What has to stay as it is; it asks for no edit. What users say is in ``templates/*/negation.toml``."""

from __future__ import annotations

from ...sentence_templates import Slots
from ..reading import Clause, ClauseReading, templated


def keep(clause: Clause, slots: Slots) -> ClauseReading | None:
    targets = clause.targets(slots["names"])
    if not isinstance(targets, list):
        return None
    return ClauseReading(kept=tuple(piece.key for target in targets for piece in target.pieces), target=targets[-1])


RULES = (templated("negation", keep),)
