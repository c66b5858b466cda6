"""What any language model promises: messages in, one reply out, and what it cost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal, Protocol

from pydantic import Field

from ..errors import BandsmithError
from ..model.base import Value

OnDelta = Callable[[str], Awaitable[None]]
"""Is given each piece of a reply as it arrives."""


class Allowance(Value):
    """What may still be spent."""

    calls: int = Field(default=0, ge=0)
    tokens: int = Field(default=0, ge=0)
    """In and out together."""

    def less(self, usage: Usage) -> Allowance:
        """What is left of it after that was spent."""
        return Allowance(calls=max(0, self.calls - usage.calls), tokens=max(0, self.tokens - usage.tokens))


class Usage(Value):
    """What was spent."""

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


class Message(Value):
    role: Literal["system", "user", "assistant"]
    text: str


class Reply(Value):
    text: str
    finish: Literal["stop", "length"]
    """``length``: it was cut, and could be continued."""
    usage: Usage


class Model(Protocol):
    """A language model; it remembers nothing from one call to the next."""

    name: str
    context: int
    """Tokens that it takes and gives together."""
    longest: int
    """The most tokens of one reply."""

    def count(self, text: str) -> int:
        """How many tokens a text has, as well as that is known."""
        ...

    async def complete(
        self,
        messages: list[Message],
        *,
        max_tokens: int,
        schema: dict[str, Any] | None = None,
        on_delta: OnDelta | None = None,
    ) -> Reply:
        """One call. With a JSON ``schema`` the reply is one object of it, as far as the model can keep to one.

        What ``on_delta`` raises ends the call and is raised. Raises ``ModelFailed``.
        """
        ...

    async def close(self) -> None:
        """Give its connections back."""
        ...


class ModelFailed(BandsmithError):
    """No usable answer; callers go on with what rules know.

    It says what was spent on it, never what was said, and no key.
    """

    code = "model"

    def __init__(self, message: str, *, message_zh: str, code: str | None = None, usage: Usage | None = None) -> None:
        super().__init__(message, message_zh=message_zh, code=code)
        self.usage = usage or Usage()
