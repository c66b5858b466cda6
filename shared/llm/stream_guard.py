"""Watch a reply while it is generated: stop it when it is too long or repetitive, and forward its text."""

from __future__ import annotations

import re

from .base import OnDelta

_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff\ud800-\udfff]"
)
"""Control and bidirectional formatting characters, which could manipulate a terminal."""

TAIL_CHARS = 1500
"""Characters at the end of a reply that are checked for repetition."""
MAX_PERIOD_CHARS = 300
"""Maximum length of the repeated text."""


class ReplyStopped(Exception):
    """Raised to end the call; the guard holds the text received so far and the reason."""


class StreamGuard:
    """Receive a reply's fragments. Raises ``ReplyStopped`` if the reply is too long or repeats itself endlessly."""

    def __init__(self, max_chars: int, forwarder: TextForwarder | None = None) -> None:
        self.text = ""
        self.reason = ""
        self._max_chars = max_chars
        self._forwarder = forwarder
        self._checked = 0

    async def __call__(self, delta: str) -> None:
        self.text += delta
        if self._forwarder:
            await self._forwarder(delta)
        if len(self.text) > self._max_chars:
            self._stop("the reply is too long")
        if len(self.text) - self._checked > TAIL_CHARS / 4:
            self._checked = len(self.text)
            if repeats(self.text):
                self._stop("the reply repeats itself without end")

    def _stop(self, reason: str) -> None:
        self.reason = reason
        raise ReplyStopped


def repeats(text: str) -> bool:
    """Whether the end of the text is a short string repeated over and over."""
    tail = text[-TAIL_CHARS:]
    return len(tail) == TAIL_CHARS and any(tail.startswith(tail[period:]) for period in range(1, MAX_PERIOD_CHARS + 1))


def printable(text: str) -> str:
    """Return the text without control and bidirectional formatting characters."""
    return _UNPRINTABLE.sub("", text)


class TextForwarder:
    """Forward a reply's text for the user as it arrives: all of it, or one string field of a JSON object."""

    def __init__(self, on_delta: OnDelta, field: str | None = None) -> None:
        self._on_delta = on_delta
        self._start = re.compile(rf'"{field}"\s*:\s*"') if field else None
        self._text = ""
        self._position: int | None = 0 if field is None else None
        """End of the forwarded text; None before the field begins."""
        self._ended = False

    async def __call__(self, delta: str) -> None:
        if self._ended:
            return
        self._text += delta
        if self._position is None and self._start and (match := self._start.search(self._text)):
            self._position = match.end()
        if self._position is not None and (text := printable(self._next())):
            await self._on_delta(text)

    def _next(self) -> str:
        """Return the text that has arrived since the last call, with escape sequences resolved."""
        assert self._position is not None
        if self._start is None:
            text, self._text = self._text, ""
            return text
        chars: list[str] = []
        while self._position < len(self._text):
            char = self._text[self._position]
            if char == '"':
                self._ended = True
                break
            width = 1 if char != "\\" else 6 if self._text[self._position + 1 : self._position + 2] == "u" else 2
            if self._position + width > len(self._text):  # the rest of the escape sequence has not arrived
                break
            chars.append(char if width == 1 else _unescape(self._text[self._position : self._position + width]))
            self._position += width
        return "".join(chars)


def _unescape(escape: str) -> str:
    if escape[1] == "u":
        try:
            return chr(int(escape[2:], 16))
        except ValueError:
            return ""
    return {"n": "\n", "t": "\t", "r": "", "b": "", "f": ""}.get(escape[1], escape[1])
