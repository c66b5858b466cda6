"""Knowledge: what is kept from one turn to help another."""

from __future__ import annotations

from .base import Value
from .edits import AnyEdit


class Mending(Value):
    """A finding that was mended once, and the edits that mended it."""

    code: str
    """The finding's."""
    message: str
    """The finding's, in English."""
    element: str | None = None
    """The finding's: what its edits are about."""
    edits: list[AnyEdit]
