"""Why a message cannot begin a turn: reported by the gateway, and by its clients before they send anything."""

from __future__ import annotations

from .errors import BadInput
from .events.turn import MAX_NAME_CHARS, MAX_TEXT_CHARS


def empty_message() -> BadInput:
    return BadInput.of("turn.refused.empty")


def long_message() -> BadInput:
    return BadInput.of("turn.refused.long", limit=MAX_TEXT_CHARS)


def invalid_name() -> BadInput:
    return BadInput.of("turn.refused.name", limit=MAX_NAME_CHARS)
