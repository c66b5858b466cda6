"""Delete a session with its history and its files."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from bandsmith.shared.bus.base import Bus, objects_named_in
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import Envelope, TurnFailed, command_id
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.errand import SESSION_SUFFIX
from bandsmith.shared.replies import Text

from .session_view import STATE_PREFIX, no_session, parse_session


async def delete_session(bus: Bus, key: str) -> None:
    """Delete the session of that key, and the one beside it for its tasks. Raises ``BadInput`` when there is none.

    A file that was stored for another session too stays: files with equal content are stored once. The pending turns
    end: their followers receive ``TurnFailed``.
    """
    beside = f"{key}{SESSION_SUFFIX}"
    if await bus.read_state(STATE_PREFIX + beside) is not None:
        await _delete(bus, beside)
    if not await _delete(bus, key):
        raise no_session()


async def _delete(bus: Bus, key: str) -> bool:
    """Delete one session with its files; return whether there was one."""
    removed = await bus.delete_state(STATE_PREFIX + key)
    if removed is None:
        return False
    named = objects_named_in(removed) | await bus.delete_events(key)
    for ref in _refs(removed):
        with suppress(KeyError):  # it has expired
            named |= objects_named_in(await bus.get(ref))
    await bus.delete_objects(key, named)
    with suppress(BadInput):
        for pending in parse_session(removed).requests:
            await bus.publish(_deleted(key, pending.turn))
    return True


def _refs(state: bytes) -> set[Ref]:
    """Return the JSON files that a stored state refers to; none of a state that cannot be read."""
    found, ahead = set[Ref](), list[Any]()
    with suppress(ValueError):
        ahead.append(json.loads(state))
    while ahead:
        match ahead.pop():
            case {"key": str(key), "media": "application/json", "size": int(size)}:
                found.add(Ref(key=key, media="application/json", size=size))
            case dict() as node:
                ahead += node.values()
            case list() as items:
                ahead += items
    return found


def _deleted(session: str, turn: str) -> Envelope:
    reason = Text.of("cli.sessions.turn_deleted")
    failed = TurnFailed(code="deleted", message=reason.en, message_zh=reason.zh)
    return Envelope(
        id=command_id(session, turn, "deleted", 1),
        kind=failed.kind(),
        session=session,
        turn=turn,
        payload=failed.model_dump(mode="json"),
    )
