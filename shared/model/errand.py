"""Errands: what a tool of reports, data or runs does besides a calendar, exactly as the user agrees to it."""

from __future__ import annotations

from .base import Value
from .document import Document
from .filling import Filling
from .run import Delivery
from .run_request import RunChange
from .source import Asking

SESSION_SUFFIX = "-errand"
"""What is added to the key of a session for the one in which the turns of its tasks' errands take place."""


class ErrandTurn(Value):
    """A turn of its own: what would be said in a conversation, with everything that it needs."""

    text: str = ""
    attachments: list[Document] = []
    asking: Asking | None = None
    filling: Filling | None = None
    delivery: Delivery | None = None


class Errand(Value):
    """One of a turn, or a change of the scheduled runs; neither: they are listed."""

    turn: ErrandTurn | None = None
    run_change: RunChange | None = None
