"""A session as clients see it: its key, and what the gateway stores of it."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from pydantic import ConfigDict

from bandsmith.shared.bus.base import NAME
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events.turn import MAX_NAME_CHARS
from bandsmith.shared.message_refusals import invalid_name
from bandsmith.shared.model.base import Value
from bandsmith.shared.turns.session import Session

STATE_PREFIX = "session-"
"""Prefix of the keys under which the gateway stores sessions."""
NO_SESSION = "session"
"""Error code for a session that does not exist."""
_FORBIDDEN_IN_NAMES = re.compile(r"[/\\:*?\"<>|]|^\.")


class PendingTurn(Value):
    """A turn that has not ended."""

    turn: str
    text: str
    files: list[str] = []
    """Names of the attached files."""
    nodes: list[str] = []
    """The nodes that it came to; none while it waits."""


class SessionView(Session):
    """A session as a client sees it: the state kept between turns, and the turns that have not ended."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    requests: list[PendingTurn] = []
    """The running turn first, then the queued ones."""


def session_id(name: str) -> str:
    """Return the key of a session: its name if that is ASCII letters, digits, '-' and '_', else a hash of it.

    Raises ``BadInput`` for an invalid name.
    """
    name = unicodedata.normalize("NFC", name)
    if not name.strip() or len(name) > MAX_NAME_CHARS or not name.isprintable() or _FORBIDDEN_IN_NAMES.search(name):
        raise invalid_name()
    if NAME.fullmatch(name):
        return name
    return f"s-{hashlib.sha256(name.encode()).hexdigest()[:32]}"


def no_session() -> BadInput:
    return BadInput.of("cli.sessions.missing", code=NO_SESSION)


def parse_session(stored: bytes) -> SessionView:
    """Read a session as the gateway stores it, with its running turn and the commands that start the queued ones."""
    try:
        state = json.loads(stored)
        turn = state.get("turn")
        pending = [_pending(turn["id"], turn, list(turn["attempts"]))] if turn and not turn["over"] else []
        pending += [_pending(start["turn"], start["payload"], []) for start in state.get("waiting", [])]
        return SessionView.model_validate(state | {"requests": pending})
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadInput.of("cli.sessions.unreadable", code="state") from None


def _pending(turn: str, started: Mapping[str, Any], nodes: list[str]) -> dict[str, object]:
    files = [document["name"] for document in started.get("attachments", [])]
    return {"turn": turn, "text": started["text"], "files": files, "nodes": nodes}
