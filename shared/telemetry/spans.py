"""A span in progress, and the header that makes one the child of another; with and without OpenTelemetry alike."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

Attributes = Mapping[str, str | int]


class Span:
    """A span in progress; this base class is used when tracing is off."""

    def set(self, **attributes: str | int) -> None: ...

    def fail(self) -> None: ...


class TraceParent(NamedTuple):
    """A ``traceparent`` header, see https://www.w3.org/TR/trace-context/."""

    trace: int
    span: int
    flags: int

    @classmethod
    def of(cls, text: str) -> TraceParent | None:
        """Parse a header; None if it is invalid."""
        fields = text.split("-")[:4]
        if [*map(len, fields)] != [2, 32, 16, 2]:
            return None
        try:
            parent = cls(*(int(field, 16) for field in fields[1:]))
        except ValueError:
            return None
        return parent if parent.trace and parent.span else None

    def __str__(self) -> str:
        return f"00-{self.trace:032x}-{self.span:016x}-{self.flags:02x}"

    def crossed(self, turn: str) -> TraceParent:
        """Convert the caller's span into the turn's own, and back.

        Each can be computed from the other, so the gateway that ends the turn knows both. Without a caller its span
        is 0.
        """
        return self._replace(span=self.span ^ derived_id(turn, 8))


def derived_id(text: str, size: int) -> int:
    """Return an ID of `size` bytes that is the same for the same text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:size], "big")
