"""The interface of a language model: messages in, one reply and its cost out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, Protocol

from ..errors import BandsmithError, TerminalError
from ..language import Language
from ..model.allowance import Usage
from ..model.base import Value
from ..replies import message_in

Finish = Literal["stop", "length", "declined"]
"""How a reply ended. ``length``: it was truncated and can be continued; ``declined``: the model or a filter refused."""
OnDelta = Callable[[str], Awaitable[None]]
"""Called with each fragment of a reply as it arrives."""


class ChatMessage(Value):
    role: Literal["system", "user", "assistant"]
    text: str
    picture: bytes | None = None
    """A PNG that comes with the text; only a model that sees pictures gets one."""


class ModelReply(Value):
    text: str
    finish: Finish
    reasoned: bool = False
    """Whether reasoning came, which is not part of the text."""
    usage: Usage


class Model(Protocol):
    """A language model; calls share no state."""

    name: str
    context: int
    """Context length in tokens, input and output together."""
    max_reply_tokens: int
    is_always_asked: bool
    """Whether it is also asked about changes of a report that rules have read."""
    sees_pictures: bool

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens in a text, estimated if the tokenizer is unknown."""
        ...

    async def complete(
        self,
        messages: list[ChatMessage],
        *,
        max_tokens: int,
        schema: dict[str, Any] | None = None,
        on_delta: OnDelta | None = None,
        temperature: float = 0.0,
        reasons: bool = False,
    ) -> ModelReply:
        """Call the model once. With a JSON schema the reply is an object of it, as far as the model supports that.

        `reasons` turns reasoning on where the settings say how.

        An exception raised by `on_delta` ends the call and propagates. Raises ``ModelFailed``.
        """
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class ModelFailed(BandsmithError):
    """Raised when there is no usable answer; callers fall back on rules.

    It carries what the call cost, and never the prompt, the reply or the key.
    """

    code = "model"

    def __init__(
        self, message: str, *, message_zh: str = "", code: str | None = None, usage: Usage | None = None
    ) -> None:
        super().__init__(message, message_zh=message_zh, code=code)
        self.usage = usage or Usage()

    def in_language(self, language: Language) -> str:
        """Return the sentence for the user."""
        return message_in(self, language)


@contextmanager
def model_required() -> Iterator[None]:
    """Raise ``TerminalError`` with the model's sentence for ``ModelFailed``, where no rule can answer instead."""
    try:
        yield
    except ModelFailed as failed:
        raise TerminalError(failed.message, message_zh=failed.message_zh, code="model") from None
