"""What calls of language models may cost, and what they have cost."""

from __future__ import annotations

from pydantic import Field

from .base import Value


class Allowance(Value):
    """How much may still be spent."""

    calls: int = Field(default=0, ge=0)
    tokens: int = Field(default=0, ge=0)
    """Input and output together."""

    def less(self, usage: Usage) -> Allowance:
        """Return what remains after `usage`."""
        return Allowance(calls=max(0, self.calls - usage.calls), tokens=max(0, self.tokens - usage.tokens))


class Usage(Value):
    """How much was spent."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
        )
