"""Sessions that a gateway of a newer version wrote: what this one does not know of them stays in them.

While gateways are upgraded one by one, old and new ones move the same sessions. A fact that the old one left out would
be missing when the new one goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import orjson

from .state import SessionState, Turn


@dataclass(frozen=True)
class Unknown:
    """Fields of a stored session that this version does not have."""

    session: dict[str, Any] = field(default_factory=dict)
    turn: dict[str, Any] = field(default_factory=dict)
    """Of the turn under way."""
    turn_id: str = ""


NOTHING_UNKNOWN = Unknown()


def read_state(stored: bytes) -> tuple[SessionState, Unknown]:
    """Return a stored session, and what this version does not know of it."""
    values = orjson.loads(stored)
    state = SessionState.model_validate_json(stored, extra="ignore")
    turn = values.get("turn") or {}
    found = Unknown(_beyond(values, SessionState.model_fields), _beyond(turn, Turn.model_fields), turn.get("id", ""))
    return state, found if found.session or found.turn else NOTHING_UNKNOWN


def stored_state(state: SessionState, unknown: Unknown) -> bytes:
    """Return a session as it is stored, with what was unknown of it. Facts of a turn last as long as the turn."""
    if unknown is NOTHING_UNKNOWN:
        return state.model_dump_json().encode()
    values = unknown.session | state.model_dump(mode="json")
    if state.turn and state.turn.id == unknown.turn_id:
        values["turn"] = unknown.turn | values["turn"]
    return orjson.dumps(values)


def _beyond(values: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in known}
